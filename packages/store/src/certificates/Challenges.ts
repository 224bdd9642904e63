/**
 * Answers to the HTTP-01 challenges of certificate authorities. One server orders, and whichever the authority reaches
 * answers, so they are in the database.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-8.3
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export interface Challenge {
  readonly token: string
  readonly domain: string
  /** What is answered. */
  readonly keyAuthorization: string
  readonly expiresAt: EpochMillis
}

export class Challenges extends Context.Service<
  Challenges,
  {
    readonly put: (challenge: Challenge) => Effect.Effect<void>
    readonly remove: (token: string) => Effect.Effect<void>
    /** The answer to a challenge for this domain that has not expired. */
    readonly answer: (domain: string, token: string) => Effect.Effect<string | undefined>
    /** Forgets what has expired: its order was broken off. */
    readonly prune: Effect.Effect<void>
  }
>()("@kanmon/store/certificates/Challenges") {
  static readonly layer = Layer.effect(
    Challenges,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const put: Challenges["Service"]["put"] = Effect.fn("Challenges.put")(function* (challenge) {
        const { domain, expiresAt, keyAuthorization, token } = challenge
        yield* sql`INSERT INTO acme_challenges (token, domain, key_authorization, expires_at)
          VALUES (${token}, ${domain}, ${keyAuthorization}, ${new Date(expiresAt)})
          ON CONFLICT (token) DO UPDATE SET key_authorization = excluded.key_authorization, expires_at = excluded.expires_at`
      }, Effect.orDie)

      const remove: Challenges["Service"]["remove"] = Effect.fn("Challenges.remove")(
        (token) => sql`DELETE FROM acme_challenges WHERE token = ${token}`,
        Effect.asVoid,
        Effect.orDie
      )

      const answer: Challenges["Service"]["answer"] = Effect.fn("Challenges.answer")(function* (domain, token) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* sql<{ key_authorization: string }>`SELECT key_authorization FROM acme_challenges
          WHERE token = ${token} AND domain = ${domain} AND expires_at > ${now}`
        return row?.key_authorization
      }, Effect.orDie)

      const prune = Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`DELETE FROM acme_challenges WHERE expires_at <= ${now}`
      }).pipe(Effect.orDie, Effect.withSpan("Challenges.prune"))

      return Challenges.of({ put, remove, answer, prune })
    })
  )
}
