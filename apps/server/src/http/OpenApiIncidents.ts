/** Schemas of the bodies of incidents and maintenance windows for OpenAPI. */
import { incidentFields } from "@kanmon/protocol/IncidentBody"
import { Schema } from "effect"
import { type Json, jsonSchema, properties } from "./OpenApiMonitors.ts"

const defaults: Json = {
  status: "investigating",
  monitorIds: [],
  maintenance: false,
  scheduledStart: null,
  scheduledEnd: null,
  recurrence: null,
  timezone: null
}

const incidentRequest: Json = {
  ...jsonSchema(Schema.Struct(incidentFields)),
  properties: properties(incidentFields, defaults),
  required: ["title", "message"],
  additionalProperties: false,
  examples: [
    { title: "Checkout is slow", status: "investigating", message: "We are looking into it.", monitorIds: [] },
    {
      title: "Database upgrade",
      message: "Orders can be read but not placed.",
      monitorIds: [],
      maintenance: true,
      scheduledStart: "2026-11-22T02:00:00.000Z",
      scheduledEnd: "2026-11-22T03:00:00.000Z",
      recurrence: "FREQ=MONTHLY;BYDAY=4SU",
      timezone: "Europe/Berlin"
    }
  ]
}

export const incidentRequests: Json = {
  IncidentRequest: incidentRequest,
  IncidentChange: {
    type: "object",
    description: "Any of the fields. Fields that are left out stay as they are",
    properties: properties(incidentFields, {}),
    additionalProperties: false,
    examples: [{ status: "resolved", message: "A fix has been rolled out." }]
  }
}
