/**
 * Regions that have had a probe. They stay known while their probes are away, until an operator closes them.
 */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export interface ProbeRegion {
  readonly label: string
  readonly firstSeenAt: EpochMillis
  /** When a probe of the region was last known to be alive. */
  readonly lastSeenAt: EpochMillis
  /** Monitors that name the region. */
  readonly monitors: number
}

export class ProbeRegions extends Context.Service<
  ProbeRegions,
  {
    /** Notes that these regions have a probe now; returns the labels of all that ever had one, sorted. */
    readonly seen: (labels: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** All regions that ever had a probe and were not closed since, by label. */
    readonly list: Effect.Effect<ReadonlyArray<ProbeRegion>>
    /** Monitors that are checked from this region and from no other; at most `limit`. */
    readonly bound: (
      label: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: MonitorId; readonly projectId: ProjectId }>>
    /** Forgets the region. A probe that announces itself there opens it again. */
    readonly close: (label: string) => Effect.Effect<void>
  }
>()("@kanmon/store/regions/ProbeRegions") {
  static readonly layer = Layer.effect(
    ProbeRegions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const seen: ProbeRegions["Service"]["seen"] = Effect.fn("ProbeRegions.seen")(function* (labels) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`INSERT INTO probe_regions (label, first_seen_at, last_seen_at)
          SELECT label, ${now}::timestamptz, ${now}::timestamptz FROM unnest(${labels}::text[]) AS label ORDER BY label
          ON CONFLICT (label) DO UPDATE SET last_seen_at = greatest(probe_regions.last_seen_at, EXCLUDED.last_seen_at)`
        const rows = yield* sql<{ label: string }>`SELECT label FROM probe_regions ORDER BY label`
        return rows.map(({ label }) => label)
      }, Effect.orDie)

      const list = sql<{ label: string; first_seen_at: Date; last_seen_at: Date; monitors: number }>`SELECT r.*,
          (SELECT count(*)::int FROM monitors WHERE r.label = ANY(regions)) AS monitors
        FROM probe_regions r ORDER BY label`.pipe(
        Effect.map((rows) =>
          rows.map(({ first_seen_at, label, last_seen_at, monitors }) => ({
            label,
            firstSeenAt: first_seen_at.getTime(),
            lastSeenAt: last_seen_at.getTime(),
            monitors
          }))
        ),
        Effect.orDie
      )

      const bound: ProbeRegions["Service"]["bound"] = Effect.fn("ProbeRegions.bound")((label, limit) =>
        Effect.orDie(
          sql<{ id: MonitorId; projectId: ProjectId }>`SELECT id, project_id AS "projectId" FROM monitors
            WHERE regions = ${[label]}::text[] ORDER BY id LIMIT ${limit}`
        )
      )

      const close: ProbeRegions["Service"]["close"] = Effect.fn("ProbeRegions.close")((label) =>
        Effect.orDie(Effect.asVoid(sql`DELETE FROM probe_regions WHERE label = ${label}`))
      )

      return ProbeRegions.of({ seen, list, bound, close })
    })
  )
}
