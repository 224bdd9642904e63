/** The tables of contact methods and of the codes that confirm them. Codes are stored as keyed hashes. */
import { ContactMethodId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type LastDelivery, storedLastDelivery } from "../channels/index.ts"
import { type ContactMethodDraft, ContactMethodRow, methodOf } from "./ContactMethodRecords.ts"

export class ContactMethodRepository extends Context.Service<ContactMethodRepository>()(
  "@kanmon/monitoring/contact-methods/ContactMethodRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const stored = methodOf(secrets)
      const columns = methodColumns(sql)
      const from = sql`FROM contact_methods m JOIN users u ON u.id = m.user_id`
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      const first = (statement: Parameters<typeof firstRow>[0]) =>
        Effect.map(firstRow(statement), (row) => (row === undefined ? undefined : stored(row)))
      const sealed = (id: ContactMethodId, { config }: ContactMethodDraft) =>
        secrets.encrypt(JSON.stringify(config), id)

      return {
        /** The methods of accounts, that of the account's e-mail first, then in the order of their creation. */
        ofUsers: (userIds: ReadonlyArray<UserId>) =>
          rows(sql`SELECT ${columns} ${from} WHERE m.user_id = ANY(${userIds}::text[])
            ORDER BY m.user_id, m.type IS NULL DESC, m.id`).pipe(Effect.map((all) => all.map((row) => stored(row)))),
        /** Makes the methods of the accounts' own addresses that are not there yet. */
        ensureAccounts: (userIds: ReadonlyArray<UserId>, at: EpochMillis) =>
          // The id follows from that of the account, so that two processes make one row.
          run(sql`INSERT INTO contact_methods (id, user_id, name, created_at, updated_at)
            SELECT 'ctm_' || substr(id, 5), id, 'Account', ${new Date(at)}, ${new Date(at)}
            FROM users WHERE id = ANY(${userIds}::text[])
              AND NOT EXISTS (SELECT FROM contact_methods m WHERE m.user_id = users.id AND m.type IS NULL)
            ON CONFLICT DO NOTHING`),
        find: (userId: UserId, id: ContactMethodId) =>
          first(sql`SELECT ${columns} ${from} WHERE m.id = ${id} AND m.user_id = ${userId}`),
        /** The same, locked until the transaction ends. */
        lock: (userId: UserId, id: ContactMethodId) =>
          first(sql`SELECT ${columns} ${from} WHERE m.id = ${id} AND m.user_id = ${userId} FOR UPDATE OF m`),
        /** Locks the account, so that its methods are counted and changed by one request at a time. */
        lockAccount: (userId: UserId) =>
          Effect.asVoid(Rows.any(sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`)),
        insert: (userId: UserId, id: ContactMethodId, draft: ContactMethodDraft, at: EpochMillis) =>
          run(sql`INSERT INTO contact_methods
              (id, user_id, name, type, config_encrypted, destination, created_at, updated_at)
            VALUES (${id}, ${userId}, ${draft.name}, ${draft.type}, ${sealed(id, draft)}, ${draft.destination},
              ${new Date(at)}, ${new Date(at)})`),
        /** `reconfigured`: it has to be confirmed again, and its failures and codes are gone. */
        update: Effect.fnUntraced(function* (
          id: ContactMethodId,
          draft: ContactMethodDraft,
          reconfigured: boolean,
          at: EpochMillis
        ) {
          const again = reconfigured
            ? sql`, confirmed_at = NULL, disabled_reason = NULL, failures = 0, resting_until = NULL, last_delivery = NULL`
            : sql``
          yield* sql`UPDATE contact_methods SET name = ${draft.name}, type = ${draft.type},
            config_encrypted = ${sealed(id, draft)}, destination = ${draft.destination},
            updated_at = ${new Date(at)} ${again} WHERE id = ${id}`
          if (reconfigured) yield* sql`DELETE FROM contact_method_codes WHERE contact_method_id = ${id}`
        }, Effect.orDie),
        /** The confirmed methods of these types that lead to a destination and work, with the language of their person. */
        ofDestination: (destination: string, types: ReadonlyArray<string>) =>
          reached(sql`SELECT m.id, m.user_id AS "userId", u.locale ${from} WHERE m.destination = ${destination}
            AND m.type = ANY(${types}::text[]) AND m.confirmed_at IS NOT NULL AND m.disabled_reason IS NULL ORDER BY m.id`),
        /** Switches a method off; returns whether it was on. */
        disable: (id: ContactMethodId, reason: string, at: EpochMillis) =>
          Rows.any(sql`UPDATE contact_methods SET disabled_reason = ${reason}, updated_at = ${new Date(at)}
            WHERE id = ${id} AND disabled_reason IS NULL RETURNING id`),
        remove: (id: ContactMethodId) => run(sql`DELETE FROM contact_methods WHERE id = ${id}`),
        /** Deletes all methods that an account has added; returns them with the address of the account. */
        removeAdded: (userId: UserId) =>
          removed(sql`DELETE FROM contact_methods m USING users u WHERE u.id = m.user_id AND m.user_id = ${userId}
            AND m.type IS NOT NULL RETURNING m.name, m.type, u.email`),
        setConfirmed: Effect.fnUntraced(function* (id: ContactMethodId, at: EpochMillis) {
          yield* sql`UPDATE contact_methods SET confirmed_at = ${new Date(at)} WHERE id = ${id}`
          yield* sql`DELETE FROM contact_method_codes WHERE contact_method_id = ${id}`
        }, Effect.orDie),
        setLastDelivery: (id: ContactMethodId, delivery: LastDelivery) =>
          run(sql`UPDATE contact_methods SET last_delivery = ${JSON.stringify(storedLastDelivery.encode(delivery))}::jsonb
            WHERE id = ${id}`),
        /** Stores a code in the place of an older one. */
        saveCode: (id: ContactMethodId, code: string, expiresAt: EpochMillis) =>
          run(sql`INSERT INTO contact_method_codes (contact_method_id, code, attempts, expires_at)
            SELECT id, ${code}, 0, ${new Date(expiresAt)} FROM contact_methods WHERE id = ${id}
            ON CONFLICT (contact_method_id)
              DO UPDATE SET code = EXCLUDED.code, attempts = 0, expires_at = EXCLUDED.expires_at`),
        /** Counts a guess and returns the valid code with its guesses; undefined when no code is valid. */
        countGuess: (id: ContactMethodId, maxGuesses: number, at: EpochMillis) =>
          guessed(sql`UPDATE contact_method_codes SET attempts = attempts + 1
            WHERE contact_method_id = ${id} AND expires_at > ${new Date(at)} AND attempts < ${maxGuesses}
            RETURNING code, attempts`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ContactMethodRepository, ContactMethodRepository.make)
}

const rows = Rows.all(ContactMethodRow)
const firstRow = Rows.first(ContactMethodRow)
const removed = Rows.all(Schema.Struct({ name: Schema.String, type: Schema.String, email: Schema.String }))
const reached = Rows.all(Schema.Struct({ id: ContactMethodId, userId: UserId, locale: Schema.NullOr(Schema.String) }))
const guessed = Rows.first(Schema.Struct({ code: Schema.String, attempts: Schema.Int }))

/** The columns that `ContactMethodRow` decodes, of methods `m` and their accounts `u`. */
export const methodColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`m.id, m.user_id AS "userId", m.name, m.type, m.config_encrypted AS "configEncrypted", m.destination,
    m.confirmed_at AS "confirmedAt", m.disabled_reason AS "disabledReason", m.last_delivery AS "lastDelivery",
    m.created_at AS "createdAt", m.updated_at AS "updatedAt", u.email, u.email_verified AS "emailVerified"`
