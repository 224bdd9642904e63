/** The groups that an organization's identity provider provisions. They give roles by the mapping of its single sign-on. */
import { nextScimGroupId, type OrganizationId } from "@kanmon/domain/Ids"
import { type Fields, readGroup, ScimRefused, type ScimGroup, wrong } from "@kanmon/domain/Scim"
import { equalTo } from "@kanmon/domain/ScimFilter"
import * as ScimPatch from "@kanmon/domain/ScimPatch"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { OrganizationLock } from "../organizations/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { namesOfGroup, ScimGroupRepository, type StoredGroup } from "./ScimGroupRepository.ts"
import { ScimMembers } from "./ScimMembers.ts"
import { checkVersion, groupResource, pageOf, type ScimCollection, type ScimPlace } from "./ScimResources.ts"
import { ScimUserRepository } from "./ScimUserRepository.ts"

export class ScimGroups extends Context.Service<ScimGroups, ScimCollection>()("@kanmon/identity/sso/ScimGroups") {
  static readonly layer = Layer.effect(
    ScimGroups,
    Effect.gen(function* () {
      const groups = yield* ScimGroupRepository
      const people = yield* ScimUserRepository
      const members = yield* ScimMembers
      const lock = yield* OrganizationLock
      const transaction = yield* Transaction
      const audit = yield* AuditLog
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextScimGroupId, SecureRandom.SecureRandom, random)

      const shown = Effect.fnUntraced(function* (
        { base }: ScimPlace,
        all: ReadonlyArray<StoredGroup>,
        withMembers: boolean
      ) {
        const found = withMembers ? yield* groups.members(all.map(({ id }) => id)) : []
        const byGroup = Map.groupBy(found, ({ groupId }) => groupId)
        return all.map((group) => groupResource(base, group, withMembers ? (byGroup.get(group.id) ?? []) : undefined))
      })

      const found = Effect.fnUntraced(function* ({ organizationId }: ScimPlace, id: string) {
        const group = yield* groups.find(organizationId, id)
        return group ?? (yield* new ScimRefused({ status: 404, detail: "There is no such group in this organization" }))
      })

      const list: ScimGroups["Service"]["list"] = Effect.fn("ScimGroups.list")(function* (place, query, withMembers) {
        const { filter } = query
        const { organizationId } = place
        const name = filter === undefined ? undefined : equalTo(filter, "displayName")
        const one = name === undefined ? undefined : yield* groups.findByName(organizationId, name)
        const candidates = name === undefined ? yield* groups.list(organizationId) : one === undefined ? [] : [one]
        if (filter === undefined) {
          const page = candidates.slice(query.startIndex - 1, query.startIndex - 1 + query.count)
          return { total: candidates.length, resources: yield* shown(place, page, withMembers) }
        }
        // A filter can be about members that are not shown.
        return pageOf(yield* shown(place, candidates, true), query)
      })

      const get: ScimGroups["Service"]["get"] = Effect.fn("ScimGroups.get")(function* (place, id) {
        const [resource] = yield* shown(place, [yield* found(place, id)], true)
        return resource!
      })

      const checkUnique = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { displayName, externalId }: ScimGroup,
        self: string | undefined
      ): Effect.fn.Return<void, ScimRefused> {
        const named = yield* groups.findByName(organizationId, displayName)
        if (named !== undefined && named.id !== self)
          return yield* wrong("uniqueness", `There is a group with the displayName ${displayName} already`)
        if (externalId === undefined) return
        const external = yield* groups.findByExternalId(organizationId, externalId)
        if (external !== undefined && external.id !== self)
          return yield* wrong("uniqueness", `There is a group with the externalId ${externalId} already`)
      })

      const idsOf = (group: ScimGroup) => [...new Set(group.members.map(({ value }) => value))]

      /** Stores who is in the group, and brings the roles of whom it concerns up to date. */
      const settle = Effect.fnUntraced(function* (
        group: StoredGroup,
        next: ScimGroup,
        { before, former }: { readonly before: ReadonlyArray<string>; readonly former: StoredGroup }
      ): Effect.fn.Return<void, ScimRefused> {
        const { organizationId } = group
        const ids = idsOf(next)
        const [was, is] = [new Set(before), new Set(ids)]
        const joined = ids.filter((id) => !was.has(id))
        const known = new Set<string>(yield* people.known(organizationId, joined))
        const stranger = joined.find((id) => !known.has(id))
        if (stranger !== undefined)
          return yield* wrong("invalidValue", `members: ${stranger.slice(0, 100)} is no user of this organization`)
        yield* groups.setMembers(group, ids)
        const left = before.filter((id) => !is.has(id))
        const names = [...new Set([...namesOfGroup(former), ...namesOfGroup(group)])]
        const isRenamed = names.length > namesOfGroup(group).length || names.length > namesOfGroup(former).length
        const concerned = isRenamed ? [...new Set([...before, ...ids])] : [...joined, ...left]
        yield* members.regroup(organizationId, concerned, names)
      })

      const create: ScimGroups["Service"]["create"] = Effect.fn("ScimGroups.create")(function* (place, body) {
        const record = yield* Effect.fromResult(readGroup(body))
        const { organizationId } = place
        yield* lock.hold(organizationId)
        yield* checkUnique(organizationId, record, undefined)
        const at = yield* Clock.currentTimeMillis
        const group: StoredGroup = {
          id: yield* nextId,
          organizationId,
          displayName: record.displayName,
          externalId: record.externalId ?? null,
          createdAt: at,
          updatedAt: at
        }
        yield* groups.insert(group)
        yield* audit.record([{ action: "scim_group.created", ...about(group), after: audited(record, idsOf(record)) }])
        yield* settle(group, record, { before: [], former: group })
        return yield* get(place, group.id)
      }, transaction.run)

      const change = (
        place: ScimPlace,
        id: string,
        next: (current: ScimGroup) => Effect.Effect<ScimGroup, ScimRefused>
      ): Effect.Effect<Fields, ScimRefused> =>
        transaction.run(
          Effect.gen(function* () {
            const { organizationId } = place
            yield* lock.hold(organizationId)
            const group = yield* found(place, id)
            yield* checkVersion(group, place.ifMatch)
            const before = (yield* groups.members([group.id])).map(({ userId }) => userId)
            const current = recordOf(group, before)
            const record = yield* next(current)
            yield* checkUnique(organizationId, record, group.id)
            const at = Math.max(yield* Clock.currentTimeMillis, group.updatedAt + 1)
            const changed: StoredGroup = {
              ...group,
              displayName: record.displayName,
              externalId: record.externalId ?? null,
              updatedAt: at
            }
            yield* groups.update(changed)
            yield* audit.record([
              {
                action: "scim_group.updated",
                ...about(group),
                before: audited(current, before),
                after: audited(record, idsOf(record))
              }
            ])
            yield* settle(changed, record, { before, former: group })
            return yield* get(place, id)
          })
        )

      const replace: ScimGroups["Service"]["replace"] = Effect.fn("ScimGroups.replace")((place, id, body) =>
        change(place, id, () => Effect.fromResult(readGroup(body)))
      )

      const patch: ScimGroups["Service"]["patch"] = Effect.fn("ScimGroups.patch")((place, id, body) =>
        change(place, id, (current) =>
          Effect.flatMap(Effect.fromResult(ScimPatch.apply(current, body)), (patched) =>
            Effect.fromResult(readGroup(patched))
          )
        )
      )

      const remove: ScimGroups["Service"]["remove"] = Effect.fn("ScimGroups.remove")(function* (place, id) {
        const { organizationId } = place
        yield* lock.hold(organizationId)
        const group = yield* found(place, id)
        yield* checkVersion(group, place.ifMatch)
        const before = (yield* groups.members([group.id])).map(({ userId }) => userId)
        yield* groups.remove(group.id)
        yield* audit.record([
          { action: "scim_group.deleted", ...about(group), before: audited(recordOf(group, before), before) }
        ])
        yield* members.regroup(organizationId, before, namesOfGroup(group))
      }, transaction.run)

      return ScimGroups.of({ list, get, create, replace, patch, remove })
    })
  ).pipe(
    Layer.provide([ScimGroupRepository.layer, ScimUserRepository.layer, ScimMembers.layer, OrganizationLock.layer])
  )
}

const recordOf = ({ displayName, externalId }: StoredGroup, members: ReadonlyArray<string>): ScimGroup => ({
  displayName,
  ...(externalId === null ? {} : { externalId }),
  members: members.map((value) => ({ value }))
})

const about = ({ displayName, id, organizationId }: StoredGroup) => ({
  target: { id, name: displayName },
  organizationId
})

const audited = ({ displayName, externalId }: ScimGroup, members: ReadonlyArray<string>) => ({
  displayName,
  externalId: externalId ?? null,
  members
})
