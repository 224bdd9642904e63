/** Notices a process that was given another secret than the one under which this database's secrets are encrypted. */
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "./Secrets.ts"

/** What is stored encrypted could not be read, and what would be stored could not be read by the others. */
export class OtherSecret extends Data.TaggedError("OtherSecret")<{}> {
  override get message(): string {
    return "KANMON_SECRET: This database was made with another secret. Every process of an installation needs the same: the first one's, which is in the file `secret` of its data directory unless KANMON_SECRET was set there."
  }
}

const belongsTo = "installation"

/** Whether nothing is encrypted in this database yet, so that any secret can still be chosen. */
export const isNew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ found: boolean }>`SELECT EXISTS (SELECT FROM installation)
    OR EXISTS (SELECT FROM users) AS found`
  return row?.found !== true
}).pipe(Effect.orDie)

/**
 * Compares the secret with the one of the first process. The first process itself is remembered, after `keep` has made sure
 * that its secret will be there at the next start.
 */
export const check = <E, R>(
  keep: Effect.Effect<void, E, R>
): Effect.Effect<void, E | OtherSecret, R | Secrets | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const known = Effect.map(
      Effect.orDie(sql<{ secret_check: string }>`SELECT secret_check FROM installation`),
      ([row]) => row?.secret_check
    )
    if ((yield* known) === undefined) {
      yield* keep
      const own = secrets.encrypt("kanmon", belongsTo)
      yield* Effect.orDie(sql`INSERT INTO installation (secret_check) VALUES (${own}) ON CONFLICT (single) DO NOTHING`)
    }
    // Another process may have been the first meanwhile.
    const first = (yield* known)!
    yield* Effect.try({ try: () => secrets.decrypt(first, belongsTo), catch: () => new OtherSecret() })
  })
