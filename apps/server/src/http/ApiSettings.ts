/** What the HTTP side needs to know of the installation. */
import { Context, type Duration, type Effect } from "effect"
import type { Quotas } from "./Quotas.ts"

export class ApiSettings extends Context.Service<
  ApiSettings,
  {
    /** Without a slash at the end. */
    readonly baseUrl: string
    readonly version: string
    /** Believe `X-Forwarded-For`. */
    readonly trustedProxy: boolean
    /** Requests a minute. */
    readonly limits: {
      readonly reads: number
      readonly writes: number
      readonly signIns: number
      readonly signals: number
    }
    /** What one account may have. */
    readonly quotas: Quotas
    /** How long a request may take to be answered, 30 seconds unless it says otherwise. */
    readonly patience?: Duration.Input
    /** Domain below which status pages have their addresses. */
    readonly pagesDomain?: string | undefined
    /** Host to which the custom domains of status pages point. */
    readonly pagesHost?: string | undefined
    /** Further names of this installation, which no page can take. */
    readonly reservedDomains?: ReadonlyArray<string>
    /** Plans without a price include text messages and calls where plans are sold. */
    readonly phonesOnFreePlans?: boolean
    /** Labels that monitors may name. */
    readonly knownRegions: Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/server/ApiSettings") {}
