/** Simulates other engines: alive, or last seen too long ago. */
import { expirationSeconds, runnerPort } from "@kanmon/platform/cluster/EngineLocks"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const heardAt = (id: string, secondsAgo: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO engine_runners (address, runner, last_heartbeat)
      VALUES (${`${id}:${runnerPort}`}, ${id}, LOCALTIMESTAMP - make_interval(secs => ${secondsAgo}))
      ON CONFLICT (address) DO UPDATE SET last_heartbeat = EXCLUDED.last_heartbeat`
  ).pipe(Effect.asVoid, Effect.orDie)

/** The engine stays alive for longer than any test. */
export const join = (id: string) => heardAt(id, -3600)

/** The engine was last seen so long ago that others consider it dead. */
export const die = (id: string) => heardAt(id, expirationSeconds)
