/** Settings of the HTTP API. */
import { Context, type Duration, type Effect } from "effect"
import type { OrganizationQuotas } from "@kanmon/domain/OrganizationQuotas"

export class ApiSettings extends Context.Service<
  ApiSettings,
  {
    /** Without a trailing slash. */
    readonly baseUrl: string
    readonly version: string
    /** Whether `X-Forwarded-For` is trusted. */
    readonly trustedProxy: boolean
    /** Requests per minute. */
    readonly limits: {
      readonly reads: number
      readonly writes: number
      readonly signIns: number
      readonly signals: number
    }
    /** Quotas of an account. */
    readonly quotas: OrganizationQuotas
    /** Default: 30 seconds. */
    readonly requestTimeout?: Duration.Input
    /** Parent domain of the status pages' subdomains. */
    readonly pagesDomain?: string | undefined
    /** CNAME target of custom domains. */
    readonly pagesHost?: string | undefined
    /** Other domains of this installation, which no status page can use. */
    readonly reservedDomains?: ReadonlyArray<string>
    /** Whether free plans include text messages and calls while billing is enabled. */
    readonly phonesOnFreePlans?: boolean
    /** For how many days results and alerts are kept. */
    readonly retentionDays: number
    /** Regions that monitors can use. */
    readonly knownRegions: Effect.Effect<ReadonlyArray<string>>
  }
>()("@kanmon/platform/http/ApiSettings") {}
