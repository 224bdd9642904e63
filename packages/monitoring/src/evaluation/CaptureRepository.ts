/** Stores the answers of failing targets: a limited number for each outage. */
import { type Capture, maxOfOutage } from "@kanmon/domain/Capture"
import type { MonitorId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storedCapture } from "./StoredCapture.ts"

/** The capture of one check. */
export interface NewCapture {
  readonly monitorId: MonitorId
  readonly region: string
  readonly scheduledAt: EpochMillis
  readonly checkedAt: EpochMillis
  readonly capture: Capture
  /** When the outage that it belongs to began. */
  readonly outageSince: EpochMillis
}

export class CaptureRepository extends Context.Service<
  CaptureRepository,
  {
    /** Stores captures, as far as their outages have room for them. The states of their monitors must be locked. */
    readonly insert: (captures: ReadonlyArray<NewCapture>) => Effect.Effect<void>
    readonly deleteBefore: (at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/evaluation/CaptureRepository") {
  static readonly layer = Layer.effect(
    CaptureRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CaptureRepository.of({
        insert: Effect.fnUntraced(function* (captures) {
          if (captures.length === 0) return
          const rows = captures.map((one) => ({
            id: one.monitorId,
            region: one.region,
            scheduled_at: toIso(one.scheduledAt),
            captured_at: toIso(one.checkedAt),
            since: toIso(one.outageSince),
            content: storedCapture.encode(one.capture)
          }))
          yield* sql`INSERT INTO captures (monitor_id, region, scheduled_at, captured_at, content)
            SELECT v.id, v.region, v.scheduled_at, v.captured_at, v.content
            FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY scheduled_at, region) AS place
              FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given(id text, region text,
                scheduled_at timestamptz, captured_at timestamptz, since timestamptz, content jsonb)) v
            WHERE v.place + (SELECT count(*) FROM captures c
              WHERE c.monitor_id = v.id AND c.captured_at >= v.since) <= ${maxOfOutage}
            ON CONFLICT DO NOTHING`
        }, Effect.orDie),
        deleteBefore: (at) =>
          sql`DELETE FROM captures WHERE captured_at < ${new Date(at)}`.pipe(Effect.asVoid, Effect.orDie)
      })
    )
  )
}
