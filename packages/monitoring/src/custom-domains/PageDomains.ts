/** The operations on pages that custom domains need. Status pages implement it, since they own their rows. */
import type { ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"
import type { DomainState } from "./CustomDomainRepository.ts"

export class PageDomains extends Context.Service<
  PageDomains,
  {
    /**
     * Sets the state of the custom domain on a page, if the page still has the domain; returns the page if its owner sees a
     * difference. In a transaction.
     */
    readonly setState: (
      page: { readonly name: string; readonly pageId: StatusPageId },
      state: DomainState
    ) => Effect.Effect<{ readonly id: StatusPageId; readonly projectId: ProjectId; readonly slug: string } | undefined>
  }
>()("@kanmon/monitoring/custom-domains/PageDomains") {}
