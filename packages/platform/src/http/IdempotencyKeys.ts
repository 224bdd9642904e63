/** Stored responses to requests with an Idempotency-Key. Encrypted, because they may contain secrets. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "../database/Rows.ts"
import { Secrets } from "../database/Secrets.ts"

interface StoredAnswer {
  readonly status: number
  readonly body: string
}

type Claim =
  /** The key is unused: run the request, then `finish` or `abandon`. */
  | { readonly _tag: "Fresh" }
  /** The same request has a stored response. */
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  /** The key was used for a different request. */
  | { readonly _tag: "Mismatch" }
  /** The same request is in progress. */
  | { readonly _tag: "Busy" }

export class IdempotencyKeys extends Context.Service<IdempotencyKeys>()("@kanmon/platform/http/IdempotencyKeys", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const record = (scope: string, key: string) => `idempotency:${scope}:${key}`

    /** `scope` identifies the caller; `fingerprint` is a hash of method, path and body. An open claim expires after a minute. */
    const claim: (scope: string, key: string, fingerprint: string) => Effect.Effect<Claim> = Effect.fn(
      "IdempotencyKeys.claim"
    )(function* (scope, key, fingerprint) {
      const now = yield* Clock.currentTimeMillis
      // A single statement avoids races. Expired keys and expired claims can be claimed again.
      const claimed = yield* sql`INSERT INTO idempotency_keys AS k (scope, key, fingerprint, claimed_at)
          VALUES (${scope}, ${key}, ${fingerprint}, ${new Date(now)})
          ON CONFLICT (scope, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, claimed_at = EXCLUDED.claimed_at,
            status = NULL, body = NULL, body_encrypted = NULL
          WHERE k.claimed_at < ${new Date(now - keptMillis)}
            OR (k.status IS NULL AND k.claimed_at < ${new Date(now - openMillis)})
          RETURNING 1`
      if (claimed.length > 0) return { _tag: "Fresh" } as const
      const row = yield* stored(sql`SELECT fingerprint, status, body, body_encrypted AS "bodyEncrypted"
          FROM idempotency_keys WHERE scope = ${scope} AND key = ${key}`)
      if (row === undefined) return { _tag: "Busy" } as const
      if (row.fingerprint !== fingerprint) return { _tag: "Mismatch" } as const
      if (row.status === null) return { _tag: "Busy" } as const
      const body =
        row.bodyEncrypted === null ? (row.body ?? "") : secrets.decrypt(row.bodyEncrypted, record(scope, key))
      return { _tag: "Answered", answer: { status: row.status, body } } as const
    }, Effect.orDie)

    const finish = Effect.fn("IdempotencyKeys.finish")((scope: string, key: string, answer: StoredAnswer) =>
      sql`UPDATE idempotency_keys SET status = ${answer.status},
            body_encrypted = ${secrets.encrypt(answer.body, record(scope, key))}
          WHERE scope = ${scope} AND key = ${key}`.pipe(Effect.asVoid, Effect.orDie)
    )

    /** Releases the claim of a request that failed, so that it can be retried. */
    const abandon = Effect.fn("IdempotencyKeys.abandon")((scope: string, key: string) =>
      sql`DELETE FROM idempotency_keys WHERE scope = ${scope} AND key = ${key} AND status IS NULL`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
    )

    return { claim, finish, abandon }
  })
}) {
  static readonly layer = Layer.effect(IdempotencyKeys, IdempotencyKeys.make)
}

/** Retention of responses, and expiry of open claims. */
export const keptMillis = 86_400_000
const openMillis = 60_000

const stored = Rows.first(
  Schema.Struct({
    fingerprint: Schema.String,
    status: Schema.NullOr(Schema.Int),
    /** Only in rows written before responses were encrypted. */
    body: Schema.NullOr(Schema.String),
    bodyEncrypted: Schema.NullOr(Schema.String)
  })
)
