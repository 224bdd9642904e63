/** Composes notices from the facts at the moment of a decision. Pure. */
import type { Notice, NoticeEvent } from "@kanmon/core/Notice"
import { explainedBy, reason, type Reason } from "@kanmon/domain/Reason"
import type { Trigger } from "@kanmon/domain/AlertRule"
import type { Condition, OpenAlert } from "@kanmon/domain/Alerting"
import { type CertificateState, problemReason } from "@kanmon/domain/Certificate"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import { resultAtOf } from "@kanmon/domain/Staleness"
import type { Failure, Observation } from "@kanmon/domain/Observation"
import { dayMillis, type EpochMillis, toIso } from "@kanmon/domain/Timestamp"

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
  ...told(reasonOf(condition.trigger, subject.monitor.target, evidence, about.at)),
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
  ...withoutReason(first),
  at,
  ...told(reasonOf(condition.trigger, first.monitor.target, evidence, at)),
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
  ...withoutReason(first),
  event: ends[alert.trigger],
  at,
  ...told(relief(alert.trigger, first.monitor.target, evidence)),
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

const daysIn = (millis: number) => {
  const count = Math.floor(Math.abs(millis) / dayMillis)
  return count === 0
    ? ({ days: "less" } as const)
    : count === 1
      ? ({ days: "one" } as const)
      : ({ days: "more", count } as const)
}

/** A reason in a notice. */
type Told = Omit<Reason, "explanation"> & Partial<Pick<Reason, "explanation">>

const told = ({ explanation, message }: Told): Pick<Notice, "reason" | "explanation"> => ({
  reason: message,
  ...(explanation === undefined ? {} : { explanation })
})

const withoutReason = ({ explanation: _, ...notice }: Notice): Notice => notice

const unexplained: Told = { message: "" }

/** Why the checks that an alert is about do not pass. */
const failureOf = (wanted: "down" | "degraded", { observation, state }: Evidence): Failure | undefined => {
  const regions = Object.values(state?.regions ?? {})
  return (
    (observation?.status === wanted ? observation.failure : undefined) ??
    regions.find(({ failure, status }) => status === wanted && failure !== null)?.failure ??
    regions.find(({ failure }) => failure !== null)?.failure ??
    undefined
  )
}

const reasonOf = (trigger: Trigger, target: string, evidence: Evidence, now: EpochMillis): Told => {
  const { certificate, domain, state } = evidence
  switch (trigger) {
    case "monitor_down":
      return failureOf("down", evidence) ?? unexplained
    case "monitor_degraded":
      return failureOf("degraded", evidence) ?? unexplained
    case "monitor_stale": {
      const last = state === undefined ? null : resultAtOf(state)
      return last === null ? reason("never_any_result", {}) : reason("no_result_since", { since: toIso(last) })
    }
    case "ssl_expiring":
    case "ssl_expired": {
      const at = certificate?.validTo ?? now
      const left = at - now
      const parameters = { host: hostOf(target), ...daysIn(left), on: toIso(at) }
      return reason(left > 0 ? "certificate_ends" : "certificate_ended", parameters)
    }
    case "ssl_invalid":
      return problemReason(certificate?.problem ?? "", hostOf(target))
    case "external":
      return unexplained
    case "domain_expiring":
    case "domain_expired": {
      const at = domain?.expiresAt ?? now
      const left = at - now
      const parameters = { domain: domain?.name ?? hostOf(target), ...daysIn(left), on: toIso(at) }
      return reason(left > 0 ? "registration_ends" : "registration_ended", parameters)
    }
  }
}

const relief = (trigger: Trigger, target: string, evidence: Evidence): Told => {
  const { domain, state } = evidence
  if (trigger.startsWith("ssl")) return reason("certificate_valid_again", { host: hostOf(target) })
  if (trigger.startsWith("domain")) {
    const name = domain?.name ?? hostOf(target)
    return domain === undefined
      ? reason("registration_renewed", { domain: name })
      : reason("registration_renewed_until", { domain: name, until: toIso(domain.expiresAt) })
  }
  if (trigger === "monitor_stale") return reason("results_again", { status: state?.status ?? "known" })
  const regions = Object.values(state?.regions ?? {})
  if (trigger === "monitor_down" && state?.status === "degraded") {
    const why = regions.find(({ failure, status }) => status === "degraded" && failure !== null)?.failure ?? null
    return reason("answers_not_well", {}, why === null ? undefined : explainedBy(why))
  }
  const failing = regions.filter(({ status }) => status === "down").length
  return reason(failing === 0 ? "all_pass" : "most_pass", {})
}
