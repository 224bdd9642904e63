/** The files of a status page in the shape of Atlassian Statuspage's public API (v2). */
import { Schema } from "effect"

const Time = Schema.String.annotate({ format: "date-time" })

const page = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  url: Schema.String,
  time_zone: Schema.String,
  updated_at: Time
})

const status = Schema.Struct({
  indicator: Schema.Literals(["none", "maintenance", "minor", "major", "critical"]),
  description: Schema.String
})

const component = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals([
    "operational",
    "under_maintenance",
    "degraded_performance",
    "partial_outage",
    "major_outage"
  ]),
  created_at: Time,
  updated_at: Time,
  position: Schema.Int,
  description: Schema.Null,
  showcase: Schema.Boolean,
  start_date: Schema.NullOr(Schema.String),
  group_id: Schema.NullOr(Schema.String),
  page_id: Schema.String,
  group: Schema.Boolean,
  only_show_if_degraded: Schema.Boolean,
  components: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "StatuspageComponent" })

const update = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  body: Schema.String,
  incident_id: Schema.String,
  created_at: Time,
  updated_at: Time,
  display_at: Time,
  affected_components: Schema.Null,
  deliver_notifications: Schema.Boolean,
  custom_tweet: Schema.Null,
  tweet_id: Schema.Null
})

const incidentFields = {
  id: Schema.String,
  name: Schema.String,
  status: Schema.String,
  created_at: Time,
  updated_at: Time,
  monitoring_at: Schema.NullOr(Time),
  resolved_at: Schema.NullOr(Time),
  impact: Schema.Literals(["minor", "critical", "maintenance"]),
  shortlink: Schema.String,
  started_at: Time,
  page_id: Schema.String,
  incident_updates: Schema.Array(update),
  components: Schema.Array(component),
  reminder_intervals: Schema.Null
}

const incident = Schema.Struct(incidentFields).annotate({ identifier: "StatuspageIncident" })
const maintenance = Schema.Struct({
  ...incidentFields,
  scheduled_for: Time,
  scheduled_until: Schema.NullOr(Time)
}).annotate({ identifier: "StatuspageMaintenance" })

export const Status = Schema.Struct({ page, status })
export const Components = Schema.Struct({ page, components: Schema.Array(component) })
export const Incidents = Schema.Struct({ page, incidents: Schema.Array(incident) })
export const Maintenances = Schema.Struct({ page, scheduled_maintenances: Schema.Array(maintenance) })
export const Summary = Schema.Struct({
  page,
  status,
  components: Schema.Array(component),
  incidents: Schema.Array(incident),
  scheduled_maintenances: Schema.Array(maintenance)
})
