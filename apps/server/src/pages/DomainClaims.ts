/**
 * To whom a domain belongs when another page has it already: the CNAME record leads to the installation and names nobody, so
 * that whoever was first would have it. A TXT record that names the project decides: only the domain's owner can make it.
 */
import { Resolver } from "@kanmon/core/Resolver"
import type { ProjectId } from "@kanmon/domain/Ids"
import * as DomainProof from "@kanmon/engine/certificates/DomainProof"
import { PageAddressTaken, StatusPages } from "@kanmon/store/pages/StatusPages"
import { Context, Effect, Layer } from "effect"

export class DomainClaims extends Context.Service<
  DomainClaims,
  {
    /** Writes a page of the project. Where another project's page has the domain and the record names this one, it gives way. */
    readonly claiming: (
      projectId: ProjectId
    ) => <A, E, R>(write: Effect.Effect<A, E | PageAddressTaken, R>) => Effect.Effect<A, E | PageAddressTaken, R>
  }
>()("@kanmon/server/pages/DomainClaims") {
  static readonly layer: Layer.Layer<DomainClaims, never, Resolver | StatusPages> = Layer.effect(
    DomainClaims,
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const pages = yield* StatusPages

      /** A record that cannot be had proves nothing. */
      const proves = (domain: string, projectId: ProjectId) =>
        DomainProof.look(domain, projectId).pipe(
          Effect.provideService(Resolver, resolver),
          Effect.map(({ _tag }) => _tag === "Given")
        )

      return DomainClaims.of({
        claiming: (projectId) => (write) =>
          Effect.catchIf(write, isDomainTaken, (taken) =>
            Effect.flatMap(proves(taken.name, projectId), (proven) =>
              proven ? Effect.andThen(pages.cede(taken.name, projectId), write) : Effect.fail(taken)
            )
          )
      })
    })
  )
}

const isDomainTaken = (error: unknown): error is PageAddressTaken =>
  error instanceof PageAddressTaken && error.field === "customDomain"
