/** Engines as the others see them: alive, or heard of too long ago. */
import { expirationSeconds, runnerPort } from "@kanmon/store/database/EngineLocks"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const heardAt = (id: string, secondsAgo: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO engine_runners (address, runner, last_heartbeat)
      VALUES (${`${id}:${runnerPort}`}, ${id}, LOCALTIMESTAMP - make_interval(secs => ${secondsAgo}))
      ON CONFLICT (address) DO UPDATE SET last_heartbeat = EXCLUDED.last_heartbeat`
  ).pipe(Effect.asVoid, Effect.orDie)

/** The engine gives signs of life for longer than any test runs. */
export const join = (id: string) => heardAt(id, -3600)

/** The engine was killed as long ago as it takes the others to think it gone. */
export const die = (id: string) => heardAt(id, expirationSeconds)
