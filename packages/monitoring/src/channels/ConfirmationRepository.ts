/** The tables of confirmation codes and of confirmed recipients. Both store keyed hashes. */
import { type ChannelId, type OrganizationId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class ConfirmationRepository extends Context.Service<ConfirmationRepository>()(
  "@kanmon/monitoring/channels/ConfirmationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return {
        /** The first owner of the organization that a project belongs to. */
        accountOf: (projectId: ProjectId) =>
          Effect.map(
            firstOwner(sql`SELECT m.user_id AS id FROM projects p
              JOIN organization_members m ON m.organization_id = p.organization_id AND m.role = 'owner'
              WHERE p.id = ${projectId} ORDER BY m.created_at, m.user_id LIMIT 1`),
            (owner) => owner?.id
          ),
        /** Whether the recipient has confirmed for this account, or `address` is the account's own verified e-mail address. */
        isConfirmed: (organizationId: OrganizationId, recipient: string, address: string) =>
          Rows.any(sql`SELECT 1 FROM confirmed_recipients WHERE organization_id = ${organizationId} AND recipient = ${recipient}
            UNION ALL
            SELECT 1 FROM organization_members m JOIN users u ON u.id = m.user_id
            WHERE m.organization_id = ${organizationId} AND u.email_verified AND 'email:' || lower(u.email) = ${address}`),
        /** Whether the address, as recipients have it, is the verified one of an account. */
        isVerified: (address: string) =>
          Rows.any(sql`SELECT 1 FROM users WHERE email_verified AND 'email:' || lower(email) = ${address}`),
        /** Stores the code of a channel's recipient, in place of an older one. */
        saveCode: (channelId: ChannelId, recipient: string, code: string, expiresAt: EpochMillis) =>
          run(sql`WITH earlier AS (DELETE FROM confirmation_codes WHERE channel_id = ${channelId} AND recipient = '')
            INSERT INTO confirmation_codes (channel_id, recipient, code, attempts, expires_at)
            SELECT id, ${recipient}, ${code}, 0, ${new Date(expiresAt)} FROM channels WHERE id = ${channelId}
            ON CONFLICT (channel_id, recipient)
              DO UPDATE SET code = EXCLUDED.code, attempts = 0, expires_at = EXCLUDED.expires_at`),
        // A code without a recipient is of a release in which a channel had one.
        /** Counts a guess and returns the recipient's valid code with its guesses; undefined when no code is valid. */
        countGuess: (channelId: ChannelId, recipient: string, maxGuesses: number, at: EpochMillis) =>
          guessed(sql`UPDATE confirmation_codes SET attempts = attempts + 1
            WHERE channel_id = ${channelId} AND recipient IN (${recipient}, '') AND expires_at > ${new Date(at)} AND attempts < ${maxGuesses}
            RETURNING code, attempts`),
        deleteCode: (channelId: ChannelId, recipient: string) =>
          run(sql`DELETE FROM confirmation_codes WHERE channel_id = ${channelId} AND recipient IN (${recipient}, '')`),
        /** Deletes the codes of a channel, except of these recipients. */
        deleteCodes: (channelId: ChannelId, except: ReadonlyArray<string>) =>
          run(sql`DELETE FROM confirmation_codes
            WHERE channel_id = ${channelId} AND recipient <> ALL(${except}::text[])`),
        /** Remembers a recipient as confirmed for the channel's account. */
        confirmRecipient: (channelId: ChannelId, recipient: string, at: EpochMillis) =>
          run(sql`INSERT INTO confirmed_recipients (organization_id, recipient, confirmed_at)
            SELECT p.organization_id, ${recipient}, ${new Date(at)}
            FROM channels c JOIN projects p ON p.id = c.project_id WHERE c.id = ${channelId}
            ON CONFLICT DO NOTHING`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ConfirmationRepository, ConfirmationRepository.make)
}

const firstOwner = Rows.first(Schema.Struct({ id: UserId }))
const guessed = Rows.first(Schema.Struct({ code: Schema.String, attempts: Schema.Int }))
