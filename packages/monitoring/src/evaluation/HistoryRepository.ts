/** Reads a monitor and what its observations say of it. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { Facts } from "@kanmon/domain/Observation"
import { MonitorStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { horizonOf, type MovedResult, ResultBlockRepository, resultsOf } from "./ResultBlockRepository.ts"
import type { MeasuredMonitor } from "./StatusHistory.ts"
import { shownStatus } from "./StatusHistoryRepository.ts"
import { storedState } from "./StoredState.ts"

/** A monitor with a requested history. */
export interface MonitorRecord extends MeasuredMonitor {
  readonly status: MonitorStatus
  readonly lastCheckedAt: EpochMillis | null
}

export class HistoryRepository extends Context.Service<
  HistoryRepository,
  {
    /** A monitor of a project as people see it at an instant; undefined when there is none. */
    readonly find: (projectId: ProjectId, id: MonitorId, now: EpochMillis) => Effect.Effect<MonitorRecord | undefined>
    /** The certificate in the newest check that saw one, for monitors that have one. */
    readonly certificates: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, Schema.Json>>
    /** The mean response time in milliseconds of the checks that were due after an instant; null when there are none. */
    readonly meanResponseTime: (id: MonitorId, after: EpochMillis) => Effect.Effect<number | null>
  }
>()("@kanmon/monitoring/evaluation/HistoryRepository") {
  static readonly layer = Layer.effect(
    HistoryRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocks = yield* ResultBlockRepository

      return HistoryRepository.of({
        find: (projectId, id, now) =>
          Effect.map(
            monitor(sql`SELECT m.id, m.vote_seconds::double precision AS "voteSeconds", m.regions,
                ${shownStatus(sql, now)} AS status, s.last_checked_at AS "lastCheckedAt", s.state
              FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
              WHERE m.id = ${id} AND m.project_id = ${projectId}`),
            (row) => row && { ...row, state: storedState.decode(row.state) }
          ),
        // Only monitors that were shown one are looked into. Its newest check may not have come as far as the certificate.
        certificates: Effect.fnUntraced(function* (ids) {
          const rows = yield* certificates(sql`SELECT s.monitor_id AS id, s.last_checked_at - interval '1 day' AS since,
              o.scheduled_at AS at, o.certificate
            FROM monitor_states s LEFT JOIN LATERAL (
              SELECT scheduled_at, facts->'certificate' AS certificate FROM observations
              WHERE monitor_id = s.monitor_id AND scheduled_at >= s.last_checked_at - interval '1 day'
                AND facts ? 'certificate' ORDER BY scheduled_at DESC LIMIT 1) o ON true
            WHERE s.monitor_id = ANY(${ids}::text[]) AND s.last_checked_at IS NOT NULL
              AND jsonb_path_exists(s.state, '$.regions.*.certificate')`)
          const found = new Map(rows.flatMap(({ at, certificate, id }) => (at === null ? [] : [[id, certificate]])))
          // Monitors without one of the present hour may have a newer one in a block: all of them are looked for together.
          const horizon = horizonOf(yield* Clock.currentTimeMillis)
          let open = rows.flatMap(({ at, id, since }) => {
            const from = at === null ? since : at + 1
            return from < horizon ? [{ id, from, to: horizon }] : []
          })
          for (let skipped = 0; open.length > 0; skipped++) {
            const next = new Map((yield* blocks.latest(open, skipped)).map((block) => [block.monitorId, block]))
            open = open.flatMap((span) => {
              const block = next.get(span.id)
              if (block === undefined || block.lastAt < span.from) return []
              const newest = newestCertificate(resultsOf([block], { spans: [span], detail: "brief" }))
              if (newest === undefined) return [span]
              found.set(span.id, newest.certificate)
              // A block of another region may have a newer one.
              return [{ ...span, from: newest.at + 1 }]
            })
          }
          return found
        }),
        meanResponseTime: (id, after) =>
          Effect.map(
            blocks.within({ ids: [id], spans: [{ from: after + 1, to: Infinity }], detail: "times" }, (results) =>
              mean(sql`SELECT avg(response_time) AS value FROM ${results} r
                WHERE monitor_id = ${id} AND scheduled_at > ${new Date(after)}`)
            ),
            ({ value }) => value
          )
      })
    })
  ).pipe(Layer.provide(ResultBlockRepository.layer))
}

/** The certificate in the newest of the results that has one, and when that was due. */
const newestCertificate = (
  results: ReadonlyArray<MovedResult>
): { readonly at: EpochMillis; readonly certificate: Schema.Json } | undefined => {
  for (const { facts, scheduledAt } of results.toSorted((one, other) => other.scheduledAt - one.scheduledAt)) {
    if (facts === null || !facts.includes('"certificate"')) continue
    const { certificate } = decodeFacts(facts)
    if (certificate !== undefined) return { at: scheduledAt, certificate }
  }
  return undefined
}

const monitor = Rows.first(
  Schema.Struct({
    id: MonitorId,
    voteSeconds: Schema.Finite,
    regions: Schema.Array(Schema.String),
    status: MonitorStatus,
    lastCheckedAt: Schema.NullOr(Rows.Time),
    state: Schema.Unknown
  })
)
const certificates = Rows.all(
  Schema.Struct({
    id: MonitorId,
    since: Rows.Time,
    at: Schema.NullOr(Rows.Time),
    certificate: Schema.NullOr(Schema.Json)
  })
)
const decodeFacts = Schema.decodeUnknownSync(Schema.fromJsonString(Facts))
const mean = Rows.one(Schema.Struct({ value: Schema.NullOr(Schema.Finite) }))
