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

export class CaptureRepository extends Context.Service<CaptureRepository>()(
  "@kanmon/monitoring/evaluation/CaptureRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** Stores captures, as far as their outages have room for them. The states of their monitors must be locked. */
      insert: Effect.fnUntraced(function* (captures: ReadonlyArray<NewCapture>) {
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
      deleteBefore: (at: EpochMillis) =>
        sql`DELETE FROM captures WHERE captured_at < ${new Date(at)}`.pipe(Effect.asVoid, Effect.orDie)
    }))
  }
) {
  static readonly layer = Layer.effect(CaptureRepository, CaptureRepository.make)
}
