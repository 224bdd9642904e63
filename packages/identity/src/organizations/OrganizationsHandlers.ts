/** Organizations, members, teams and roles in projects over HTTP: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { Member, Organization } from "@kanmon/domain/Organization"
import { actingRole, type Principal, reaches } from "@kanmon/domain/Principal"
import { Api } from "@kanmon/protocol/Api"
import { CallerOrganization, CallerProject, CallerUser } from "@kanmon/protocol/Middleware"
import { MemberRequest, OrganizationRequest, TeamRequest } from "@kanmon/protocol/OrganizationBody"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { Members } from "./Members.ts"
import { MemberReach } from "./OrganizationHooks.ts"
import { refusing } from "./OrganizationProblems.ts"
import { Organizations } from "./Organizations.ts"
import { ProjectMembers } from "./ProjectMembers.ts"
import { Teams } from "./Teams.ts"

const organizationIn = Payload.read(decodeStrict(OrganizationRequest))
const memberIn = Payload.read(decodeStrict(MemberRequest))
const teamIn = Payload.read(decodeStrict(TeamRequest))

/** With the role that the caller acts with. */
const shown = (caller: Principal, organization: Organization): Organization => ({
  ...organization,
  role: actingRole(caller, organization.role)
})

const organizations = HttpApiBuilder.group(
  Api,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const members = yield* Members
    const { reachable } = yield* MemberReach

    /** The members with whether pages reach them. */
    const reached = Effect.fnUntraced(function* (all: ReadonlyArray<Omit<Member, "reachable">>) {
      const found = yield* reachable(all.map(({ userId }) => userId))
      return all.map((member): Member => ({ ...member, reachable: found.get(member.userId) ?? "no" }))
    })

    const own = Effect.gen(function* () {
      const caller = yield* CallerUser
      return shown(caller, yield* organizations.get(yield* CallerOrganization, caller.userId))
    })

    return handlers.handleAll({
      list: () =>
        Effect.gen(function* () {
          const caller = yield* CallerUser
          const all = yield* organizations.ofMember(caller.userId)
          return all.filter(({ id }) => reaches(caller, id)).map((one) => shown(caller, one))
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          const { name } = yield* organizationIn(payload)
          return yield* Effect.orDie(organizations.get(yield* organizations.found(userId, name), userId))
        }).pipe(refusing),
      get: () => refusing(own),
      rename: ({ payload }) =>
        Effect.gen(function* () {
          const { name } = yield* organizationIn(payload)
          yield* organizations.rename(yield* CallerOrganization, name)
          return yield* own
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.andThen(RecentProof.required, Effect.flatMap(CallerOrganization, organizations.remove)).pipe(
          Effect.as({ id: params.organizationId, deleted: true as const }),
          refusing
        ),
      listMembers: () => Effect.flatMap(CallerOrganization, (id) => Effect.flatMap(members.list(id), reached)),
      changeMember: ({ params, payload }) =>
        Effect.gen(function* () {
          const { role } = yield* memberIn(payload)
          yield* RecentProof.requiredFor(role)
          const organizationId = yield* CallerOrganization
          const member = yield* members.changeRole(organizationId, (yield* CallerUser).userId, params.userId, role)
          return (yield* reached([member]))[0]!
        }).pipe(refusing),
      removeMember: ({ params }) =>
        Effect.gen(function* () {
          yield* members.remove(yield* CallerOrganization, (yield* CallerUser).userId, params.userId)
          return { id: params.userId, deleted: true as const }
        }).pipe(refusing)
    })
  })
)

const teams = HttpApiBuilder.group(
  Api,
  "teams",
  Effect.fnUntraced(function* (handlers) {
    const teams = yield* Teams
    return handlers.handleAll({
      list: () => Effect.flatMap(CallerOrganization, teams.list),
      create: ({ payload }) =>
        Effect.gen(function* () {
          return yield* teams.create(yield* CallerOrganization, (yield* teamIn(payload)).name)
        }).pipe(refusing),
      rename: ({ params, payload }) =>
        Effect.gen(function* () {
          return yield* teams.rename(yield* CallerOrganization, params.teamId, (yield* teamIn(payload)).name)
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => teams.remove(id, params.teamId)).pipe(
          Effect.as({ id: params.teamId, deleted: true as const }),
          refusing
        ),
      addMember: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => teams.addMember(id, params.teamId, params.userId)).pipe(refusing),
      removeMember: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => teams.removeMember(id, params.teamId, params.userId)).pipe(refusing)
    })
  })
)

const projectMembers = HttpApiBuilder.group(
  Api,
  "projectMembers",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* ProjectMembers
    return handlers.handleAll({
      list: () => Effect.flatMap(CallerProject, members.list),
      raise: ({ params, payload }) =>
        Effect.gen(function* () {
          const { role } = yield* memberIn(payload)
          yield* RecentProof.requiredFor(role)
          return yield* members.raise(yield* CallerProject, (yield* CallerUser).userId, params.userId, role)
        }).pipe(refusing),
      reset: ({ params }) =>
        Effect.gen(function* () {
          return yield* members.reset(yield* CallerProject, (yield* CallerUser).userId, params.userId)
        }).pipe(refusing)
    })
  })
)

export const layer = Layer.mergeAll(organizations, teams, projectMembers)
