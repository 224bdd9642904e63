/** Regions that have had a probe. They stay known while their probes are away, until an operator closes them. */
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const Label = Schema.Struct({ label: Schema.String })
const Use = Schema.Struct({ label: Schema.String, monitors: Schema.Number, onlyHere: Schema.Number })
const BoundMonitor = Schema.Struct({ id: MonitorId, projectId: ProjectId })
const ProbeRegion = Schema.Struct({
  label: Schema.String,
  firstSeenAt: Rows.Time,
  /** When a probe of the region was last known to be alive. */
  lastSeenAt: Rows.Time,
  /** Monitors that name the region. */
  monitors: Schema.Number
})

export class ProbeRegionRepository extends Context.Service<ProbeRegionRepository>()(
  "@kanmon/monitoring/regions/ProbeRegionRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Records that these regions have a probe now; returns the labels of all that ever had one, sorted. */
      const seen = Effect.fn("ProbeRegionRepository.seen")(function* (labels: ReadonlyArray<string>) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* Effect.orDie(sql`INSERT INTO probe_regions (label, first_seen_at, last_seen_at)
            SELECT label, ${now}::timestamptz, ${now}::timestamptz FROM unnest(${labels}::text[]) AS label ORDER BY label
            ON CONFLICT (label) DO UPDATE SET last_seen_at = greatest(probe_regions.last_seen_at, EXCLUDED.last_seen_at)`)
        const rows = yield* Rows.all(Label)(sql`SELECT label FROM probe_regions ORDER BY label`)
        return rows.map(({ label }) => label)
      })

      /** All regions that ever had a probe and were not closed since, by label. */
      const list = Rows.all(ProbeRegion)(sql`SELECT r.label, r.first_seen_at AS "firstSeenAt",
          r.last_seen_at AS "lastSeenAt", (SELECT count(*)::int FROM monitors WHERE r.label = ANY(regions)) AS monitors
        FROM probe_regions r ORDER BY label`)

      /**
       * The number of monitors in each of these regions, and of monitors in no other one. Monitors without regions are
       * checked from all.
       */
      const use = Effect.fn("ProbeRegionRepository.use")((labels: ReadonlyArray<string>) =>
        Rows.all(Use)(sql`SELECT r.label, coalesce(sum(m.monitors), 0)::int AS monitors,
            coalesce(sum(m.monitors) FILTER (WHERE cardinality(m.regions) = 1 OR ${labels.length === 1}), 0)::int
              AS "onlyHere"
          FROM unnest(${labels}::text[]) AS r (label)
          LEFT JOIN (
            SELECT regions, count(*) AS monitors FROM monitors WHERE NOT paused AND NOT passive GROUP BY regions
          ) m ON m.regions = '{}' OR r.label = ANY(m.regions)
          GROUP BY r.label ORDER BY r.label`)
      )

      /** At most `limit` of the monitors that are checked from this region alone. */
      const bound = Effect.fn("ProbeRegionRepository.bound")((label: string, limit: number) =>
        Rows.all(BoundMonitor)(sql`SELECT id, project_id AS "projectId" FROM monitors
            WHERE regions = ${[label]}::text[] ORDER BY id LIMIT ${limit}`)
      )

      /** Forgets the region. A probe that announces itself there opens it again. */
      const close = Effect.fn("ProbeRegionRepository.close")((label: string) =>
        Effect.orDie(Effect.asVoid(sql`DELETE FROM probe_regions WHERE label = ${label}`))
      )

      return { seen, list, use, bound, close }
    })
  }
) {
  static readonly layer = Layer.effect(ProbeRegionRepository, ProbeRegionRepository.make)
}
