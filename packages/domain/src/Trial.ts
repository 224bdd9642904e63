/** How a monitor would stand after one check in each of its regions, by the rules of every monitor. Pure. */
import type { Trigger } from "./AlertRule.ts"
import { certificate, conditionsOf } from "./Alerting.ts"
import { certificateOf, type CertificateSummary, summarize } from "./Certificate.ts"
import { MonitorId, ProjectId } from "./Ids.ts"
import { initial, judge, type JudgeSettings } from "./Judge.ts"
import type { Failure, Outcome } from "./Observation.ts"
import type { RegionStatus } from "./Status.ts"

/** What one region found. */
export interface Found extends Outcome {
  readonly region: string
}

export interface Standing {
  /** `unknown` when nobody could look. */
  readonly status: RegionStatus
  readonly failure: Failure | null
  /** The triggers that would hold. How many failures in a row they need is the rules' affair. */
  readonly triggers: ReadonlyArray<Trigger>
  /** The worst that was shown. */
  readonly certificate: CertificateSummary | null
}

const nobody = { monitorId: MonitorId.make("mon_trial"), projectId: ProjectId.make("prj_trial"), slot: 0 }

/** The rows are of checks that began at about the same time. */
export const standing = (rows: ReadonlyArray<Found>, settings: JudgeSettings): Standing => {
  const newest = Math.max(...rows.map(({ checkedAt }) => checkedAt))
  let state = initial(newest)
  let failure: Failure | null = null
  for (const row of rows) {
    // Of one moment: a short interval makes none of them stale.
    const judged = judge(state, { ...nobody, ...row, scheduledAt: newest, checkedAt: newest }, settings)
    state = judged.state
    failure = judged.changes.at(-1)?.failure ?? failure
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
