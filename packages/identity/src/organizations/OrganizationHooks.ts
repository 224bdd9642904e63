/** Hooks of other features that run in the transaction of a change to an organization. */
import type { OrganizationId, ProjectId, TeamId, UserId } from "@kanmon/domain/Ids"
import type { Reachable } from "@kanmon/domain/NotificationRules"
import type { CountedKind } from "@kanmon/domain/OrganizationQuotas"
import type { Plan } from "@kanmon/domain/Plan"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect } from "effect"

/** Projects give a new organization its first project. */
export class OrganizationCreated extends Context.Service<
  OrganizationCreated,
  (id: OrganizationId) => Effect.Effect<void>
>()("@kanmon/identity/organizations/OrganizationCreated") {}

/** Projects delete those of an organization that is about to be deleted. */
export class OrganizationDeleting extends Context.Service<
  OrganizationDeleting,
  (id: OrganizationId) => Effect.Effect<void>
>()("@kanmon/identity/organizations/OrganizationDeleting") {}

/** Records of the projects of an organization that are counted against its limits. */
export type CountedRecord = Exclude<CountedKind, "projects">

/** The monitors of an organization: all of them, or those that were created before an instant. */
export interface MonitorShare {
  readonly organizationId: OrganizationId
  readonly before: EpochMillis | null
}

/** Records by kind, each the text of a JSON object. */
export type Copied = Readonly<Record<string, ReadonlyArray<string>>>

export interface MonitorCount {
  readonly total: number
  /** Monitors that are not paused. */
  readonly running: number
}

/** On-call duty follows the people of organizations. */
export class MemberPresence extends Context.Service<
  MemberPresence,
  {
    /**
     * Makes a change after which an account may be a member, have a role or be there at all, or not any more. The
     * people on call before the change are recorded. Runs in a transaction.
     */
    readonly changing: <A, E, R>(userId: UserId, change: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@kanmon/identity/organizations/MemberPresence") {}

/** People choose by which contact methods pages reach them. */
export class MemberReach extends Context.Service<
  MemberReach,
  {
    /** Whether pages about critical alerts reach these accounts. It says nothing of where they lead. */
    readonly reachable: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, Reachable>>
  }
>()("@kanmon/identity/organizations/MemberReach") {}

/** Escalation policies name teams. */
export class TeamUse extends Context.Service<
  TeamUse,
  {
    /** The users of a team in words: it cannot be deleted. The organization is locked. */
    readonly users: (id: OrganizationId, teamId: TeamId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/identity/organizations/TeamUse") {}

/** The contents of an organization's projects. Monitoring owns the records and provides this service. */
export class OrganizationContents extends Context.Service<
  OrganizationContents,
  {
    /** How many records of a kind there are over all projects. Incidents count until they are resolved. */
    readonly count: (id: OrganizationId, kind: CountedRecord) => Effect.Effect<number>
    /** The monitors of all these organizations together. */
    readonly countMonitors: (shares: ReadonlyArray<MonitorShare>) => Effect.Effect<MonitorCount>
    /** The number of monitors of each of these organizations. Organizations without monitors are left out. */
    readonly monitorsOf: (ids: ReadonlyArray<OrganizationId>) => Effect.Effect<ReadonlyMap<OrganizationId, number>>
    /** All records of projects as JSON, by kind, without what is `hidden`. */
    readonly copy: (projects: ReadonlyArray<ProjectId>, hidden: ReadonlyArray<string>) => Effect.Effect<Copied>
    /** All records of organizations that belong to no project, in the same form. */
    readonly copyShared: (ids: ReadonlyArray<OrganizationId>, hidden: ReadonlyArray<string>) => Effect.Effect<Copied>
    /** All records that are about an account, in the same form. */
    readonly copyOfAccount: (userId: UserId, hidden: ReadonlyArray<string>) => Effect.Effect<Copied>
  }
>()("@kanmon/identity/organizations/OrganizationContents") {}

/** Billing says which plan is in force. */
export class OrganizationPlans extends Context.Service<
  OrganizationPlans,
  {
    readonly inForce: (id: OrganizationId) => Effect.Effect<Plan>
    /** Whether the payment provider collects for a subscription. */
    readonly isPaying: (id: OrganizationId) => Effect.Effect<boolean>
  }
>()("@kanmon/identity/organizations/OrganizationPlans") {}
