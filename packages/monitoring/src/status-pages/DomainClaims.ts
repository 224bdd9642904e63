/**
 * Moves a custom domain from the page of another project to the project that the domain's TXT record names. The CNAME record
 * names no project, so without this the first page would keep the domain.
 */
import { Resolver } from "@kanmon/core/Resolver"
import type { ProjectId } from "@kanmon/domain/Ids"
import { DomainProof } from "../custom-domains/index.ts"
import { PageAddressTaken } from "./StatusPageRepository.ts"
import { StatusPages } from "./StatusPages.ts"
import { Context, Effect, Layer } from "effect"

export class DomainClaims extends Context.Service<DomainClaims>()("@kanmon/monitoring/status-pages/DomainClaims", {
  make: Effect.gen(function* () {
    const resolver = yield* Resolver
    const pages = yield* StatusPages

    /** A failed lookup is no proof. */
    const proves = (domain: string, projectId: ProjectId) =>
      DomainProof.look(domain, projectId).pipe(
        Effect.provideService(Resolver, resolver),
        Effect.map(({ _tag }) => _tag === "Given")
      )

    return {
      /** Writes a page of the project. If another project has the domain but the TXT record names this one, takes it over. */
      claiming:
        (projectId: ProjectId) =>
        <A, E, R>(write: Effect.Effect<A, E | PageAddressTaken, R>) =>
          Effect.catchIf(write, isDomainTaken, (taken) =>
            Effect.flatMap(proves(taken.name, projectId), (proven) =>
              proven ? Effect.andThen(pages.cede(taken.name, projectId), write) : Effect.fail(taken)
            )
          )
    }
  })
}) {
  static readonly layer: Layer.Layer<DomainClaims, never, Resolver | StatusPages> = Layer.effect(
    DomainClaims,
    DomainClaims.make
  )
}

const isDomainTaken = (error: unknown): error is PageAddressTaken =>
  error instanceof PageAddressTaken && error.field === "customDomain"
