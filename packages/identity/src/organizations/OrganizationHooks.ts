/** What other features do for organizations, within the same transaction. */
import type { OrganizationId, ProjectId } from "@kanmon/domain/Ids"
import type { CountedKind } from "@kanmon/domain/OrganizationQuotas"
import type { Plan } from "@kanmon/domain/Plan"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect, type Schema } from "effect"

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

export interface MonitorCount {
  readonly total: number
  /** Those that are not paused. */
  readonly running: number
}

/** What the projects of organizations contain. Monitoring says so, whose records they are. */
export class OrganizationContents extends Context.Service<
  OrganizationContents,
  {
    /** How many records of a kind there are over all projects. Incidents count until they are resolved. */
    readonly count: (id: OrganizationId, kind: CountedRecord) => Effect.Effect<number>
    /** The monitors of all these organizations together. */
    readonly countMonitors: (shares: ReadonlyArray<MonitorShare>) => Effect.Effect<MonitorCount>
    /** The number of monitors of each of these organizations; those without any are left out. */
    readonly monitorsOf: (ids: ReadonlyArray<OrganizationId>) => Effect.Effect<ReadonlyMap<OrganizationId, number>>
    /** All records of projects as JSON, by kind, without what is `hidden`. */
    readonly copy: (
      projects: ReadonlyArray<ProjectId>,
      hidden: ReadonlyArray<string>
    ) => Effect.Effect<Readonly<Record<string, ReadonlyArray<Schema.JsonObject>>>>
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
