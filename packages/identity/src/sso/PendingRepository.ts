/**
 * Sign-ins on their way to an identity provider and back, tests, and assertions that were used. The key of a row is
 * stored as a digest, and its content is encrypted.
 */
import { OrganizationId } from "@kanmon/domain/Ids"
import type { PendingKey, PendingSignIn } from "./SingleSignOn.ts"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"

const PendingRow = Schema.Struct({
  connection: Schema.String,
  payload: Schema.String,
  callbackPath: Schema.String,
  test: Schema.NullOr(Schema.String)
})

const TestRow = Schema.Struct({
  id: Schema.String,
  outcome: Schema.NullOr(Schema.String),
  createdAt: Rows.Time,
  expiresAt: Rows.Time
})
type TestRow = typeof TestRow.Type

const TicketRow = Schema.Struct({ test: Schema.String, connection: OrganizationId })

/** Longer than an assertion is accepted. */
const assertionMillis = 3_600_000

export class PendingRepository extends Context.Service<PendingRepository>()("@kanmon/identity/sso/PendingRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const stateHash = (state: string) => secrets.digest(`sso-state:${state}`)
    const browserHash = (browser: string | undefined) =>
      browser === undefined ? null : secrets.digest(`sso-browser:${browser}`)

    const insert = Effect.fn("PendingRepository.insert")(function* (
      { browser, state }: PendingKey,
      { callbackPath, connection, payload, test }: PendingSignIn,
      now: EpochMillis,
      until: EpochMillis
    ) {
      const hash = stateHash(state)
      yield* sql`INSERT INTO sign_on_pending ${sql.insert({
        state_hash: hash,
        browser_hash: browserHash(browser),
        connection,
        payload_encrypted: secrets.encrypt(payload, `sso-pending/${hash}`),
        callback_path: callbackPath,
        test_id: test,
        expires_at: new Date(until)
      })}`
      yield* sql`DELETE FROM sign_on_pending WHERE expires_at < ${new Date(now)}`
    }, Effect.orDie)

    /** Deletes the row and returns it. Only one of several concurrent callers gets it. */
    const take = Effect.fn("PendingRepository.take")(function* ({ browser, state }: PendingKey, now: EpochMillis) {
      const hash = stateHash(state)
      const row = yield* Rows.first(PendingRow)(sql`DELETE FROM sign_on_pending
          WHERE state_hash = ${hash} AND browser_hash IS NOT DISTINCT FROM ${browserHash(browser)}
            AND expires_at > ${new Date(now)}
          RETURNING connection, payload_encrypted AS payload, callback_path AS "callbackPath", test_id AS test`)
      return row === undefined ? undefined : { ...row, payload: secrets.decrypt(row.payload, `sso-pending/${hash}`) }
    })

    /** Whether the assertion was not used before. */
    const useAssertion = Effect.fn("PendingRepository.useAssertion")(function* (
      connection: string,
      assertion: string,
      now: EpochMillis
    ) {
      yield* Effect.orDie(sql`DELETE FROM sign_on_assertions WHERE expires_at < ${new Date(now)}`)
      return yield* Rows.any(sql`INSERT INTO sign_on_assertions (assertion_hash, expires_at)
          VALUES (${secrets.digest(`sso-assertion:${connection}:${assertion}`)}, ${new Date(now + assertionMillis)})
          ON CONFLICT DO NOTHING RETURNING 1`)
    })

    const insertTest = Effect.fn("PendingRepository.insertTest")(function* (
      {
        id,
        organizationId,
        ticket
      }: { readonly id: string; readonly organizationId: OrganizationId; readonly ticket: string },
      now: EpochMillis,
      until: EpochMillis
    ) {
      yield* sql`INSERT INTO sign_on_tests ${sql.insert({
        id,
        organization_id: organizationId,
        ticket_hash: secrets.digest(`sso-ticket:${ticket}`),
        created_at: new Date(now),
        expires_at: new Date(until)
      })}`
    }, Effect.orDie)

    const takeTicket = Effect.fn("PendingRepository.takeTicket")((ticket: string, now: EpochMillis) =>
      Rows.first(TicketRow)(sql`UPDATE sign_on_tests SET ticket_used = true
          WHERE ticket_hash = ${secrets.digest(`sso-ticket:${ticket}`)} AND NOT ticket_used AND expires_at > ${new Date(now)}
          RETURNING id AS test, organization_id AS connection`)
    )

    const saveOutcome = Effect.fn("PendingRepository.saveOutcome")(function* (test: string, outcome: string) {
      yield* sql`UPDATE sign_on_tests SET outcome_encrypted = ${secrets.encrypt(outcome, `sso-test/${test}`)}
          WHERE id = ${test}`
    }, Effect.orDie)

    const findTest = Effect.fn("PendingRepository.findTest")(function* (
      organizationId: OrganizationId,
      id: string,
      now: EpochMillis
    ) {
      const row = yield* Rows.first(TestRow)(sql`SELECT id, outcome_encrypted AS outcome, created_at AS "createdAt",
            expires_at AS "expiresAt" FROM sign_on_tests
          WHERE organization_id = ${organizationId} AND id = ${id} AND expires_at > ${new Date(now)}`)
      return row === undefined
        ? undefined
        : { ...row, outcome: row.outcome === null ? null : secrets.decrypt(row.outcome, `sso-test/${id}`) }
    })

    const deleteExpired = Effect.fn("PendingRepository.deleteExpired")(function* (now: EpochMillis) {
      yield* sql`DELETE FROM sign_on_pending WHERE expires_at < ${new Date(now)}`
      yield* sql`DELETE FROM sign_on_tests WHERE expires_at < ${new Date(now)}`
      yield* sql`DELETE FROM sign_on_assertions WHERE expires_at < ${new Date(now)}`
    }, Effect.orDie)

    return {
      insert,
      take,
      useAssertion,
      insertTest,
      takeTicket,
      saveOutcome,
      findTest,
      deleteExpired
    }
  })
}) {
  static readonly layer = Layer.effect(PendingRepository, PendingRepository.make)
}
