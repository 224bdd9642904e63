/**
 * Codes by which recipients of channels agree to get notifications, and who has agreed. Codes and recipients are kept as keyed
 * hashes; a code holds for a day and for five guesses.
 */
import type { Recipient } from "@kanmon/core/Recipient"
import type { ChannelId, ProjectId, UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../database/Secrets.ts"
import { type ChannelRow, readChannel, type StoredChannel } from "./Channels.ts"

const codeMillis = dayMillis
/** Guesses at one code. */
const mostGuesses = 5

/** What came of a code that was entered. `wrong`: `guessesLeft` more may be made. `none`: no code holds any more. */
export type Entered =
  { readonly _tag: "Confirmed" } | { readonly _tag: "Wrong"; readonly guessesLeft: number } | { readonly _tag: "None" }

export class Confirmations extends Context.Service<
  Confirmations,
  {
    /** The account that a project belongs to, whose recipient this is. */
    readonly ownerOf: (projectId: ProjectId) => Effect.Effect<UserId | undefined>
    /** Whether the recipient has confirmed for this account before, or is its own verified e-mail address. */
    readonly isKnown: (userId: UserId, recipient: Recipient) => Effect.Effect<boolean>
    /** Keeps the code that was sent to a recipient, in the place of an older one. */
    readonly keepCode: (channelId: ChannelId, recipient: Recipient, code: string) => Effect.Effect<void>
    /**
     * Enters a code for whoever is the channel's recipient at that moment. Of several at once each counts. The right one
     * confirms the channel, and the recipient for the account; a channel that waits for none stays as it is.
     */
    readonly enter: (
      channelId: ChannelId,
      recipientIn: (channel: StoredChannel) => Recipient | undefined,
      code: string
    ) => Effect.Effect<Entered>
    /** The hash under which messages to a recipient are counted. */
    readonly nameOf: (recipient: Recipient) => string
  }
>()("@kanmon/store/alerts/Confirmations") {
  static readonly layer = Layer.effect(
    Confirmations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const hashOf = ({ address }: Recipient) => secrets.digest(`recipient:${address}`)
      const codeOf = (channelId: ChannelId, { address }: Recipient, code: string) =>
        secrets.digest(`confirmation:${channelId}:${code}:${address}`)
      const read = readChannel(secrets)

      const ownerOf: Confirmations["Service"]["ownerOf"] = Effect.fn("Confirmations.ownerOf")((projectId) =>
        sql<{ user_id: UserId }>`SELECT user_id FROM projects WHERE id = ${projectId}`.pipe(
          Effect.map(([row]) => row?.user_id),
          Effect.orDie
        )
      )

      const isKnown: Confirmations["Service"]["isKnown"] = Effect.fn("Confirmations.isKnown")((userId, recipient) =>
        sql`SELECT 1 FROM confirmed_recipients WHERE user_id = ${userId} AND recipient = ${hashOf(recipient)}
          UNION ALL
          SELECT 1 FROM users WHERE id = ${userId} AND email_verified AND 'email:' || lower(email) = ${recipient.address}`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )
      )

      const keepCode: Confirmations["Service"]["keepCode"] = Effect.fn("Confirmations.keepCode")(function* (
        channelId,
        recipient,
        code
      ) {
        const expiresAt = new Date((yield* Clock.currentTimeMillis) + codeMillis)
        yield* sql`INSERT INTO confirmation_codes (channel_id, code, attempts, expires_at)
            SELECT id, ${codeOf(channelId, recipient, code)}, 0, ${expiresAt} FROM channels WHERE id = ${channelId}
            ON CONFLICT (channel_id) DO UPDATE SET code = EXCLUDED.code, attempts = 0, expires_at = EXCLUDED.expires_at`
      }, Effect.orDie)

      const enter: Confirmations["Service"]["enter"] = Effect.fn("Confirmations.enter")(function* (
        channelId,
        recipientIn,
        code
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            // Held until the end: the recipient must not become another one between the guess and what it confirms.
            const [channel] = yield* sql<ChannelRow>`SELECT * FROM channels WHERE id = ${channelId} FOR UPDATE`
            if (channel !== undefined && channel.confirmation !== "pending") return { _tag: "Confirmed" } as const
            const recipient = channel === undefined ? undefined : recipientIn(read(channel))
            const [row] = yield* sql<{ code: string; attempts: number }>`UPDATE confirmation_codes
                SET attempts = attempts + 1
                WHERE channel_id = ${channelId} AND expires_at > ${now} AND attempts < ${mostGuesses}
                RETURNING code, attempts`
            if (row === undefined || recipient === undefined) return { _tag: "None" } as const
            if (row.code !== codeOf(channelId, recipient, code))
              return { _tag: "Wrong", guessesLeft: mostGuesses - row.attempts } as const
            yield* sql`DELETE FROM confirmation_codes WHERE channel_id = ${channelId}`
            yield* sql`UPDATE channels SET confirmation = 'confirmed', confirmed_at = ${now} WHERE id = ${channelId}`
            yield* sql`INSERT INTO confirmed_recipients (user_id, recipient, confirmed_at)
                SELECT p.user_id, ${hashOf(recipient)}, ${now}
                FROM channels c JOIN projects p ON p.id = c.project_id WHERE c.id = ${channelId}
                ON CONFLICT DO NOTHING`
            return { _tag: "Confirmed" } as const
          })
        )
      }, Effect.orDie)

      return Confirmations.of({
        ownerOf,
        isKnown,
        keepCode,
        enter,
        nameOf: ({ counted }) => secrets.digest(`counted:${counted}`)
      })
    })
  )
}
