/** Test sign-ins: an owner goes to the identity provider and back, and sees everything that it says. Nothing changes. */
import { randomBytes } from "node:crypto"
import type { SignOnConnection, TestOutcome } from "./SingleSignOn.ts"
import { idFrom, type OrganizationId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { Admissions } from "./Admissions.ts"
import { PendingRepository } from "./PendingRepository.ts"

/** How long a test can be begun, and how long its result is kept. */
const validMillis = 3_600_000
const maxShown = 64 * 1024

const Outcome = Schema.Struct({
  succeeded: Schema.Boolean,
  problem: Schema.NullOr(Schema.String),
  conclusion: Schema.String,
  claims: Schema.Record(Schema.String, Schema.Json)
})
const Stored = Schema.fromJsonString(Outcome)
const encode = Schema.encodeSync(Stored)
const decode = Schema.decodeSync(Stored)

export interface SignOnTest {
  readonly id: string
  /** Null until the identity provider has answered. */
  readonly outcome: typeof Outcome.Type | null
  readonly createdAt: EpochMillis
  readonly expiresAt: EpochMillis
}

export class SignOnTests extends Context.Service<SignOnTests>()("@kanmon/identity/sso/SignOnTests", {
  make: Effect.gen(function* () {
    const pending = yield* PendingRepository
    const admissions = yield* Admissions
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom

    /** The ticket begins the test in one browser, once. */
    const start = Effect.fn("SignOnTests.start")(function* (organizationId: OrganizationId, name: string) {
      const id = idFrom("sst", yield* random.ulid)
      const ticket = randomBytes(32).toString("base64url")
      const createdAt = yield* Clock.currentTimeMillis
      const expiresAt = createdAt + validMillis
      yield* pending.insertTest({ id, organizationId, ticket }, createdAt, expiresAt)
      yield* audit.record([{ action: "sso.tested", target: { id: organizationId, name }, organizationId }])
      return { test: { id, outcome: null, createdAt, expiresAt }, ticket }
    }, transaction.run)

    const find = Effect.fn("SignOnTests.find")(function* (organizationId: OrganizationId, id: string) {
      const row = yield* pending.findTest(organizationId, id, yield* Clock.currentTimeMillis)
      return row === undefined ? undefined : { ...row, outcome: row.outcome === null ? null : decode(row.outcome) }
    })

    /** Keeps the result, and returns what the sign-in would have led to. */
    const finish = Effect.fn("SignOnTests.finish")(function* (
      test: string,
      connection: SignOnConnection,
      { claims, identity, problem }: TestOutcome
    ) {
      const conclusion = identity === undefined ? "" : yield* admissions.predict(connection, identity)
      const text = JSON.stringify(claims)
      const shown = text.length > maxShown ? { omitted: "The identity provider said more than can be kept." } : claims
      yield* pending.saveOutcome(
        test,
        encode({
          succeeded: problem === undefined,
          problem: problem ?? null,
          conclusion,
          claims: JSON.parse(JSON.stringify(shown)) as Record<string, Schema.Json>
        })
      )
      return conclusion
    })

    return { start, find, finish }
  })
}) {
  static readonly layer = Layer.effect(SignOnTests, SignOnTests.make).pipe(Layer.provide(Admissions.layer))
}
