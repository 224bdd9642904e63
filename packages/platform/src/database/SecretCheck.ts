/** Refuses a process with a secret that differs from the one that encrypts the secrets in this database. */
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "./Rows.ts"
import { Secrets } from "./Secrets.ts"

/** This process could not read what is encrypted, and the others could not read what it would encrypt. */
export class OtherSecret extends Data.TaggedError("OtherSecret")<{}> {
  override get message(): string {
    return "KANMON_SECRET: This database was made with another secret. Every process of an installation needs the same: the first one's, which is in the file `secret` of its data directory unless KANMON_SECRET was set there."
  }
}

const belongsTo = "installation"

/** Whether nothing is encrypted in this database yet, so that any secret can still be chosen. */
export const isNew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const used = yield* sql`SELECT 1 WHERE EXISTS (SELECT FROM installation) OR EXISTS (SELECT FROM users)`.pipe(Rows.any)
  return !used
})

const CheckRow = Schema.Struct({ secret_check: Schema.String })

const isOwn = ({ secret_check }: { readonly secret_check: string }) =>
  Effect.flatMap(Secrets, (secrets) =>
    Effect.try({ try: () => void secrets.decrypt(secret_check, belongsTo), catch: () => new OtherSecret() })
  )

/** Compares the secret with the recorded one, if there is one, and changes nothing. */
export const compare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const first = yield* Rows.first(CheckRow)(sql`SELECT secret_check FROM installation`)
  if (first !== undefined) yield* isOwn(first)
})

/**
 * Compares the secret with that of the first process. The first process itself runs `keep`, which must store its secret for
 * the next start, and then records the secret.
 */
export const check = <E, R>(
  keep: Effect.Effect<void, E, R>
): Effect.Effect<void, E | OtherSecret, R | Secrets | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const known = sql`SELECT secret_check FROM installation`
    if ((yield* Rows.first(CheckRow)(known)) === undefined) {
      yield* keep
      const own = secrets.encrypt("kanmon", belongsTo)
      yield* Effect.orDie(sql`INSERT INTO installation (secret_check) VALUES (${own}) ON CONFLICT (single) DO NOTHING`)
    }
    // Another process may have been the first in the meantime.
    yield* isOwn(yield* Rows.one(CheckRow)(known))
  })
