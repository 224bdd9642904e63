/** Heartbeats without a deadline, because an earlier release accepted settings that cannot be read any more. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { MonitorId } from "@kanmon/domain/Ids"
import { byName } from "@kanmon/domain/SearchText"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { unreadable } from "./HeartbeatRules.ts"

const monitors = Rows.all(
  Schema.Struct({
    id: MonitorId,
    name: Schema.String,
    type: Schema.String,
    config: Schema.Record(Schema.String, Schema.Json)
  })
)

/** Their monitors with the reason, by name; paused ones are not among them. */
export const unreadableHeartbeats = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { checks } = yield* Catalogue
  const found = yield* monitors(sql`SELECT m.id, m.name, m.type, m.config
    FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id WHERE NOT m.paused`)
  return byName(found).flatMap((monitor) => {
    const failure = unreadable(checks, monitor)
    return failure === undefined ? [] : [{ id: monitor.id, name: monitor.name, why: failure.message }]
  })
})
