/** The rules of teams. A team gives no rights: it is a name for several members. */
import { nextTeamId, type OrganizationId, type TeamId, type UserId } from "@kanmon/domain/Ids"
import { MemberNotFound, TeamNotFound } from "@kanmon/domain/NotFound"
import { maxTeams, type Team } from "@kanmon/domain/Organization"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { MemberRepository } from "./MemberRepository.ts"
import { TeamInUse, TeamNameTaken, TooManyTeams } from "./OrganizationErrors.ts"
import { TeamUse } from "./OrganizationHooks.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"
import { TeamRepository } from "./TeamRepository.ts"

export class Teams extends Context.Service<Teams>()("@kanmon/identity/organizations/Teams", {
  make: Effect.gen(function* () {
    const organizations = yield* OrganizationRepository
    const members = yield* MemberRepository
    const teams = yield* TeamRepository
    const transaction = yield* Transaction
    const use = yield* TeamUse
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextTeamId, SecureRandom.SecureRandom, random)

    const found = Effect.fnUntraced(function* (id: OrganizationId, teamId: TeamId) {
      return (yield* teams.find(id, teamId)) ?? (yield* new TeamNotFound({ id: teamId }))
    })

    const admitName = Effect.fnUntraced(function* (id: OrganizationId, name: string, except?: TeamId) {
      if (yield* teams.hasName(id, name, except)) return yield* new TeamNameTaken({ name })
    })

    const create = Effect.fn("Teams.create")(function* (id: OrganizationId, name: string) {
      yield* organizations.lock(id)
      if ((yield* teams.list(id)).length >= maxTeams) return yield* new TooManyTeams({ limit: maxTeams })
      yield* admitName(id, name)
      const at = yield* Clock.currentTimeMillis
      const team: Team = { id: yield* nextId, name, memberIds: [], createdAt: at, updatedAt: at }
      yield* teams.insert(id, team)
      yield* audit.record([{ action: "team.created", ...about(id, team), after: { name } }])
      return team
    }, transaction.run)

    const rename = Effect.fn("Teams.rename")(function* (id: OrganizationId, teamId: TeamId, name: string) {
      yield* organizations.lock(id)
      const before = yield* found(id, teamId)
      if (before.name === name) return before
      yield* admitName(id, name, teamId)
      yield* teams.rename(teamId, name, yield* Clock.currentTimeMillis)
      const after = yield* found(id, teamId)
      const change = { before: { name: before.name }, after: { name } }
      yield* audit.record([{ action: "team.renamed", ...about(id, after), ...change }])
      return after
    }, transaction.run)

    const remove = Effect.fn("Teams.remove")(function* (id: OrganizationId, teamId: TeamId) {
      yield* organizations.lock(id)
      const team = yield* found(id, teamId)
      const users = yield* use.users(id, teamId)
      if (users.length > 0) return yield* new TeamInUse({ users })
      yield* teams.remove(teamId)
      yield* audit.record([{ action: "team.deleted", ...about(id, team), before: { name: team.name } }])
    }, transaction.run)

    const addMember = Effect.fn("Teams.addMember")(function* (id: OrganizationId, teamId: TeamId, userId: UserId) {
      yield* organizations.lock(id)
      const team = yield* found(id, teamId)
      const member = yield* members.find(id, userId)
      if (member === undefined) return yield* new MemberNotFound({ userId })
      if (!(yield* teams.addMember(teamId, userId, yield* Clock.currentTimeMillis))) return team
      const change = { before: {}, after: { userId, email: member.email } }
      yield* audit.record([{ action: "team.member_added", ...about(id, team), ...change }])
      return yield* found(id, teamId)
    }, transaction.run)

    const removeMember = Effect.fn("Teams.removeMember")(function* (
      id: OrganizationId,
      teamId: TeamId,
      userId: UserId
    ) {
      yield* organizations.lock(id)
      const team = yield* found(id, teamId)
      if (!(yield* teams.removeMember(teamId, userId))) return team
      yield* audit.record([{ action: "team.member_removed", ...about(id, team), before: { userId }, after: {} }])
      return yield* found(id, teamId)
    }, transaction.run)

    return {
      /** By name. */
      list: teams.list,
      create,
      rename,
      remove,
      addMember,
      removeMember
    }
  })
}) {
  static readonly layer = Layer.effect(Teams, Teams.make).pipe(
    Layer.provide([OrganizationRepository.layer, MemberRepository.layer, TeamRepository.layer])
  )
}

const about = (organizationId: OrganizationId, { id, name }: Pick<Team, "id" | "name">) => ({
  target: { id, name },
  organizationId
})
