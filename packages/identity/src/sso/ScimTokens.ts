/** The rules of provisioning tokens: owner, lifetime, and a secret that is shown once. */
import { nextScimTokenId, type OrganizationId, type ScimTokenId } from "@kanmon/domain/Ids"
import { maxScimTokens, type ScimToken } from "@kanmon/domain/ScimToken"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Plans } from "../billing/index.ts"
import { OrganizationLock } from "../organizations/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { newScimToken } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { type FoundToken, ScimTokenRepository } from "./ScimTokenRepository.ts"
import { SignOnNotIncluded } from "./SignOns.ts"

/** The organization has as many tokens as it may have. */
export class TooManyScimTokens extends Data.TaggedError("TooManyScimTokens")<{ readonly limit: number }> {}

export class ScimTokenNotFound extends Data.TaggedError("ScimTokenNotFound") {}

/** How accurate the time of the last use is, so that a busy token does not write with every request. */
const accuracyMillis = 60_000

/** A token as a request presents it. */
type PresentedToken =
  | ({ readonly _tag: "Valid" } & FoundToken)
  /** The organization is disabled. */
  | { readonly _tag: "Disabled" }
  /** The plan of the organization includes no single sign-on any more. */
  | { readonly _tag: "NotIncluded" }

export class ScimTokens extends Context.Service<ScimTokens>()("@kanmon/identity/sso/ScimTokens", {
  make: Effect.gen(function* () {
    const repository = yield* ScimTokenRepository
    const plans = yield* Plans
    const lock = yield* OrganizationLock
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextScimTokenId, SecureRandom.SecureRandom, random)

    /** Returns the secret as well, which nothing can show again. */
    const create = Effect.fn("ScimTokens.create")(function* (
      id: OrganizationId,
      draft: Pick<ScimToken, "name" | "expiresAt">
    ) {
      const plan = yield* plans.inForce(id)
      if (!plan.sso) return yield* new SignOnNotIncluded({ planId: plan.id, planName: plan.name })
      yield* lock.hold(id)
      const { length } = yield* repository.list(id)
      if (length >= maxScimTokens) return yield* new TooManyScimTokens({ limit: maxScimTokens })
      const { actor: createdBy } = yield* CurrentActor
      const createdAt = yield* Clock.currentTimeMillis
      const record: ScimToken = { id: yield* nextId, ...draft, lastUsedAt: null, createdBy, createdAt }
      const token = newScimToken()
      yield* repository.insert(id, record, token)
      yield* audit.record([{ action: "scim_token.created", ...about(id, record), after: audited(record) }])
      return { ...record, token }
    }, transaction.run)

    /** The token stops working immediately. */
    const remove = Effect.fn("ScimTokens.remove")(function* (id: OrganizationId, token: ScimTokenId) {
      const removed = yield* repository.remove(id, token)
      if (removed === undefined) return yield* new ScimTokenNotFound()
      yield* audit.record([{ action: "scim_token.deleted", ...about(id, removed), before: audited(removed) }])
    }, transaction.run)

    /**
     * The owner of a token; undefined if there is none. Not cached, so that a revoked token stops in every process
     * immediately.
     */
    const present: (token: string) => Effect.Effect<PresentedToken | undefined> = Effect.fn("ScimTokens.present")(
      function* (token) {
        const at = yield* Clock.currentTimeMillis
        const found = yield* repository.find(token, at)
        if (found === undefined) return undefined
        if (found.isDisabled) return { _tag: "Disabled" }
        if (!(yield* plans.inForce(found.organizationId)).sso) return { _tag: "NotIncluded" }
        if (found.lastUsedAt === null || found.lastUsedAt <= at - accuracyMillis)
          yield* repository.markUsed(found.id, at - accuracyMillis, at)
        return { _tag: "Valid", ...found }
      }
    )

    return {
      /** Newest first. */
      list: repository.list,
      create,
      remove,
      present
    }
  })
}) {
  static readonly layer = Layer.effect(ScimTokens, ScimTokens.make).pipe(
    Layer.provide([ScimTokenRepository.layer, OrganizationLock.layer])
  )
}

const about = (organizationId: OrganizationId, { id, name }: ScimToken) => ({ target: { id, name }, organizationId })

const audited = ({ expiresAt, name }: ScimToken) => ({
  name,
  expiresAt: expiresAt === null ? null : toIso(expiresAt)
})
