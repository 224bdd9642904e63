/** The rules of API keys of projects and organizations: a bounded number for each, and a secret that is returned once. */
import { type ApiKey, maxApiKeys } from "@kanmon/domain/ApiKey"
import { type ApiKeyId, nextApiKeyId } from "@kanmon/domain/Ids"
import { ApiKeyNotFound, OrganizationNotFound, ProjectNotFound } from "@kanmon/domain/NotFound"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { newApiKey, newOrganizationKey } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { ApiKeyRepository, type KeyOwner } from "./ApiKeyRepository.ts"

/** The project or organization has as many keys as it may have. */
export class TooManyApiKeys extends Data.TaggedError("TooManyApiKeys")<{
  readonly limit: number
  readonly owner: KeyOwner
}> {}

/** The fields of a key that a user sets. */
export type ApiKeyDraft = Pick<ApiKey, "name" | "role" | "expiresAt">

export class ApiKeys extends Context.Service<ApiKeys>()("@kanmon/identity/api-keys/ApiKeys", {
  make: Effect.gen(function* () {
    const repository = yield* ApiKeyRepository
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextApiKeyId, SecureRandom.SecureRandom, random)

    const list = Effect.fn("ApiKeys.list")(function* (owner: KeyOwner, { cursor, limit }: PageOptions) {
      const before = Cursor.decode(cursor)
      return Cursor.page(yield* repository.list(owner, { before, limit: limit + 1 }), limit)
    })

    /** Returns the secret as well, which nothing can show again. */
    const create = Effect.fn("ApiKeys.create")(function* (owner: KeyOwner, draft: ApiKeyDraft) {
      const { actor: createdBy } = yield* CurrentActor
      const createdAt = yield* Clock.currentTimeMillis
      const key: ApiKey = { id: yield* nextId, ...draft, lastUsedAt: null, createdBy, createdAt }
      const apiKey = "projectId" in owner ? newApiKey() : newOrganizationKey()
      const count = yield* repository.lockAndCount(owner)
      if (count === undefined)
        return yield* "projectId" in owner
          ? new ProjectNotFound({ id: owner.projectId })
          : new OrganizationNotFound({ id: owner.organizationId })
      if (count >= maxApiKeys) return yield* new TooManyApiKeys({ limit: maxApiKeys, owner })
      yield* repository.insert(owner, key, apiKey)
      yield* audit.record([{ action: "api_key.created", ...about(owner, key), after: audited(key) }])
      return { ...key, apiKey }
    }, transaction.run)

    /** The key stops working immediately. */
    const remove = Effect.fn("ApiKeys.remove")(function* (owner: KeyOwner, id: ApiKeyId) {
      const removed = yield* repository.remove(owner, id)
      if (removed === undefined) return yield* new ApiKeyNotFound({ id })
      yield* audit.record([{ action: "api_key.deleted", ...about(owner, removed), before: audited(removed) }])
    }, transaction.run)

    /** All keys of the owner stop working immediately. */
    const removeAll = Effect.fn("ApiKeys.removeAll")(function* (owner: KeyOwner) {
      const removed = yield* repository.removeAll(owner)
      yield* audit.record(
        removed.map((key) => ({ action: "api_key.deleted", ...about(owner, key), before: audited(key) }))
      )
    }, transaction.run)

    return { list, create, remove, removeAll }
  })
}) {
  static readonly layer = Layer.effect(ApiKeys, ApiKeys.make).pipe(Layer.provide(ApiKeyRepository.layer))
}

const about = (owner: KeyOwner, { id, name }: ApiKey) => ({ target: { id, name }, ...owner })

const audited = ({ expiresAt, name, role }: ApiKey) => ({
  name,
  role,
  expiresAt: expiresAt === null ? null : toIso(expiresAt)
})
