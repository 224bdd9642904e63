/** First answers to requests that carry an Idempotency-Key, kept encrypted for 24 hours: they may hold secrets. */
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "./Secrets.ts"

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

export type Claim =
  /** Nobody used the key: go on, then `finish` or `abandon`. */
  | { readonly _tag: "Fresh" }
  /** The same request was answered before. */
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  /** The key was used for another request. */
  | { readonly _tag: "Mismatch" }
  /** The same request is being answered right now. */
  | { readonly _tag: "Busy" }

export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** `scope` names the caller, `fingerprint` is a hash over method, path and body. A claim left open is free again after a minute. */
    readonly claim: (scope: string, key: string, fingerprint: string) => Effect.Effect<Claim>
    readonly finish: (scope: string, key: string, answer: StoredAnswer) => Effect.Effect<void>
    /** The request failed in a way that may be tried again. */
    readonly abandon: (scope: string, key: string) => Effect.Effect<void>
  }
>()("@kanmon/store/database/IdempotencyKeys") {
  static readonly layer = Layer.effect(
    IdempotencyKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const record = (scope: string, key: string) => `idempotency:${scope}:${key}`

      const claim: IdempotencyKeys["Service"]["claim"] = Effect.fn("IdempotencyKeys.claim")(function* (
        scope,
        key,
        fingerprint
      ) {
        const now = yield* Clock.currentTimeMillis
        // One statement decides who answers: a key that is forgotten, or whose claim was left open, is claimed anew.
        const claimed = yield* sql`INSERT INTO idempotency_keys AS k (scope, key, fingerprint, claimed_at)
          VALUES (${scope}, ${key}, ${fingerprint}, ${new Date(now)})
          ON CONFLICT (scope, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, claimed_at = EXCLUDED.claimed_at,
            status = NULL, body = NULL, body_encrypted = NULL
          WHERE k.claimed_at < ${new Date(now - keptMillis)}
            OR (k.status IS NULL AND k.claimed_at < ${new Date(now - openMillis)})
          RETURNING 1`
        if (claimed.length > 0) return { _tag: "Fresh" } as const
        const [row] = yield* sql<Row>`SELECT fingerprint, status, body, body_encrypted FROM idempotency_keys
            WHERE scope = ${scope} AND key = ${key}`
        if (row === undefined) return { _tag: "Busy" } as const
        if (row.fingerprint !== fingerprint) return { _tag: "Mismatch" } as const
        if (row.status === null) return { _tag: "Busy" } as const
        const body =
          row.body_encrypted === null ? (row.body ?? "") : secrets.decrypt(row.body_encrypted, record(scope, key))
        return { _tag: "Answered", answer: { status: row.status, body } } as const
      }, Effect.orDie)

      const finish: IdempotencyKeys["Service"]["finish"] = Effect.fn("IdempotencyKeys.finish")((scope, key, answer) =>
        sql`UPDATE idempotency_keys SET status = ${answer.status},
            body_encrypted = ${secrets.encrypt(answer.body, record(scope, key))}
          WHERE scope = ${scope} AND key = ${key}`.pipe(Effect.asVoid, Effect.orDie)
      )

      const abandon: IdempotencyKeys["Service"]["abandon"] = Effect.fn("IdempotencyKeys.abandon")((scope, key) =>
        sql`DELETE FROM idempotency_keys WHERE scope = ${scope} AND key = ${key} AND status IS NULL`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      )

      return IdempotencyKeys.of({ claim, finish, abandon })
    })
  )
}

/** How long an answer is kept, and how long a claim may stay open. */
export const keptMillis = 86_400_000
const openMillis = 60_000

interface Row {
  readonly fingerprint: string
  readonly status: number | null
  /** Only of answers from before they were encrypted. */
  readonly body: string | null
  readonly body_encrypted: string | null
}
