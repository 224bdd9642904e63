/** The processes that share this database. Each renews its row; a row that is not renewed belongs to a process that has ended. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "../database/Rows.ts"
import { RunningProcess } from "./Disagreement.ts"

export class ProcessRepository extends Context.Service<ProcessRepository>()(
  "@kanmon/platform/processes/ProcessRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Renews the row of a process, and removes those of processes that ended. Times are the database's. */
      const renew = Effect.fn("ProcessRepository.renew")(function* ({ id, roles, settings }: RunningProcess) {
        yield* Effect.orDie(sql`DELETE FROM running_processes WHERE seen_at < now() - interval '1 day'`)
        yield* Effect.orDie(sql`INSERT INTO running_processes (id, roles, settings, seen_at)
            VALUES (${id}, ${roles}::text[], ${JSON.stringify(settings)}::jsonb, now())
            ON CONFLICT (id) DO UPDATE SET roles = EXCLUDED.roles, settings = EXCLUDED.settings, seen_at = now()`)
      })

      return {
        renew,
        remove: (id: string) => Effect.asVoid(Effect.orDie(sql`DELETE FROM running_processes WHERE id = ${id}`)),
        /** The processes that renewed their rows within the last three minutes. */
        running: Rows.all(RunningProcess)(sql`SELECT id, roles, settings FROM running_processes
          WHERE seen_at > now() - interval '3 minutes' ORDER BY id`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProcessRepository, ProcessRepository.make)
}
