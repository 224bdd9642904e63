/** Figures about the on-call duty of an organization. */
import { MonitorId, UserId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

const seconds = (description: string) =>
  Schema.NullOr(Schema.Int).annotate({ description: `${description}, in seconds; null without an alert` })

const Waiting = Schema.Struct({
  alerts: Schema.Int.annotate({ description: "The number of alerts that count" }),
  p50: seconds("The time within which half of them were handled"),
  p90: seconds("The time within which nine of ten were handled")
})

export const OnCallAnalytics = Schema.Struct({
  from: Timestamp,
  to: Timestamp,
  people: Schema.Array(
    Schema.Struct({
      userId: UserId,
      name: Schema.NullOr(Schema.String).annotate({ description: "Null: the account was deleted" }),
      onCallSeconds: Schema.Int.annotate({
        description: "Time on call; shifts in several schedules at once count once"
      }),
      pages: Schema.Int.annotate({
        description: "Messages that reached the person; one that told of several alerts counts once"
      }),
      interruptedNights: Schema.Int.annotate({
        description: "Nights with a page between 22:00 and 07:00, in the time zone of the account"
      })
    })
  ).annotate({
    description: "Everybody who was on call or paged. Members without the role `admin` see themselves alone"
  }),
  timeToAcknowledge: Waiting.annotate({
    description: "From the opening to the acknowledgement of alerts that opened in the window and were acknowledged"
  }),
  timeToResolve: Waiting.annotate({
    description: "From the opening to the end of alerts that opened in the window and are over"
  }),
  noisiestMonitors: Schema.Array(
    Schema.Struct({
      monitorId: MonitorId,
      name: Schema.NullOr(Schema.String).annotate({ description: "Null: the monitor was deleted" }),
      alerts: Schema.Int,
      pages: Schema.Int.annotate({ description: "Pages about its alerts that reached a person" })
    })
  ).annotate({ description: "The 20 monitors with the most pages, then the most alerts" })
}).annotate({ identifier: "OnCallAnalytics" })
export type OnCallAnalytics = typeof OnCallAnalytics.Type
