/** Previews a monitor's status from one check in each region, with the rules of a real monitor. Pure. */
import type { Trigger } from "./AlertRule.ts"
import { certificate, conditionsOf } from "./Alerting.ts"
import { certificateOf, type CertificateSummary, summarize } from "./Certificate.ts"
import { MonitorId, ProjectId } from "./Ids.ts"
import { initial, evaluate, type EvaluationSettings } from "./StatusEvaluation.ts"
import type { Failure, CheckOutcome } from "./Observation.ts"
import type { RegionStatus } from "./Status.ts"

/** The result of one region. */
export interface TrialOutcome extends CheckOutcome {
  readonly region: string
}

export interface TrialStatus {
  /** `unknown` when no check could be made. */
  readonly status: RegionStatus
  readonly failure: Failure | null
  /** The triggers that hold. How many consecutive failures they need is up to the rules. */
  readonly triggers: ReadonlyArray<Trigger>
  /** The worst certificate that was seen. */
  readonly certificate: CertificateSummary | null
}

const placeholder = { monitorId: MonitorId.make("mon_trial"), projectId: ProjectId.make("prj_trial"), slot: 0 }

/** All rows belong to checks that began at about the same time. */
export const previewStatus = (rows: ReadonlyArray<TrialOutcome>, settings: EvaluationSettings): TrialStatus => {
  const newest = Math.max(...rows.map(({ checkedAt }) => checkedAt))
  let state = initial(newest)
  let failure: Failure | null = null
  for (const row of rows) {
    // Dated to one instant, so that none is stale, however short the interval.
    const evaluation = evaluate(state, { ...placeholder, ...row, scheduledAt: newest, checkedAt: newest }, settings)
    state = evaluation.state
    failure = evaluation.changes.at(-1)?.failure ?? failure
  }
  const { status } = state
  const known = status === "up" || status === "degraded" || status === "down"
  const shown = certificate(state, settings)
  const facts = rows.find((row) => certificateOf(row)?.fingerprint === shown?.fingerprint)?.facts["certificate"]
  return {
    status: known ? status : "unknown",
    failure: status === "up" ? null : known ? failure : (rows[0]?.failure ?? null),
    triggers: conditionsOf(state, settings).flatMap((found) => (found.state === "holds" ? [found.trigger] : [])),
    certificate: (shown === undefined ? undefined : summarize(facts, newest)) ?? null
  }
}
