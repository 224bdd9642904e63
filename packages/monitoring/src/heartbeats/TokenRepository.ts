/** The tokens of passive monitors: created, rotated, and their deadlines updated after changes of their monitors. */
import { fresh } from "@kanmon/domain/Heartbeat"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { hashToken, Secrets } from "@kanmon/platform/database/Secrets"
import { storedHeartbeat } from "./HeartbeatRepository.ts"

export class TokenRepository extends Context.Service<TokenRepository>()(
  "@kanmon/monitoring/heartbeats/TokenRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      /** Inserts the heartbeats of new monitors. */
      const begin = Effect.fn("TokenRepository.begin")(function* (
        monitors: ReadonlyArray<{ readonly id: MonitorId; readonly token: string }>
      ) {
        if (monitors.length === 0) return
        const rows = monitors.map(({ id, token }) => ({
          id,
          token_hash: hashToken(token),
          token_encrypted: secrets.encrypt(token, id),
          heartbeat: storedHeartbeat.encode(fresh)
        }))
        yield* sql`INSERT INTO heartbeats (monitor_id, token_hash, token_encrypted, state)
          SELECT id, token_hash, token_encrypted, heartbeat FROM json_to_recordset(${JSON.stringify(rows)}::json)
            AS g (id text, token_hash text, token_encrypted text, heartbeat jsonb)`
      }, Effect.orDie)

      /** Replaces the token of a passive monitor; false when the project has no such monitor. */
      const replace = Effect.fn("TokenRepository.replace")((projectId: ProjectId, id: MonitorId, token: string) =>
        Rows.any(sql`UPDATE heartbeats h SET token_hash = ${hashToken(token)},
              token_encrypted = ${secrets.encrypt(token, id)}
            FROM monitors m WHERE m.id = h.monitor_id AND m.id = ${id} AND m.project_id = ${projectId} RETURNING m.id`)
      )

      /** Has the deadlines of passive monitors recalculated. */
      const expireDeadlines = Effect.fn("TokenRepository.expireDeadlines")(function* (ids: ReadonlyArray<MonitorId>) {
        yield* sql`UPDATE heartbeats SET stale = true WHERE monitor_id = ANY(${ids}::text[])`
      }, Effect.orDie)

      return { begin, replace, expireDeadlines }
    })
  }
) {
  static readonly layer = Layer.effect(TokenRepository, TokenRepository.make)
}
