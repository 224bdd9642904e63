/** Accounts as identity providers see them: by the subject that they are connected to, or by their address. */
import { type OrganizationId, UserId, idFrom } from "@kanmon/domain/Ids"
import type { Candidate } from "@kanmon/domain/SingleSignOn"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import * as Rows from "@kanmon/platform/database/Rows"

const AccountRow = Schema.Struct({
  id: UserId,
  email: Schema.String,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  hasPassword: Schema.Boolean,
  isDisabled: Schema.Boolean
})
export type SignOnAccount = Candidate & typeof AccountRow.Type

export class SignOnAccountRepository extends Context.Service<SignOnAccountRepository>()(
  "@kanmon/identity/users/SignOnAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const selected = (condition: Statement.Fragment) =>
        Rows.first(AccountRow)(sql`SELECT u.id, u.email, u.name, u.email_verified AS "emailVerified",
            EXISTS (SELECT 1 FROM accounts p WHERE p.user_id = u.id AND p.password IS NOT NULL) AS "hasPassword",
            u.disabled_at IS NOT NULL AS "isDisabled"
          FROM users u WHERE ${condition} LIMIT 1`)

      /** Lets one transaction after the other decide about an address. */
      const lock = Effect.fn("SignOnAccountRepository.lock")(function* (email: string) {
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sso:${email}`}, 0))`
      }, Effect.orDie)

      const connected = Effect.fn("SignOnAccountRepository.connected")((connection: string, subject: string) =>
        selected(sql`u.id = (SELECT a.user_id FROM accounts a
          WHERE a.provider_id = ${`sso:${connection}`} AND a.account_id = ${subject})`)
      )

      const withAddress = Effect.fn("SignOnAccountRepository.withAddress")((email: string) =>
        selected(sql`lower(u.email) = ${email}`)
      )

      const find = Effect.fn("SignOnAccountRepository.find")((id: UserId) => selected(sql`u.id = ${id}`))

      const insert = Effect.fn("SignOnAccountRepository.insert")(function* (
        { email, id, name }: { readonly id: UserId; readonly email: string; readonly name: string },
        at: EpochMillis
      ) {
        yield* sql`INSERT INTO users ${sql.insert({
          id,
          email,
          name,
          email_verified: true,
          is_admin: false,
          created_at: new Date(at),
          updated_at: new Date(at)
        })}`
      }, Effect.orDie)

      /** Connects an account with a subject, instead of another one of the same connection. */
      const connect = Effect.fn("SignOnAccountRepository.connect")(function* (
        connection: string,
        subject: string,
        userId: UserId,
        at: EpochMillis
      ) {
        const provider = `sso:${connection}`
        yield* sql`DELETE FROM accounts WHERE provider_id = ${provider} AND user_id = ${userId}`
        yield* sql`INSERT INTO accounts ${sql.insert({
          id: idFrom("acc", ulidUnsafe()),
          user_id: userId,
          provider_id: provider,
          account_id: subject,
          created_at: new Date(at),
          updated_at: new Date(at)
        })}`
      }, Effect.orDie)

      const markVerified = Effect.fn("SignOnAccountRepository.markVerified")(function* (id: UserId) {
        yield* sql`UPDATE users SET email_verified = true WHERE id = ${id} AND NOT email_verified`
      }, Effect.orDie)

      const rename = Effect.fn("SignOnAccountRepository.rename")(function* (id: UserId, name: string, at: EpochMillis) {
        yield* sql`UPDATE users SET name = ${name}, updated_at = ${new Date(at)} WHERE id = ${id}`
      }, Effect.orDie)

      /** Notes that an organization provisioned the account: without any row it would count as an interrupted sign-up. */
      const noteProvisioned = Effect.fn("SignOnAccountRepository.noteProvisioned")(function* (
        organizationId: OrganizationId,
        id: UserId,
        at: EpochMillis
      ) {
        yield* sql`INSERT INTO accounts ${sql.insert({
          id: idFrom("acc", ulidUnsafe()),
          user_id: id,
          provider_id: `scim:${organizationId}`,
          account_id: id,
          created_at: new Date(at),
          updated_at: new Date(at)
        })}`
      }, Effect.orDie)

      /** Gives the account another address, which counts as verified. */
      const readdress = Effect.fn("SignOnAccountRepository.readdress")(function* (
        id: UserId,
        email: string,
        at: EpochMillis
      ) {
        yield* sql`UPDATE users SET email = ${email}, email_verified = true, updated_at = ${new Date(at)}
          WHERE id = ${id}`
      }, Effect.orDie)

      /** Forgets whom a connection signs in; addresses connect them again. */
      const disconnect = Effect.fn("SignOnAccountRepository.disconnect")(function* (connection: string) {
        // An account without any row would count as a sign-up that was interrupted, which a stranger may begin again.
        yield* sql`UPDATE accounts SET provider_id = ${`former:${connection}`} WHERE provider_id = ${`sso:${connection}`}`
      }, Effect.orDie)

      return {
        lock,
        connected,
        withAddress,
        find,
        insert,
        connect,
        markVerified,
        rename,
        noteProvisioned,
        readdress,
        disconnect
      }
    })
  }
) {
  static readonly layer = Layer.effect(SignOnAccountRepository, SignOnAccountRepository.make)
}
