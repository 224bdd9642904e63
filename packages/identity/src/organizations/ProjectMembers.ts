/** Roles that are raised for one project. Changes follow the rules of members, with the role that the caller has in the project. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import * as Membership from "@kanmon/domain/Membership"
import { MemberNotFound } from "@kanmon/domain/NotFound"
import type { ProjectMember } from "@kanmon/domain/Organization"
import { includes, type Role } from "@kanmon/domain/Role"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { MemberLimit } from "./MemberLimit.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { admitRole, NotRaised } from "./OrganizationErrors.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"

export class ProjectMembers extends Context.Service<ProjectMembers>()("@kanmon/identity/organizations/ProjectMembers", {
  make: Effect.gen(function* () {
    const organizations = yield* OrganizationRepository
    const members = yield* MemberRepository
    const limit = yield* MemberLimit
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    const locked = Effect.fnUntraced(function* (projectId: ProjectId, caller: UserId, userId: UserId) {
      const organizationId = yield* organizations.lockOwner(projectId)
      const by = yield* members.findOfProject(projectId, caller)
      const member = yield* members.findOfProject(projectId, userId)
      if (organizationId === undefined || by === undefined || member === undefined)
        return yield* new MemberNotFound({ userId })
      return { organizationId, caller: by.role, member }
    })

    const recorded = (projectId: ProjectId, before: ProjectMember, after: ProjectMember) =>
      audit.record([
        {
          action: "member.project_role_changed",
          target: { id: after.userId, name: after.email },
          projectId,
          before: { role: before.role },
          after: { role: after.role }
        }
      ])

    /** Gives a member a higher role in the project. */
    const raise = Effect.fn("ProjectMembers.raise")(function* (
      projectId: ProjectId,
      callerId: UserId,
      userId: UserId,
      role: Role
    ) {
      const { caller, member, organizationId } = yield* locked(projectId, callerId, userId)
      yield* admitRole(caller, Membership.give(caller, role, member.role))
      const { organizationRole } = member
      if (includes(organizationRole, role)) return yield* new NotRaised({ organizationRole })
      if (member.role === "viewer") yield* limit.admitOneMore(organizationId, { withInvitations: false })
      yield* members.raise(projectId, userId, role, yield* Clock.currentTimeMillis)
      const raised = { ...member, role, projectRole: role }
      if (member.projectRole !== role) yield* recorded(projectId, member, raised)
      return raised
    }, transaction.run)

    /** Takes the role in the project back. */
    const reset = Effect.fn("ProjectMembers.reset")(function* (projectId: ProjectId, callerId: UserId, userId: UserId) {
      const { caller, member } = yield* locked(projectId, callerId, userId)
      yield* admitRole(caller, Membership.give(caller, member.role))
      yield* members.reset(projectId, userId)
      const left = { ...member, role: member.organizationRole, projectRole: null }
      if (member.projectRole !== null) yield* recorded(projectId, member, left)
      return left
    }, transaction.run)

    return {
      /** By name. */
      list: members.ofProject,
      raise,
      reset
    }
  })
}) {
  static readonly layer = Layer.effect(ProjectMembers, ProjectMembers.make).pipe(
    Layer.provide([OrganizationRepository.layer, MemberRepository.layer, MemberLimit.layer])
  )
}
