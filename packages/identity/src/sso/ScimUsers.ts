/**
 * The people whom an organization's identity provider provisions. It speaks for the domains that the organization has proven, as
 * with single sign-on: accounts with other addresses are neither made nor touched.
 */
import { nextUserId, type OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { emailOf, type Fields, nameOf, readUser, ScimRefused, type ScimUser, wrong } from "@kanmon/domain/Scim"
import { equalTo } from "@kanmon/domain/ScimFilter"
import * as ScimPatch from "@kanmon/domain/ScimPatch"
import { admit as decide, domainOf } from "@kanmon/domain/SingleSignOn"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { OrganizationLock } from "../organizations/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import { ScimGroupRepository } from "./ScimGroupRepository.ts"
import { ScimMembers } from "./ScimMembers.ts"
import { checkVersion, pageOf, type ScimCollection, type ScimPlace, userResource } from "./ScimResources.ts"
import { type ProvisionedUser, ScimUserRepository } from "./ScimUserRepository.ts"
import { type SignOnAccount, SignOnAccountRepository } from "../users/index.ts"

export class ScimUsers extends Context.Service<ScimUsers, ScimCollection>()("@kanmon/identity/sso/ScimUsers") {
  static readonly layer = Layer.effect(
    ScimUsers,
    Effect.gen(function* () {
      const people = yield* ScimUserRepository
      const groups = yield* ScimGroupRepository
      const accounts = yield* SignOnAccountRepository
      const connections = yield* ConnectionRepository
      const members = yield* ScimMembers
      const lock = yield* OrganizationLock
      const transaction = yield* Transaction
      const audit = yield* AuditLog
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextUserId, SecureRandom.SecureRandom, random)

      const shown = Effect.fnUntraced(function* (place: ScimPlace, users: ReadonlyArray<ProvisionedUser>) {
        const found = yield* groups.ofUsers(
          place.organizationId,
          users.map(({ userId }) => userId)
        )
        const byUser = Map.groupBy(found, ({ userId }) => userId)
        return users.map((user) => userResource(place.base, user, byUser.get(user.userId) ?? []))
      })

      const found = Effect.fnUntraced(function* ({ organizationId }: ScimPlace, id: string) {
        const user = yield* people.find(organizationId, id)
        return user ?? (yield* new ScimRefused({ status: 404, detail: "There is no such user in this organization" }))
      })

      const list: ScimUsers["Service"]["list"] = Effect.fn("ScimUsers.list")(function* (place, query) {
        const { count, filter, startIndex } = query
        const { organizationId } = place
        if (filter === undefined) {
          const total = yield* people.count(organizationId)
          const page = count === 0 ? [] : yield* people.list(organizationId, { offset: startIndex - 1, limit: count })
          return { total, resources: yield* shown(place, page) }
        }
        // The lookups that providers make before each change use an index. Other filters scan.
        const userName = equalTo(filter, "userName")
        const externalId = equalTo(filter, "externalId")
        const one =
          userName !== undefined
            ? yield* people.findByName(organizationId, userName)
            : externalId !== undefined
              ? yield* people.findByExternalId(organizationId, externalId)
              : undefined
        const isLookUp = userName !== undefined || externalId !== undefined
        const candidates = isLookUp ? (one === undefined ? [] : [one]) : yield* people.list(organizationId)
        return pageOf(yield* shown(place, candidates), query)
      })

      const get: ScimUsers["Service"]["get"] = Effect.fn("ScimUsers.get")(function* (place, id) {
        const [resource] = yield* shown(place, [yield* found(place, id)])
        return resource!
      })

      /** Another person of the organization has the name or the identifier. */
      const checkUnique = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { externalId, userName }: ScimUser,
        self: UserId | undefined
      ): Effect.fn.Return<void, ScimRefused> {
        const named = yield* people.findByName(organizationId, userName)
        if (named !== undefined && named.userId !== self)
          return yield* wrong("uniqueness", `There is a user with the userName ${userName} already`)
        if (externalId === undefined) return
        const external = yield* people.findByExternalId(organizationId, externalId)
        if (external !== undefined && external.userId !== self)
          return yield* wrong("uniqueness", `There is a user with the externalId ${externalId} already`)
      })

      const provenDomains = Effect.fnUntraced(function* (id: OrganizationId) {
        const domains = yield* connections.domains(id)
        return domains.flatMap(({ domain, verifiedAt }) => (verifiedAt === null ? [] : [domain]))
      })

      const notProven = (email: string) =>
        wrong(
          "invalidValue",
          `The organization has not proven that the domain of ${email} belongs to it; an owner can prove it in the settings of single sign-on`
        )

      /** The account with the address, or a new one: by the rule of single sign-on. */
      const accountFor = Effect.fnUntraced(function* (organizationId: OrganizationId, record: ScimUser, email: string) {
        const domains = yield* provenDomains(organizationId)
        const sameAddress = yield* accounts.withAddress(email)
        const identity = { subject: record.externalId ?? record.userName, email, emailVerified: true, groups: [] }
        const decision = decide(identity, { _tag: "Organization", domains }, { sameAddress })
        const at = yield* Clock.currentTimeMillis
        if (decision._tag === "Refuse") return yield* notProven(email)
        if (decision._tag === "AskPassword")
          return yield* wrong(
            "uniqueness",
            `An account has the address ${email} and never verified it; its owner has to verify it, or to sign in once through single sign-on with the password of the account`
          )
        if (sameAddress !== undefined) {
          if (!sameAddress.hasPassword) yield* accounts.noteProvisioned(organizationId, sameAddress.id, at)
          yield* accounts.markVerified(sameAddress.id)
          return sameAddress
        }
        const account = { id: yield* nextId, email, name: nameOf(record) }
        yield* accounts.insert(account, at)
        yield* accounts.noteProvisioned(organizationId, account.id, at)
        yield* audit.record([
          {
            action: "account.created",
            target: { id: account.id, name: email },
            accountId: account.id,
            organizationId,
            after: { email, name: account.name }
          }
        ])
        return account
      })

      const addressOf = (record: ScimUser): Effect.Effect<string, ScimRefused> => {
        const email = emailOf(record)
        return email === undefined
          ? Effect.fail(
              wrong("invalidValue", "Neither emails nor userName has an e-mail address such as ada@example.com")
            )
          : Effect.succeed(email)
      }

      const create: ScimUsers["Service"]["create"] = Effect.fn("ScimUsers.create")(function* (place, body) {
        const record = yield* Effect.fromResult(readUser(body))
        const email = yield* addressOf(record)
        const { organizationId } = place
        return yield* transaction.run(
          Effect.gen(function* () {
            yield* accounts.lock(email)
            yield* lock.hold(organizationId)
            yield* checkUnique(organizationId, record, undefined)
            const account = yield* accountFor(organizationId, record, email)
            const before = yield* people.find(organizationId, account.id)
            if (before !== undefined)
              return yield* wrong("uniqueness", `The user ${before.record.userName} has the address ${email} already`)
            const at = yield* Clock.currentTimeMillis
            const user = { organizationId, userId: account.id, record, createdAt: at, updatedAt: at }
            yield* people.save(user)
            yield* audit.record([{ action: "scim_user.created", ...about(user, email), after: record }])
            yield* members.admit(user, account)
            return yield* get(place, account.id)
          })
        )
      })

      /** The account gets the name and the address that the directory has. */
      const follow = Effect.fnUntraced(function* (user: ProvisionedUser, record: ScimUser, account: SignOnAccount) {
        const { organizationId, record: before } = user
        const at = yield* Clock.currentTimeMillis
        const domains = yield* provenDomains(organizationId)
        const isProven = (email: string) => domains.includes(domainOf(email))
        const email = yield* addressOf(record)
        const isMoved = email !== account.email && (email !== emailOf(before) || !before.active)
        // Both addresses must be in a verified domain: an organization that gave a domain up cannot change its
        // accounts, and a private address is never replaced.
        if ((isMoved || !before.active) && !isProven(email)) return yield* notProven(email)
        if ((isMoved || !before.active) && !isProven(account.email)) return yield* notProven(account.email)
        if (isMoved) {
          yield* accounts.lock(email)
          if ((yield* accounts.withAddress(email)) !== undefined)
            return yield* wrong("uniqueness", `Another account has the address ${email}`)
          yield* accounts.readdress(account.id, email, at)
        }
        const name = nameOf(record)
        const isRenamed = name !== nameOf(before) && name !== account.name && isProven(account.email)
        if (isRenamed) yield* accounts.rename(account.id, name, at)
        if (isMoved || isRenamed)
          yield* audit.record([
            {
              action: "account.updated",
              target: { id: account.id, name: account.email },
              accountId: account.id,
              organizationId,
              before: { email: account.email, name: account.name },
              after: { email: isMoved ? email : account.email, name: isRenamed ? name : account.name }
            }
          ])
        return isMoved ? { ...account, email } : account
      })

      const change = (
        place: ScimPlace,
        id: string,
        next: (user: ProvisionedUser) => Effect.Effect<ScimUser, ScimRefused>
      ): Effect.Effect<Fields, ScimRefused> =>
        transaction.run(
          Effect.gen(function* () {
            const { organizationId } = place
            yield* lock.hold(organizationId)
            const user = yield* found(place, id)
            yield* checkVersion(user, place.ifMatch)
            const account = yield* accounts.find(user.userId)
            if (account === undefined) return yield* Effect.die(new Error("A provisioned user has no account"))
            const record = yield* next(user)
            yield* checkUnique(organizationId, record, user.userId)
            // Access can always be removed, even if other fields are invalid.
            const followed = record.active ? yield* follow(user, record, account) : account
            const at = Math.max(yield* Clock.currentTimeMillis, user.updatedAt + 1)
            const changed = { ...user, record, updatedAt: at }
            if (JSON.stringify(record) !== JSON.stringify(user.record)) {
              yield* people.save(changed)
              yield* audit.record([
                { action: "scim_user.updated", ...about(user, account.email), before: user.record, after: record }
              ])
            }
            yield* members.admit(changed, followed)
            return yield* get(place, id)
          })
        )

      const replace: ScimUsers["Service"]["replace"] = Effect.fn("ScimUsers.replace")((place, id, body) =>
        change(place, id, () => Effect.fromResult(readUser(body)))
      )

      const patch: ScimUsers["Service"]["patch"] = Effect.fn("ScimUsers.patch")((place, id, body) =>
        change(place, id, ({ record }) =>
          Effect.flatMap(Effect.fromResult(ScimPatch.apply(record, body)), (patched) =>
            Effect.fromResult(readUser(patched))
          )
        )
      )

      const remove: ScimUsers["Service"]["remove"] = Effect.fn("ScimUsers.remove")(function* (place, id) {
        const { organizationId } = place
        yield* lock.hold(organizationId)
        const user = yield* found(place, id)
        yield* checkVersion(user, place.ifMatch)
        const account = yield* accounts.find(user.userId)
        if (account !== undefined) yield* members.end(organizationId, account)
        yield* people.remove(organizationId, user.userId)
        yield* audit.record([
          { action: "scim_user.deleted", ...about(user, account?.email ?? user.record.userName), before: user.record }
        ])
      }, transaction.run)

      return ScimUsers.of({ list, get, create, replace, patch, remove })
    })
  ).pipe(
    Layer.provide([
      ScimUserRepository.layer,
      ScimGroupRepository.layer,
      SignOnAccountRepository.layer,
      ScimMembers.layer,
      OrganizationLock.layer
    ])
  )
}

const about = ({ organizationId, userId }: ProvisionedUser, name: string) => ({
  target: { id: userId, name },
  organizationId
})
