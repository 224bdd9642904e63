/** The table `acme_challenges`. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const AnswerRow = Schema.Struct({ key_authorization: Schema.String })

export interface Challenge {
  readonly token: string
  readonly domain: string
  /** The answer that the authority expects. */
  readonly keyAuthorization: string
  readonly expiresAt: EpochMillis
}

export class ChallengeRepository extends Context.Service<
  ChallengeRepository,
  {
    readonly save: (challenge: Challenge) => Effect.Effect<void>
    readonly delete: (token: string) => Effect.Effect<void>
    readonly findAnswer: (domain: string, token: string, now: EpochMillis) => Effect.Effect<string | undefined>
    readonly deleteExpired: (now: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/custom-domains/ChallengeRepository") {
  static readonly layer = Layer.effect(
    ChallengeRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return ChallengeRepository.of({
        save: ({ domain, expiresAt, keyAuthorization, token }) =>
          sql`INSERT INTO acme_challenges (token, domain, key_authorization, expires_at)
            VALUES (${token}, ${domain}, ${keyAuthorization}, ${new Date(expiresAt)})
            ON CONFLICT (token) DO UPDATE SET key_authorization = excluded.key_authorization,
              expires_at = excluded.expires_at`.pipe(Effect.asVoid, Effect.orDie),
        delete: (token) => sql`DELETE FROM acme_challenges WHERE token = ${token}`.pipe(Effect.asVoid, Effect.orDie),
        findAnswer: (domain, token, now) =>
          sql`SELECT key_authorization FROM acme_challenges
            WHERE token = ${token} AND domain = ${domain} AND expires_at > ${new Date(now)}`.pipe(
            Rows.first(AnswerRow),
            Effect.map((row) => row?.key_authorization)
          ),
        deleteExpired: (now) =>
          sql`DELETE FROM acme_challenges WHERE expires_at <= ${new Date(now)}`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
