/**
 * The limits of one organization over all its projects, independent of its plan. Counting and creating are one
 * transaction that locks the organization, so that concurrent requests never exceed the limit.
 */
import type { CountedKind } from "@kanmon/domain/OrganizationQuotas"
import type { ProjectId, OrganizationId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { OrganizationContents } from "./OrganizationHooks.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"

/** The organization has as many of a kind as it may have. */
export interface LimitReached {
  readonly kind: CountedKind
  readonly limit: number
  readonly current: number
}

/** An organization, given by its ID or by one of its projects. */
export type OrganizationOf = { readonly organizationId: OrganizationId } | { readonly projectId: ProjectId }

export class OrganizationLimits extends Context.Service<OrganizationLimits>()(
  "@kanmon/identity/organizations/OrganizationLimits",
  {
    make: Effect.gen(function* () {
      const repository = yield* OrganizationRepository
      const contents = yield* OrganizationContents
      const transaction = yield* Transaction

      const lock = (organization: OrganizationOf) =>
        "organizationId" in organization
          ? Effect.as(repository.lock(organization.organizationId), organization.organizationId)
          : repository.lockOwner(organization.projectId)

      /** Creates one more of a kind, or fails with `refusal` because there are `limit` of them. */
      const within = <A, E, R, Refusal>(
        organization: OrganizationOf,
        kind: CountedKind,
        limit: number,
        create: Effect.Effect<A, E, R>,
        refusal: (reached: LimitReached) => Refusal
      ): Effect.Effect<A, E | Refusal, R> =>
        Number.isFinite(limit)
          ? Effect.gen(function* () {
              const organizationId = yield* lock(organization)
              // Without a project, `create` says so.
              if (organizationId !== undefined) {
                const current = yield* kind === "projects"
                  ? repository.countProjects(organizationId)
                  : contents.count(organizationId, kind)
                if (current >= limit) return yield* Effect.fail(refusal({ kind, limit, current }))
              }
              return yield* create
            }).pipe(transaction.run, Effect.withSpan("OrganizationLimits.within"))
          : create

      return { within }
    })
  }
) {
  static readonly layer = Layer.effect(OrganizationLimits, OrganizationLimits.make).pipe(
    Layer.provide(OrganizationRepository.layer)
  )
}
