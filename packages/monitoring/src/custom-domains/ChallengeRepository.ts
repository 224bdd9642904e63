/** The table `acme_challenges`. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const AnswerRow = Schema.Struct({ key_authorization: Schema.String })

interface Challenge {
  readonly token: string
  readonly domain: string
  /** The answer that the authority expects. */
  readonly keyAuthorization: string
  readonly expiresAt: EpochMillis
}

export class ChallengeRepository extends Context.Service<ChallengeRepository>()(
  "@kanmon/monitoring/custom-domains/ChallengeRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        save: ({ domain, expiresAt, keyAuthorization, token }: Challenge) =>
          sql`INSERT INTO acme_challenges (token, domain, key_authorization, expires_at)
            VALUES (${token}, ${domain}, ${keyAuthorization}, ${new Date(expiresAt)})
            ON CONFLICT (token) DO UPDATE SET key_authorization = excluded.key_authorization,
              expires_at = excluded.expires_at`.pipe(Effect.asVoid, Effect.orDie),
        delete: (token: string) =>
          sql`DELETE FROM acme_challenges WHERE token = ${token}`.pipe(Effect.asVoid, Effect.orDie),
        findAnswer: (domain: string, token: string, now: EpochMillis) =>
          sql`SELECT key_authorization FROM acme_challenges
            WHERE token = ${token} AND domain = ${domain} AND expires_at > ${new Date(now)}`.pipe(
            Rows.first(AnswerRow),
            Effect.map((row) => row?.key_authorization)
          ),
        deleteExpired: (now: EpochMillis) =>
          sql`DELETE FROM acme_challenges WHERE expires_at <= ${new Date(now)}`.pipe(Effect.asVoid, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ChallengeRepository, ChallengeRepository.make)
}
