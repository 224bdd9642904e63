/** The time line of an alert: everything that happened between its opening and its end, and each page with its outcome. */
import { Schema } from "effect"
import { AlertActor } from "./Alert.ts"
import { ChannelId, UserId } from "./Ids.ts"
import { PageReason } from "./PageReason.ts"
import { replyStates } from "./PageReply.ts"
import { Timestamp } from "./Timestamp.ts"

/** The kinds of entries. */
export const timelineTypes = [
  "opened",
  "step_ran",
  "page",
  "nobody_reached",
  "exhausted",
  "held",
  "released",
  "acknowledged",
  "unacknowledged",
  "acknowledgement_ended",
  "snoozed",
  "escalated",
  "asked",
  "resolved"
] as const
const TimelineType = Schema.Literals(timelineTypes)
export type TimelineType = typeof TimelineType.Type

/** How far a page is. */
export const PageOutcome = Schema.Literals(["pending", "reached", "failed", "dropped"])
export type PageOutcome = typeof PageOutcome.Type

/** The cause of a page. */
export const PageCause = Schema.Literals(["step", "exhausted", "asked"]).annotate({
  description: "A step of the policy, the end of the policy, or a person who asked for help"
})

/** Where in a policy something happened. */
export const placeInPolicy = {
  round: Schema.NullOr(Schema.Int).annotate({
    description: "Round of the policy, from 0; null where none is concerned"
  }),
  step: Schema.NullOr(Schema.Int).annotate({ description: "Step of the policy, from 0; null where none is concerned" })
}

/** One page: to a person by one of their contact methods, or to a channel. */
export const TimelinePage = Schema.Struct({
  id: Schema.String,
  cause: PageCause,
  userId: Schema.NullOr(UserId).annotate({ description: "The person; null for a channel" }),
  userName: Schema.NullOr(Schema.String).annotate({ description: "Null for a channel, and for a deleted account" }),
  methodType: Schema.NullOr(Schema.String).annotate({
    description: "Type of the person's contact method, such as `sms`; null for a channel, and for a deleted method"
  }),
  channelId: Schema.NullOr(ChannelId).annotate({ description: "The channel; null for a person" }),
  channelName: Schema.NullOr(Schema.String).annotate({ description: "Null for a person, and for a deleted channel" }),
  reason: Schema.NullOr(PageReason).annotate({
    description:
      "Why the person is paged, as the message says it; null for a channel, and for a page of an older version"
  }),
  outcome: PageOutcome.annotate({
    description:
      "`reached`: the provider accepted it; `failed`: it was not delivered, for good; `dropped`: it was taken back before it was sent"
  }),
  detail: Schema.NullOr(Schema.String).annotate({ description: "The provider's answer, or why nothing was sent" }),
  attempts: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      outcome: Schema.Literals(["delivered", "retrying", "failed"]),
      detail: Schema.String
    })
  ).annotate({ description: "Attempts to send it, oldest first" }),
  heldUntil: Schema.NullOr(Timestamp).annotate({
    description: "Until when the quiet hours of the person hold it; null when they do not"
  }),
  finishedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while it is pending" }),
  answeredAt: Schema.NullOr(Timestamp).annotate({
    description: "When its message was answered, with its link or from the device; null: it was not"
  }),
  reply: Schema.NullOr(Schema.Literals(replyStates)).annotate({
    description:
      "The answer from the device: with a key or a text, `declined` with the key that does nothing, `no_answer` for a call that no person answered, `failed` when the provider could not deliver what it had accepted; null: none is known"
  }),
  alerts: Schema.Int.annotate({
    description: "The number of alerts that its message told of; more than 1: it was grouped"
  })
}).annotate({ identifier: "AlertTimelinePage" })
export type TimelinePage = typeof TimelinePage.Type

export const TimelineEntry = Schema.Struct({
  at: Timestamp,
  type: TimelineType.annotate({ description: "Kind of entry. More values may be added" }),
  ...placeInPolicy,
  by: Schema.NullOr(AlertActor).annotate({ description: "The person, key or link behind it; null without one" }),
  note: Schema.NullOr(Schema.String).annotate({
    description: "Text of an acknowledgement or of somebody who asked for a person; the failure, for the opening"
  }),
  until: Schema.NullOr(Timestamp).annotate({ description: "End of the snooze; null for other entries" }),
  target: Schema.NullOr(Schema.String).annotate({
    description: "Name of the person, the team or the schedule that was asked for; null for other entries"
  }),
  page: Schema.NullOr(TimelinePage).annotate({ description: "The page; null for other entries" })
}).annotate({ identifier: "AlertTimelineEntry" })
export type TimelineEntry = typeof TimelineEntry.Type
