/** Which request of a target stands behind which observation. */
import { type Asked, byTarget, type Evidence, type Observed, type Published } from "./Evidence.ts"

export interface Matches {
  /** The request that an observation of something tells of. */
  readonly request: (row: Observed) => Asked | undefined
  /** Whether any observation tells of this request, a repeated one included. */
  readonly isTold: (request: Asked) => boolean
}

/** The probe reads its clock before it sends the request, the target reads its own when it has come. */
const early = 50
/** A probe may be frozen between the two. */
const latestMillis = 30_000

/** A probe asks a target once at a time, so that the first request from an observation's instant on is its own. */
export const match = (evidence: Evidence): Matches => {
  const asked = byTarget(evidence.asked, evidence.monitors.length)
  const behind = ({ checkedAt, probe, target }: Published): Asked | undefined =>
    asked[target]!.find(
      (one) => one.probe === probe && one.at >= checkedAt - early && one.at <= checkedAt + latestMillis
    )
  const requests = new Map<Observed, Asked>()
  for (const row of evidence.observed) {
    const request = behind(row)
    if (request !== undefined) requests.set(row, request)
  }
  const told = new Set([...requests.values(), ...evidence.repeated.map(behind)])
  return { request: (row) => requests.get(row), isTold: (request) => told.has(request) }
}
