/**
 * Typed, sortable, opaque identifiers: a prefix that names the kind, then a ULID.
 * Code never takes an id apart; only people read the prefix.
 */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const prefixed = (prefix: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${prefix}_[0-9A-Za-z]{1,64}$`), {
      message: `Expected an id that begins with ${prefix}_`
    })
  )

/** A monitor: what is watched. */
export const MonitorId = prefixed("mon").pipe(Schema.brand("MonitorId"))
export type MonitorId = typeof MonitorId.Type

/** A project: the group that owns monitors, and the scope of one API key. */
export const ProjectId = prefixed("prj").pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

/** A person's account. */
export const UserId = prefixed("usr").pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** A configured notification channel. */
export const ChannelId = prefixed("ch").pipe(Schema.brand("ChannelId"))
export type ChannelId = typeof ChannelId.Type

/** An alert rule. */
export const RuleId = prefixed("rul").pipe(Schema.brand("RuleId"))
export type RuleId = typeof RuleId.Type

/** An entry of the alert history: one alert as one channel is told of it. */
export const AlertId = prefixed("alr").pipe(Schema.brand("AlertId"))
export type AlertId = typeof AlertId.Type

/** An incident, or a maintenance window. */
export const IncidentId = prefixed("inc").pipe(Schema.brand("IncidentId"))
export type IncidentId = typeof IncidentId.Type

/** An entry of an incident's timeline. */
export const UpdateId = prefixed("upd").pipe(Schema.brand("UpdateId"))
export type UpdateId = typeof UpdateId.Type

/** A public status page. */
export const StatusPageId = prefixed("sp").pipe(Schema.brand("StatusPageId"))
export type StatusPageId = typeof StatusPageId.Type

/** A plan: what an account may have, and its price. */
export const PlanId = prefixed("plan").pipe(Schema.brand("PlanId"))
export type PlanId = typeof PlanId.Type

const next = <Id extends string>(prefix: string) =>
  Effect.map(
    Effect.flatMap(SecureRandom.SecureRandom, (random) => random.ulid),
    (ulid) => `${prefix}_${ulid.toLowerCase()}` as Id
  )

/** New ids. Ids made by one process sort in the order they were made. */
export const nextMonitorId = next<MonitorId>("mon")
export const nextProjectId = next<ProjectId>("prj")
export const nextUserId = next<UserId>("usr")
export const nextChannelId = next<ChannelId>("ch")
export const nextRuleId = next<RuleId>("rul")
export const nextIncidentId = next<IncidentId>("inc")
export const nextUpdateId = next<UpdateId>("upd")
export const nextStatusPageId = next<StatusPageId>("sp")
export const nextPlanId = next<PlanId>("plan")
