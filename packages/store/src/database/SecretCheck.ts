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

/** Remembers the secret with the first process, and compares it with each later one. */
export const check: Effect.Effect<void, OtherSecret, Secrets | SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const own = secrets.encrypt("kanmon", belongsTo)
  yield* sql`INSERT INTO installation (secret_check) VALUES (${own}) ON CONFLICT (single) DO NOTHING`
  const [row] = yield* sql<{ secret_check: string }>`SELECT secret_check FROM installation`
  yield* Effect.try({ try: () => secrets.decrypt(row!.secret_check, belongsTo), catch: () => new OtherSecret() })
}).pipe(Effect.catchTag("SqlError", Effect.die))
