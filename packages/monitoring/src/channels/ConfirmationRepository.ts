/** The tables of confirmation codes and of confirmed recipients. Both store keyed hashes. */
import { type ChannelId, type OrganizationId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class ConfirmationRepository extends Context.Service<
  ConfirmationRepository,
  {
    /** The first owner of the organization that a project belongs to. */
    readonly accountOf: (projectId: ProjectId) => Effect.Effect<UserId | undefined>
    /** Whether the recipient has confirmed for this account, or `address` is the account's own verified e-mail address. */
    readonly isConfirmed: (organizationId: OrganizationId, recipient: string, address: string) => Effect.Effect<boolean>
    /** Whether the address, as recipients have it, is the verified one of an account. */
    readonly isVerified: (address: string) => Effect.Effect<boolean>
    /** Stores the code of a channel's recipient, in place of an older one. */
    readonly saveCode: (
      channelId: ChannelId,
      recipient: string,
      code: string,
      expiresAt: EpochMillis
    ) => Effect.Effect<void>
    /** Counts a guess and returns the recipient's valid code with its guesses; undefined when no code is valid. */
    readonly countGuess: (
      channelId: ChannelId,
      recipient: string,
      maxGuesses: number,
      at: EpochMillis
    ) => Effect.Effect<{ readonly code: string; readonly attempts: number } | undefined>
    readonly deleteCode: (channelId: ChannelId, recipient: string) => Effect.Effect<void>
    /** Deletes the codes of a channel, except of these recipients. */
    readonly deleteCodes: (channelId: ChannelId, except: ReadonlyArray<string>) => Effect.Effect<void>
    /** Remembers a recipient as confirmed for the channel's account. */
    readonly confirmRecipient: (channelId: ChannelId, recipient: string, at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/channels/ConfirmationRepository") {
  static readonly layer = Layer.effect(
    ConfirmationRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return ConfirmationRepository.of({
        accountOf: (projectId) =>
          Effect.map(
            firstOwner(sql`SELECT m.user_id AS id FROM projects p
              JOIN organization_members m ON m.organization_id = p.organization_id AND m.role = 'owner'
              WHERE p.id = ${projectId} ORDER BY m.created_at, m.user_id LIMIT 1`),
            (owner) => owner?.id
          ),
        isConfirmed: (organizationId, recipient, address) =>
          Rows.any(sql`SELECT 1 FROM confirmed_recipients WHERE organization_id = ${organizationId} AND recipient = ${recipient}
            UNION ALL
            SELECT 1 FROM organization_members m JOIN users u ON u.id = m.user_id
            WHERE m.organization_id = ${organizationId} AND u.email_verified AND 'email:' || lower(u.email) = ${address}`),
        isVerified: (address) =>
          Rows.any(sql`SELECT 1 FROM users WHERE email_verified AND 'email:' || lower(email) = ${address}`),
        saveCode: (channelId, recipient, code, expiresAt) =>
          run(sql`WITH earlier AS (DELETE FROM confirmation_codes WHERE channel_id = ${channelId} AND recipient = '')
            INSERT INTO confirmation_codes (channel_id, recipient, code, attempts, expires_at)
            SELECT id, ${recipient}, ${code}, 0, ${new Date(expiresAt)} FROM channels WHERE id = ${channelId}
            ON CONFLICT (channel_id, recipient)
              DO UPDATE SET code = EXCLUDED.code, attempts = 0, expires_at = EXCLUDED.expires_at`),
        // A code without a recipient is of a release in which a channel had one.
        countGuess: (channelId, recipient, maxGuesses, at) =>
          guessed(sql`UPDATE confirmation_codes SET attempts = attempts + 1
            WHERE channel_id = ${channelId} AND recipient IN (${recipient}, '') AND expires_at > ${new Date(at)} AND attempts < ${maxGuesses}
            RETURNING code, attempts`),
        deleteCode: (channelId, recipient) =>
          run(sql`DELETE FROM confirmation_codes WHERE channel_id = ${channelId} AND recipient IN (${recipient}, '')`),
        deleteCodes: (channelId, except) =>
          run(sql`DELETE FROM confirmation_codes
            WHERE channel_id = ${channelId} AND recipient <> ALL(${except}::text[])`),
        confirmRecipient: (channelId, recipient, at) =>
          run(sql`INSERT INTO confirmed_recipients (organization_id, recipient, confirmed_at)
            SELECT p.organization_id, ${recipient}, ${new Date(at)}
            FROM channels c JOIN projects p ON p.id = c.project_id WHERE c.id = ${channelId}
            ON CONFLICT DO NOTHING`)
      })
    })
  )
}

const firstOwner = Rows.first(Schema.Struct({ id: UserId }))
const guessed = Rows.first(Schema.Struct({ code: Schema.String, attempts: Schema.Int }))
