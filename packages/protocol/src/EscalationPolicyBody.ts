/** Bodies of requests and answers about escalation policies. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import {
  AcknowledgeTimeoutMinutes,
  OnExhausted,
  type PolicyDraft,
  Repeat,
  RepeatAfterMinutes,
  Steps
} from "@kanmon/domain/EscalationPolicy"
import { ChannelId, EscalationPolicyId, OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, type Result, Schema } from "effect"
import * as Body from "./Body.ts"

const texts = {
  steps: "Targets to whom an alert is told, one step after the other, until somebody acknowledges it",
  repeat: "How many further rounds follow the first one. A round that reached no one is not repeated",
  repeatAfterMinutes: "Minutes from the last step to the next round, and to exhaustion",
  acknowledgeTimeoutMinutes:
    "Minutes after which an acknowledgement no longer holds while the alert is still open; null: it holds",
  onExhausted:
    "The channel that is told when the last round is over. Without one, and when no one was ever reached, the owners of the organization are told"
}

/** The fields of a policy. */
export const policyFields = {
  key: Schema.NullOr(Key)
    .annotate({ description: "Name by which configuration files refer to the policy; unique in the organization" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  name: Body.name,
  steps: Steps.annotate({ description: texts.steps }),
  repeat: Repeat.annotate({ description: texts.repeat }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  repeatAfterMinutes: RepeatAfterMinutes.annotate({ description: texts.repeatAfterMinutes }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(10))
  ),
  acknowledgeTimeoutMinutes: Schema.NullOr(AcknowledgeTimeoutMinutes)
    .annotate({ description: texts.acknowledgeTimeoutMinutes })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  onExhausted: Schema.NullOr(OnExhausted)
    .annotate({ description: texts.onExhausted })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

/** The body of a new policy, as it is sent. */
export type PolicyRequest = Schema.Struct<typeof policyFields>["Encoded"]

/** The body of a change. Fields that are left out stay as they are. */
export type PolicyUpdate = Body.Change<PolicyRequest>

/** Decodes a policy; every broken field is named. Whether what it names exists is for those who know. */
export const decode: (body: unknown) => Result.Result<PolicyDraft, InvalidFields> = Body.fit(
  decodeStrict(Schema.Struct(policyFields))
)

/** Lays a change over a policy; null puts a field back to its default. */
export const merge = (current: PolicyDraft, change: unknown): unknown =>
  Body.isObject(change) ? Body.cleared(policyFields, { ...current, ...change }) : change

const Warning = Schema.Struct({
  code: Schema.Literals([
    "person_left",
    "person_may_not_respond",
    "person_away",
    "person_unreachable",
    "person_by_email_only",
    "person_late_entries",
    "schedule_empty",
    "team_empty",
    "team_gone",
    "channel_gone",
    "channel_off",
    "channel_unconfirmed",
    "channel_told_already"
  ]),
  path: Schema.String.annotate({ description: "The field that names it, such as `steps[0].notify[1].userId`" }),
  message: Schema.String
})
export type PolicyWarning = typeof Warning.Type

/** A policy, as the API shows it. */
export const EscalationPolicy = Schema.Struct({
  id: EscalationPolicyId,
  organizationId: OrganizationId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  steps: Steps.annotate({ description: texts.steps }),
  repeat: Repeat.annotate({ description: texts.repeat }),
  repeatAfterMinutes: RepeatAfterMinutes.annotate({ description: texts.repeatAfterMinutes }),
  acknowledgeTimeoutMinutes: Schema.NullOr(AcknowledgeTimeoutMinutes).annotate({
    description: texts.acknowledgeTimeoutMinutes
  }),
  onExhausted: Schema.NullOr(OnExhausted).annotate({ description: texts.onExhausted }),
  warnings: Schema.Array(Warning).annotate({
    description: "Targets that the policy would not reach now, or that are told without it, and why"
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "EscalationPolicy" })
export type EscalationPolicy = typeof EscalationPolicy.Type

const round = Schema.Int.annotate({ description: "Counted from 0" })

const PreviewEntry = Schema.Struct({
  at: Timestamp,
  type: Schema.Literals(["step_ran", "page", "nobody_reached", "exhausted"]),
  round,
  step: Schema.NullOr(Schema.Int).annotate({ description: "Counted from 0; null after the last one" }),
  userId: Schema.NullOr(UserId).annotate({ description: "The person who is paged" }),
  channelId: Schema.NullOr(ChannelId).annotate({ description: "The channel that is told" }),
  methodType: Schema.NullOr(Schema.String).annotate({
    description: "The type of the contact method by which the person is paged; null for a channel"
  }),
  heldUntil: Schema.NullOr(Timestamp).annotate({
    description: "Until when the quiet hours of the person hold the page; null: it is sent at once"
  })
})

/** The course of an escalation. */
export const EscalationPreview = Schema.Struct({
  heldUntil: Schema.NullOr(Timestamp).annotate({
    description: "Until when maintenance or a silence of the monitor holds the escalation; null: nothing does"
  }),
  entries: Schema.Array(PreviewEntry).annotate({
    description: "The course if no one answers and every page is accepted, oldest first"
  }),
  warnings: Schema.Array(Warning).annotate({
    description: "Steps that name a channel which an alert rule with the policy notifies by itself"
  }),
  truncated: Schema.Boolean.annotate({ description: "Whether there are more entries than these" })
}).annotate({ identifier: "EscalationPreview" })
export type EscalationPreview = typeof EscalationPreview.Type
export type PreviewEntry = typeof PreviewEntry.Type
