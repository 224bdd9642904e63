/** Examples of checks on demand and of regions for the OpenAPI document. */
import type { CheckAnswer, RegionCheck, TrialAnswer } from "../CheckBody.ts"
import type { RegionRecord, RegionState } from "../RegionBody.ts"
import { monitor } from "./Examples.ts"

const regionCheck: typeof RegionCheck.Encoded = {
  region: "eu-west",
  probeId: "5f0c7a2e91d4",
  status: "up",
  responseTime: 84,
  timing: { dns: 3, connect: 12, tls: 31, firstByte: 36, download: 2 },
  failure: null,
  facts: { statusCode: 200 },
  checkedAt: "2026-11-20T09:15:00.000Z"
}

export const check: typeof CheckAnswer.Encoded = { monitorId: monitor.id, regions: [regionCheck] }

export const trial: typeof TrialAnswer.Encoded = {
  status: "up",
  failure: null,
  triggers: [],
  certificate: null,
  regions: [regionCheck]
}

const { regions: trialRegions, ...trialEnd } = trial

/** The same test as a stream. */
export const trialStream: string = [
  ["start", { regions: trialRegions.map(({ region }) => region) }] as const,
  ...trialRegions.map((row) => ["region", row] as const),
  ["end", trialEnd] as const
]
  .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  .join("")

export const region: typeof RegionRecord.Encoded = { region: "eu-west", alive: true }

export const regionState: typeof RegionState.Encoded = {
  ...region,
  lastSeenAt: "2026-11-20T09:15:00.000Z",
  monitors: 120,
  onlyHere: 80,
  probes: [
    {
      id: "5f0c7a2e91d4",
      answers: true,
      version: "0.1.0",
      startedAt: "2026-11-18T06:00:00.000Z",
      monitors: 120,
      offline: false,
      clock: { offsetMillis: 3, status: "ok" }
    }
  ]
}
