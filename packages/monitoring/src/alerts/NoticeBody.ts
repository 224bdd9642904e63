/** Composes notices from the facts at the moment of a decision. Pure. */
import type { Notice, NoticeEvent } from "@kanmon/core/Notice"
import { instant } from "@kanmon/domain/Timestamp"
import type { Trigger } from "@kanmon/domain/AlertRule"
import type { Condition, OpenAlert } from "@kanmon/domain/Alerting"
import { type CertificateState, problemInWords } from "@kanmon/domain/Certificate"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import { resultAtOf } from "@kanmon/domain/Staleness"
import type { Observation } from "@kanmon/domain/Observation"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"

/** The project and monitor of a notice. */
export interface Subject {
  readonly project: Notice["project"]
  readonly monitor: Notice["monitor"]
  readonly link: string
}

/** The facts behind a decision, as far as they are known. */
export interface Evidence {
  readonly state?: MonitorState
  readonly observation?: Observation
  readonly certificate?: CertificateState
  readonly domain?: { readonly name: string; readonly expiresAt: EpochMillis }
}

interface About {
  readonly alertId: string
  readonly rule: Notice["rule"]
  readonly severity: Notice["severity"]
  readonly at: EpochMillis
}

/** The notice that opens an alert. Each delivery sets its own id. */
export const opening = (subject: Subject, about: About, condition: Condition, evidence: Evidence): Notice => ({
  id: "",
  alertId: about.alertId,
  event: condition.trigger,
  severity: about.severity,
  at: about.at,
  project: subject.project,
  rule: about.rule,
  monitor: subject.monitor,
  reason: reasonOf(condition.trigger, subject.monitor.target, evidence, about.at),
  startedAt: condition.since,
  durationSeconds: null,
  ...measured(evidence, condition.trigger),
  expiresAt: expiryOf(condition.trigger, evidence),
  overtakesOpening: false,
  reminder: false,
  links: { monitor: subject.link }
})

interface Now {
  readonly at: EpochMillis
  readonly evidence: Evidence
}

/** The notice that repeats an alert: the condition still holds, or holds for another certificate. */
export const repeat = (first: Notice, condition: Condition, alert: OpenAlert, { at, evidence }: Now): Notice => ({
  ...first,
  at,
  reason: reasonOf(condition.trigger, first.monitor.target, evidence, at),
  ...measured(evidence, condition.trigger),
  expiresAt: expiryOf(condition.trigger, evidence),
  reminder: condition.about === alert.about
})

const ends: Record<Trigger, NoticeEvent> = {
  monitor_down: "monitor_up",
  monitor_degraded: "monitor_degraded_recovered",
  monitor_stale: "monitor_stale_recovered",
  ssl_expiring: "ssl_recovered",
  ssl_expired: "ssl_recovered",
  ssl_invalid: "ssl_recovered",
  domain_expiring: "domain_recovered",
  domain_expired: "domain_recovered",
  external: "external_resolved"
}

/** The notice to a channel that joins an open alert: with the current facts. */
export const extension = (first: Notice, condition: Condition, alert: OpenAlert, now: Now): Notice => ({
  ...repeat(first, condition, alert, now),
  reminder: false
})

/** The notice that closes an alert after its condition ended at `over`. */
export const closing = (first: Notice, alert: OpenAlert, over: EpochMillis, { at, evidence }: Now): Notice => ({
  ...first,
  event: ends[alert.trigger],
  at,
  reason: relief(alert.trigger, first.monitor.target, evidence),
  durationSeconds: Math.max(0, Math.round((over - alert.startedAt) / 1000)),
  ...measured(evidence, alert.trigger),
  expiresAt: expiryOf(alert.trigger, evidence)
})

const isAboutChecks = (trigger: Trigger): boolean => trigger === "monitor_down" || trigger === "monitor_degraded"

/** The measurements of a notice that is not about checks. */
export const unmeasured = { regions: [], region: null, statusCode: null, responseTime: null, timing: {} } as const

/** The measurements of the deciding check, and the status of every region. */
const measured = (
  { observation, state }: Evidence,
  trigger: Trigger
): Pick<Notice, "regions" | "region" | "statusCode" | "responseTime" | "timing"> => {
  if (!isAboutChecks(trigger)) return unmeasured
  const statusCode = observation?.facts["statusCode"]
  return {
    regions: Object.entries(state?.regions ?? {})
      .map(([region, { failure, responseTime, status }]) => ({ region, status, responseTime, failure }))
      .sort((one, other) => (one.region < other.region ? -1 : 1)),
    region: observation?.region ?? null,
    statusCode: Number.isInteger(statusCode) ? (statusCode as number) : null,
    responseTime: observation?.responseTime ?? null,
    timing: observation?.timing ?? {}
  }
}

const expiryOf = (trigger: Trigger, { certificate, domain }: Evidence): EpochMillis | null =>
  trigger.startsWith("ssl")
    ? (certificate?.validTo ?? null)
    : trigger.startsWith("domain")
      ? (domain?.expiresAt ?? null)
      : null

const hostOf = (target: string): string => (URL.canParse(target) ? new URL(target).host : target)

const days = (millis: number): string => {
  const count = Math.floor(Math.abs(millis) / dayMillis)
  return count === 0 ? "less than a day" : count === 1 ? "1 day" : `${count} days`
}

const reasonOf = (trigger: Trigger, target: string, evidence: Evidence, now: EpochMillis): string => {
  const { certificate, domain, observation, state } = evidence
  switch (trigger) {
    case "monitor_down":
    case "monitor_degraded": {
      const wanted = trigger === "monitor_down" ? "down" : "degraded"
      const regions = Object.values(state?.regions ?? {})
      return (
        (observation?.status === wanted ? observation.failure?.message : undefined) ??
        regions.find(({ failure, status }) => status === wanted && failure !== null)?.failure?.message ??
        regions.find(({ failure }) => failure !== null)?.failure?.message ??
        ""
      )
    }
    case "monitor_stale": {
      const last = state === undefined ? null : resultAtOf(state)
      const since = last === null ? "No check has had a result yet" : `No check has had a result since ${instant(last)}`
      return `${since}, so its status is unknown`
    }
    case "ssl_expiring":
    case "ssl_expired": {
      const at = certificate?.validTo ?? now
      const left = at - now
      return left > 0
        ? `The certificate of ${hostOf(target)} expires in ${days(left)}, on ${utcDay(at)}`
        : `The certificate of ${hostOf(target)} expired ${days(left)} ago, on ${utcDay(at)}`
    }
    case "ssl_invalid": {
      return `The certificate of ${hostOf(target)} ${problemInWords(certificate?.problem ?? "")}`
    }
    case "external":
      return ""
    case "domain_expiring":
    case "domain_expired": {
      const at = domain?.expiresAt ?? now
      const left = at - now
      return left > 0
        ? `The registration of ${domain?.name ?? hostOf(target)} ends in ${days(left)}, on ${utcDay(at)}`
        : `The registration of ${domain?.name ?? hostOf(target)} ended ${days(left)} ago, on ${utcDay(at)}`
    }
  }
}

const relief = (trigger: Trigger, target: string, { domain, state }: Evidence): string => {
  if (trigger.startsWith("ssl")) return `${hostOf(target)} serves a valid certificate again`
  if (trigger.startsWith("domain")) {
    const until = domain === undefined ? "" : ` until ${utcDay(domain.expiresAt)}`
    return `The registration of ${domain?.name ?? hostOf(target)} was renewed${until}`
  }
  if (trigger === "monitor_stale") return `Its checks have results again: it is ${state?.status ?? "known"}`
  const regions = Object.values(state?.regions ?? {})
  if (trigger === "monitor_down" && state?.status === "degraded") {
    const why = regions.find(({ failure, status }) => status === "degraded" && failure !== null)?.failure?.message
    return why === undefined ? "It answers again, but not well" : `It answers again, but not well: ${why}`
  }
  const failing = regions.filter(({ status }) => status === "down").length
  return failing === 0 ? "All checks pass again" : "Most regions see it pass again"
}
