/** The bodies of alert rules. `trigger` names one condition; `triggers`, in its stead, several. */
import { type AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { ChannelId, EscalationPolicyId, MonitorId, RuleId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { defaultSeverity, Severity } from "@kanmon/domain/Severity"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const within = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `Expected a whole number from ${minimum} to ${maximum}` })
  )

const list = <S extends Schema.Constraint>(item: S) => Schema.Array(item).check(Schema.isMaxLength(1000))

export const ruleFields = {
  key: Body.key,
  name: Body.name.annotate({ description: "Display name" }),
  monitorIds: list(MonitorId)
    .annotate({ description: "Monitors that the rule watches; with `tags` empty too, every monitor of the project" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  tags: Body.followedTags(
    "Set of tags: the rule also watches the monitors that carry any of them. A monitor that gains one joins; the alerts of one that loses it close without a notification"
  ),
  channelIds: list(ChannelId)
    .annotate({
      description:
        "Channels that are notified; empty means every channel of the project, or none if the rule has an escalation policy"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  escalationPolicyId: Schema.NullOr(EscalationPolicyId)
    .annotate({
      description:
        "Escalation policy of the organization by which people are told until somebody answers; null: channels alone are notified"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  escalationPolicyKey: Schema.NullOr(Key)
    .annotate({
      description: "The policy by its key, or by its ID if it has none, instead of `escalationPolicyId`: for files"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  trigger: Schema.optionalKey(
    Trigger.annotate({
      description:
        "The condition that triggers the rule. `external`, alone and without monitors and tags: the alerts of integrations"
    })
  ),
  triggers: Schema.optionalKey(
    Schema.Array(Trigger)
      .check(Schema.isMinLength(1))
      .annotate({ description: "Several triggers, instead of `trigger`" })
  ),
  consecutiveFailures: within(1, 100)
    .annotate({ description: "Failures in a row before the alert opens" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  resendEvery: within(0, 10_080)
    .annotate({ description: "Minutes between reminders while the alert is open; 0 means none" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  severity: Schema.optionalKey(
    Severity.annotate({
      description:
        "How urgent its alerts are; by default `critical` if it watches for `monitor_down`, `ssl_expired`, `ssl_invalid` or `domain_expired`, else `warning`. Alerts keep the severity with which they opened"
    })
  )
}

/** The body of a new rule, as it is sent. */
export type RuleRequest = Schema.Struct<typeof ruleFields>["Encoded"]

/** The body of a change. Fields that are left out stay as they are; null puts a field back to its default. */
export type RuleUpdate = Body.Change<RuleRequest>

export type RuleDraft = Pick<
  AlertRule,
  | "key"
  | "name"
  | "monitorIds"
  | "tags"
  | "channelIds"
  | "escalationPolicyId"
  | "escalationPolicyKey"
  | "triggers"
  | "consecutiveFailures"
  | "resendEvery"
  | "severity"
>

const decodeFields = Body.fit(decodeStrict(Schema.Struct(ruleFields)))

/** Decodes a rule's body; every broken field is named. */
export const decode = (body: unknown): Result.Result<RuleDraft, InvalidFields> => {
  return Result.flatMap(decodeFields(body), ({ severity, trigger, triggers, ...rest }) => {
    if (trigger !== undefined && triggers !== undefined && triggers[0] !== trigger)
      return Result.fail(
        new InvalidFields({
          errors: [{ path: "triggers", message: "Expected to begin with trigger; give one of the two" }]
        })
      )
    if (rest.escalationPolicyId !== null && rest.escalationPolicyKey !== null)
      return Result.fail(
        new InvalidFields({
          errors: [
            { path: "escalationPolicyKey", message: "Expected one of escalationPolicyId and escalationPolicyKey" }
          ]
        })
      )
    const watched = [...new Set(triggers ?? [trigger ?? "monitor_down"])]
    const misplaced = watched.includes("external") ? forIntegrations(rest, watched) : []
    if (misplaced.length > 0) return Result.fail(new InvalidFields({ errors: misplaced }))
    return Result.succeed({
      ...rest,
      severity: severity ?? defaultSeverity(watched),
      monitorIds: [...new Set(rest.monitorIds)],
      tags: [...new Set(rest.tags)],
      channelIds: [...new Set(rest.channelIds)],
      triggers: watched
    })
  })
}

/** What a rule for alerts of integrations cannot have: it never fires for monitors. */
const forIntegrations = (
  rule: Pick<AlertRule, "monitorIds" | "tags">,
  triggers: ReadonlyArray<Trigger>
): ReadonlyArray<FieldError> => [
  ...(triggers.length > 1
    ? [{ path: "triggers", message: "Expected external alone: a rule for alerts of integrations is for nothing else" }]
    : []),
  ...(["monitorIds", "tags"] as const).flatMap((path) =>
    rule[path].length > 0
      ? [{ path, message: "Expected none: a rule with the trigger external is for alerts of integrations" }]
      : []
  )
]

/** Lays a change over a rule. `trigger` alone replaces all of `triggers`; null puts a field back to its default. */
export const merge = (current: AlertRule, change: unknown): unknown => {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change
  const { channelIds, consecutiveFailures, escalationPolicyId, key, monitorIds, name, resendEvery, severity, tags } =
    current
  const kept = "trigger" in change || "triggers" in change ? {} : { triggers: current.triggers }
  const policy = "escalationPolicyId" in change || "escalationPolicyKey" in change ? {} : { escalationPolicyId }
  const own = {
    channelIds,
    consecutiveFailures,
    ...policy,
    key,
    monitorIds,
    name,
    resendEvery,
    severity,
    tags
  }
  const merged = { ...own, ...kept, ...change }
  return Body.cleared(ruleFields, merged)
}

const NotifiedChannel = Schema.Struct({
  id: ChannelId,
  name: Schema.String,
  type: Schema.String,
  blocked: Schema.NullOr(Schema.String).annotate({
    description: "Why nothing is sent there: it was disabled, or its recipient has not confirmed; null when it works"
  })
})

/** The recipients of notifications about a monitor. */
export const RulePreview = Schema.Struct({
  monitorId: MonitorId,
  quiet: Schema.NullOr(
    Schema.Struct({
      by: Schema.Literals(["paused", "maintenance", "silence"]),
      until: Schema.NullOr(Timestamp).annotate({ description: "Null for a paused monitor: until it is resumed" })
    })
  ).annotate({ description: "The reason that suppresses notifications at this moment; null if there is none" }),
  rules: Schema.Array(
    Schema.Struct({
      id: RuleId,
      name: Schema.String,
      triggers: Schema.Array(Trigger),
      consecutiveFailures: Schema.Int,
      resendEvery: Schema.Int,
      channels: Schema.Array(NotifiedChannel)
    })
  ).annotate({ description: "The rules that watch the monitor, each with the channels that it would notify" })
}).annotate({ identifier: "AlertRulePreview" })
export type RulePreview = typeof RulePreview.Type
