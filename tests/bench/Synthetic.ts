/** Synthetic monitors and observations, without probes. */
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Milliseconds. */
export const interval = 10_000

export interface Synthetic {
  readonly monitors: number
  /** Observations of each monitor. */
  readonly rounds: number
  /** Distinguishes them from those of other runs on the same database. */
  readonly tag: string
}

/** Inserts the monitors and returns their observations, round by round. */
export const make = Effect.fnUntraced(function* ({ monitors, rounds, tag }: Synthetic) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date()
  const ids = Array.from({ length: monitors }, (_, index) => MonitorId.make(`mon_${tag}${index}`))
  const projectId = ProjectId.make(`prj_${tag}`)
  yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${`org_${tag}`}, 'B', ${at}, ${at})`
  yield* sql`INSERT INTO projects (id, organization_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
    VALUES (${projectId}, ${`org_${tag}`}, 'B', ${tag}, ${tag}, ${at}, ${at})`
  yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config, created_at, updated_at)
    SELECT id, ${projectId}, id, 'http', 10, 10, '{}', false, '{}', ${at}, ${at} FROM unnest(${ids}::text[]) AS id`
  yield* sql`INSERT INTO monitor_states (monitor_id, status, state) SELECT id, 'pending',
    '{"status":"pending","since":0,"blindSince":null,"judgedAt":0,"lastCheckedAt":null,"streak":0,"unwell":0,"regions":{}}'
    FROM unnest(${ids}::text[]) AS id`
  const begin = Math.floor(Date.now() / interval) * interval - rounds * interval
  return Array.from({ length: rounds }, (_, round) =>
    ids.map((monitorId): Observation => {
      const offset = phase(monitorId, interval)
      const slot = slotOf(begin, offset, interval) + round
      const scheduledAt = slotStart(slot, offset, interval)
      return {
        monitorId,
        projectId,
        region: "eu-west",
        slot,
        scheduledAt,
        checkedAt: scheduledAt + 3,
        finishedAt: scheduledAt + 16,
        status: "up",
        responseTime: 12.5,
        timing: { dns: 0.1, connect: 1.2, firstByte: 9.8, download: 0.4 },
        failure: null,
        facts: { statusCode: 200, address: "127.0.0.1" }
      }
    })
  ).flat()
})

/** Number of stored observations of these monitors. */
export const stored = (tag: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [counted] = yield* sql<{ n: bigint }>`SELECT count(*) AS n FROM observations
      WHERE monitor_id LIKE ${`mon_${tag}%`}`
    return Number(counted!.n)
  })

/** About how many are stored, from a sample of the monitors: counting all of them would take PostgreSQL a part of the work. */
export const storedAbout = ({ monitors, tag }: Omit<Synthetic, "rounds">) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sample = Array.from({ length: Math.ceil(monitors / sampled) }, (_, index) => `mon_${tag}${index * sampled}`)
    const [counted] = yield* sql<{ n: bigint }>`SELECT count(*) AS n FROM observations
      WHERE monitor_id = ANY(${sample}::text[])`
    return (Number(counted!.n) * monitors) / sample.length
  })

/** One of this many monitors is in the sample. */
const sampled = 50
