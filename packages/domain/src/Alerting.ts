/**
 * Decides which alerts open, close and repeat. Pure: takes a monitor's conditions, its project's rules and its open alerts;
 * returns decisions. At most one alert is open per rule, monitor and trigger. Decisions are idempotent, so a redelivered
 * batch is harmless.
 */
import type { AlertRule, Trigger } from "./AlertRule.ts"
import { type CertificateState, worst } from "./Certificate.ts"
import type { ChannelId, MonitorId, RuleId } from "./Ids.ts"
import { type EvaluationSettings, staleIntervals } from "./StatusEvaluation.ts"
import type { MonitorState } from "./MonitorState.ts"
import { isStale, resultAtOf } from "./Staleness.ts"
import { sharesTag } from "./Tag.ts"
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/** The state of one trigger for one monitor. */
export interface Condition {
  readonly trigger: Trigger
  /** `holds` opens an alert or keeps it open, `over` closes it, `unclear` (in between, or unknown) keeps an open alert open. */
  readonly state: "holds" | "over" | "unclear"
  /** Consecutive failures; only counted for `monitor_down` and `monitor_degraded`. */
  readonly streak: number
  /** When the current state began. */
  readonly since: EpochMillis
  /** Identifies the certificate or registration; a different one repeats the notification. */
  readonly about: string
  /** The step within one alert; a higher one repeats the notification (a domain at 7 days, at 1 day). */
  readonly step: number
}

export interface OpenAlert {
  readonly id: string
  readonly ruleId: RuleId
  readonly trigger: Trigger
  readonly about: string
  readonly step: number
  readonly startedAt: EpochMillis
  /** The channels that were notified of it. */
  readonly channelIds: ReadonlyArray<ChannelId>
}

export type Decision =
  | {
      readonly _tag: "Open"
      readonly rule: AlertRule
      readonly condition: Condition
      readonly channelIds: ReadonlyArray<ChannelId>
    }
  /** Adds channels that the rule got since the alert opened: they receive the alert and later its recovery. */
  | {
      readonly _tag: "Extend"
      readonly alert: OpenAlert
      readonly condition: Condition
      readonly channelIds: ReadonlyArray<ChannelId>
    }
  /** The condition is over: a recovery is sent. */
  | { readonly _tag: "Close"; readonly alert: OpenAlert; readonly at: EpochMillis }
  /** The rule no longer covers this: the alert closes without a notification. */
  | { readonly _tag: "Drop"; readonly alert: OpenAlert }
  | { readonly _tag: "Repeat"; readonly alert: OpenAlert; readonly condition: Condition }

/** Whether the rule applies to this monitor, which carries these tags. One for alerts of integrations applies to none. */
const watches = (
  rule: Pick<AlertRule, "monitorIds" | "tags" | "triggers">,
  monitorId: MonitorId,
  tags: ReadonlyArray<string>
): boolean =>
  !rule.triggers.includes("external") &&
  ((rule.monitorIds.length === 0 && rule.tags.length === 0) ||
    rule.monitorIds.includes(monitorId) ||
    sharesTag(rule.tags, tags))

/** The channels of the project that a rule notifies. */
export const notifiedBy = (
  { channelIds, escalationPolicyId }: Pick<AlertRule, "channelIds" | "escalationPolicyId">,
  channels: ReadonlyArray<ChannelId>
) =>
  channelIds.length === 0 && escalationPolicyId === null ? channels : channels.filter((own) => channelIds.includes(own))

/** The rules that watch a monitor with these tags, each with the channels that its alerts notify. */
export const notifying = (
  monitorId: MonitorId,
  tags: ReadonlyArray<string>,
  rules: ReadonlyArray<AlertRule>,
  channels: ReadonlyArray<ChannelId>
): ReadonlyArray<{ readonly rule: AlertRule; readonly channelIds: ReadonlyArray<ChannelId> }> =>
  rules
    .filter((rule) => watches(rule, monitorId, tags))
    .map((rule) => ({ rule, channelIds: notifiedBy(rule, channels) }))

/**
 * The decisions for one monitor. Alerts without a matching condition stay unchanged. `channels` are all channels of the
 * project: a rule without channels notifies all of them.
 */
export const decide = (
  monitorId: MonitorId,
  conditions: ReadonlyArray<Condition>,
  rules: ReadonlyArray<AlertRule>,
  open: ReadonlyArray<OpenAlert>,
  channels: ReadonlyArray<ChannelId>,
  /** The tags of the monitor. */
  tags: ReadonlyArray<string> = []
): ReadonlyArray<Decision> => {
  const decisions: Array<Decision> = []
  const watching = (ruleId: RuleId, trigger: Trigger): AlertRule | undefined =>
    rules.find((rule) => rule.id === ruleId && watches(rule, monitorId, tags) && rule.triggers.includes(trigger))

  for (const condition of conditions) {
    const about = open.filter((alert) => alert.trigger === condition.trigger)
    for (const alert of about) {
      const rule = watching(alert.ruleId, alert.trigger)
      if (rule === undefined) decisions.push({ _tag: "Drop", alert })
      else if (condition.state === "over") decisions.push({ _tag: "Close", alert, at: condition.since })
      else if (condition.state === "holds") {
        if (alert.about !== condition.about || condition.step > alert.step)
          decisions.push({ _tag: "Repeat", alert, condition })
        const channelIds = notifiedBy(rule, channels).filter((id) => !alert.channelIds.includes(id))
        if (channelIds.length > 0) decisions.push({ _tag: "Extend", alert, condition, channelIds })
      }
    }
    if (condition.state !== "holds") continue
    // One outage has one start, by which a channel that several rules notify recognizes it.
    const since = Math.min(...(about.length === 0 ? [condition.since] : about.map(({ startedAt }) => startedAt)))
    for (const rule of rules) {
      if (!watches(rule, monitorId, tags) || !rule.triggers.includes(condition.trigger)) continue
      // Certificates and domains have no streak: their state does not change between checks.
      if (counts(condition.trigger) && condition.streak < rule.consecutiveFailures) continue
      if (about.some((alert) => alert.ruleId === rule.id)) continue
      const shared = since === condition.since ? condition : { ...condition, since }
      decisions.push({ _tag: "Open", rule, condition: shared, channelIds: notifiedBy(rule, channels) })
    }
  }
  return decisions
}

/** During maintenance no alert opens or repeats; open alerts can still close. */
export const suppressed = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  conditions.map((condition) => (condition.state === "holds" ? { ...condition, state: "unclear" } : condition))

const counts = (trigger: Trigger): boolean => trigger === "monitor_down" || trigger === "monitor_degraded"

/** Whether no alert can be open for this state, which is true of most observations and spares the database. */
export const isQuiet = (state: MonitorState): boolean => {
  if (state.status !== "up" || state.blindSince !== null || isStale(state)) return false
  for (const name in state.regions) {
    const { certificate: shown } = state.regions[name]!
    if (shown !== undefined && shown.stage !== "good") return false
  }
  return true
}

/** The conditions that observations decide. */
export const conditionsOf = (state: MonitorState, settings: EvaluationSettings): ReadonlyArray<Condition> => {
  if (state.status === "paused") return []
  const stale: Condition = {
    trigger: "monitor_stale",
    state: isStale(state) ? "holds" : "over",
    streak: 1,
    since: state.staleSince ?? resultAtOf(state) ?? state.judgedAt,
    about: "",
    step: 0
  }
  if (state.status === "pending") return [stale]
  const offline = state.blindSince !== null
  const down: Condition = {
    trigger: "monitor_down",
    state: offline ? "unclear" : state.status === "down" ? "holds" : "over",
    streak: state.streak,
    since: state.since,
    about: "",
    step: 0
  }
  const degraded: Condition = {
    ...down,
    trigger: "monitor_degraded",
    // A monitor that goes from degraded to down has not recovered.
    state: offline || state.status === "down" ? "unclear" : state.status === "degraded" ? "holds" : "over",
    streak: state.unwell
  }
  return [down, degraded, stale, ...certificateConditions(certificate(state, settings), state.judgedAt)]
}

/** The worst of the certificates that the regions saw recently. */
export const certificate = (state: MonitorState, settings: EvaluationSettings): CertificateState | undefined =>
  worst(
    Object.values(state.regions).flatMap((region) =>
      region.certificate !== undefined && state.judgedAt - region.checkedAt <= staleIntervals * settings.intervalMillis
        ? [region.certificate]
        : []
    )
  )

const sslTriggers = [
  ["ssl_expiring", "expiring"],
  ["ssl_expired", "expired"],
  ["ssl_invalid", "invalid"]
] as const

const certificateConditions = (found: CertificateState | undefined, now: EpochMillis): ReadonlyArray<Condition> =>
  found === undefined
    ? []
    : sslTriggers.map(([trigger, stage]) => ({
        trigger,
        // A worse stage is covered by its own trigger, so only a good certificate sends a recovery.
        state: found.stage === stage ? "holds" : found.stage === "good" ? "over" : "unclear",
        streak: 1,
        since: now,
        about: found.fingerprint,
        step: 0
      }))

/** A domain and the expiry of its registration. */
interface Registration {
  readonly domain: string
  readonly expiresAt: EpochMillis
}

/** Default number of days before expiry at which a domain counts as expiring. */
export const defaultDomainThreshold = 30

/** Days left at which the notification about an expiring domain repeats. */
const domainSteps = [7, 1] as const

/** The conditions of the domain triggers. */
export const domainConditions = (
  { domain, expiresAt }: Registration,
  thresholdDays: number,
  now: EpochMillis
): ReadonlyArray<Condition> => {
  const left = expiresAt - now
  const about = `${domain} ${expiresAt}`
  const expired = left <= 0
  const expiring = !expired && left <= thresholdDays * dayMillis
  const step = domainSteps.filter((days) => days < thresholdDays && left <= days * dayMillis).length
  const base = { streak: 1, since: now, about }
  return [
    {
      ...base,
      trigger: "domain_expiring",
      state: expiring ? "holds" : expired ? "unclear" : "over",
      step
    },
    { ...base, trigger: "domain_expired", state: expired ? "holds" : "over", step: 0 }
  ]
}
