/**
 * Which alerts open, close and repeat. Pure: the conditions a monitor meets, its project's rules and its open alerts in;
 * decisions out. At most one alert is open for a rule, a monitor and a trigger. Deciding again on what was decided changes
 * nothing, so a batch that comes twice does no harm.
 */
import type { AlertRule, Trigger } from "./AlertRule.ts"
import { type CertificateState, worst } from "./Certificate.ts"
import type { ChannelId, MonitorId, RuleId } from "./Ids.ts"
import { type JudgeState, type JudgeSettings, staleIntervals } from "./Judge.ts"
import { isStale, resultAtOf } from "./Staleness.ts"
import { dayMillis, type EpochMillis } from "./Timestamp.ts"

/** How one trigger stands for one monitor. */
export interface Condition {
  readonly trigger: Trigger
  /** `holds` opens and keeps, `over` closes, `unclear` (between the two, or nobody knows) keeps what is open. */
  readonly state: "holds" | "over" | "unclear"
  /** Failures in a row, where that counts. */
  readonly streak: number
  /** Since when it holds, or is over. */
  readonly since: EpochMillis
  /** What the alert is about (a certificate, a registration): people are told of another one again. */
  readonly about: string
  /** The step within one alert: a new one repeats the notice (a domain at 7 days, at 1 day). */
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
  /** Channels that the rule was given since the alert opened: they are notified of it, and later of its end. */
  | {
      readonly _tag: "Extend"
      readonly alert: OpenAlert
      readonly condition: Condition
      readonly channelIds: ReadonlyArray<ChannelId>
    }
  /** Over: people are told. */
  | { readonly _tag: "Close"; readonly alert: OpenAlert; readonly at: EpochMillis }
  /** The rule no longer watches this: closed without a word. */
  | { readonly _tag: "Drop"; readonly alert: OpenAlert }
  | { readonly _tag: "Repeat"; readonly alert: OpenAlert; readonly condition: Condition }

/** Whether the rule watches this monitor at all. */
export const watches = (rule: Pick<AlertRule, "monitorIds">, monitorId: MonitorId): boolean =>
  rule.monitorIds.length === 0 || rule.monitorIds.includes(monitorId)

/**
 * What to do about one monitor. Conditions that are not given were not looked at: their alerts stay as they are. `channels` are
 * all of the project's, which a rule without channels of its own notifies.
 */
export const decide = (
  monitorId: MonitorId,
  conditions: ReadonlyArray<Condition>,
  rules: ReadonlyArray<AlertRule>,
  open: ReadonlyArray<OpenAlert>,
  channels: ReadonlyArray<ChannelId>
): ReadonlyArray<Decision> => {
  const decisions: Array<Decision> = []
  const watching = (ruleId: RuleId, trigger: Trigger): AlertRule | undefined =>
    rules.find((rule) => rule.id === ruleId && watches(rule, monitorId) && rule.triggers.includes(trigger))

  const notifiedBy = ({ channelIds }: AlertRule): ReadonlyArray<ChannelId> =>
    channelIds.length === 0 ? channels : channels.filter((own) => channelIds.includes(own))

  for (const condition of conditions) {
    const about = open.filter((alert) => alert.trigger === condition.trigger)
    for (const alert of about) {
      const rule = watching(alert.ruleId, alert.trigger)
      if (rule === undefined) decisions.push({ _tag: "Drop", alert })
      else if (condition.state === "over") decisions.push({ _tag: "Close", alert, at: condition.since })
      else if (condition.state === "holds") {
        if (alert.about !== condition.about || condition.step > alert.step)
          decisions.push({ _tag: "Repeat", alert, condition })
        const channelIds = notifiedBy(rule).filter((id) => !alert.channelIds.includes(id))
        if (channelIds.length > 0) decisions.push({ _tag: "Extend", alert, condition, channelIds })
      }
    }
    if (condition.state !== "holds") continue
    for (const rule of rules) {
      if (!watches(rule, monitorId) || !rule.triggers.includes(condition.trigger)) continue
      // Streaks count checks; certificates and domains are not checked again by waiting.
      if (counts(condition.trigger) && condition.streak < rule.consecutiveFailures) continue
      if (about.some((alert) => alert.ruleId === rule.id)) continue
      decisions.push({ _tag: "Open", rule, condition, channelIds: notifiedBy(rule) })
    }
  }
  return decisions
}

/** During maintenance nothing opens and nobody is reminded; what is open may still come to its end. */
export const suppressed = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  conditions.map((condition) => (condition.state === "holds" ? { ...condition, state: "unclear" } : condition))

const counts = (trigger: Trigger): boolean => trigger === "monitor_down" || trigger === "monitor_degraded"

/** Nothing holds of this state that an alert could be open about: most observations leave it so. */
export const isQuiet = (state: JudgeState): boolean => {
  if (state.status !== "up" || state.blindSince !== null || isStale(state)) return false
  for (const name in state.regions) {
    const { certificate: shown } = state.regions[name]!
    if (shown !== undefined && shown.stage !== "good") return false
  }
  return true
}

/** How a monitor's judged state stands to every trigger that observations decide. */
export const conditionsOf = (state: JudgeState, settings: JudgeSettings): ReadonlyArray<Condition> => {
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
  const blind = state.blindSince !== null
  const down: Condition = {
    trigger: "monitor_down",
    state: blind ? "unclear" : state.status === "down" ? "holds" : "over",
    streak: state.streak,
    since: state.since,
    about: "",
    step: 0
  }
  const degraded: Condition = {
    ...down,
    trigger: "monitor_degraded",
    // One that went from bad to worse is not well again.
    state: blind || state.status === "down" ? "unclear" : state.status === "degraded" ? "holds" : "over",
    streak: state.unwell
  }
  return [down, degraded, stale, ...certificateConditions(certificate(state, settings), state.judgedAt)]
}

/** The certificate that matters: the worst of those that the regions were lately shown. */
export const certificate = (state: JudgeState, settings: JudgeSettings): CertificateState | undefined =>
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
        // From bad to worse is another alert's affair: only a good certificate ends it with a word.
        state: found.stage === stage ? "holds" : found.stage === "good" ? "over" : "unclear",
        streak: 1,
        since: now,
        about: found.fingerprint,
        step: 0
      }))

/** A domain and the end of its registration. */
interface Registration {
  readonly domain: string
  readonly expiresAt: EpochMillis
}

/** Days before its end from which a domain counts as expiring, unless the monitor says otherwise. */
export const defaultDomainThreshold = 30

/** A domain is told of again when so many days are left. */
const domainSteps = [7, 1] as const

/** How a registration stands to the triggers about domains. */
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
