/** The limits of an organization as problems that name the exhausted limit and a remedy. */
import { Problem } from "@kanmon/protocol/Problem"
import type { CountedKind } from "@kanmon/domain/OrganizationQuotas"
import { OrganizationLimits, type OrganizationOf, type LimitReached } from "./OrganizationLimits.ts"
import { Effect } from "effect"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"

const nouns: Readonly<Record<CountedKind, string>> = {
  projects: "projects",
  channels: "notification channels over all its projects",
  alertRules: "alert rules over all its projects",
  statusPages: "status pages over all its projects",
  openIncidents: "incidents and maintenance windows that are not resolved, over all its projects"
}

const settings: Readonly<Record<CountedKind, string>> = {
  projects: "KANMON_MAX_PROJECTS",
  channels: "KANMON_MAX_CHANNELS",
  alertRules: "KANMON_MAX_ALERT_RULES",
  statusPages: "KANMON_MAX_STATUS_PAGES",
  openIncidents: "KANMON_MAX_OPEN_INCIDENTS"
}

/** 403, not 409 or 429: a retry does not help, so clients must not retry automatically. */
const problem = ({ current, kind, limit }: LimitReached): Problem<"account_limit_reached"> => {
  const wayOut = kind === "openIncidents" ? "resolve or delete one" : "delete one that is not needed"
  return new Problem({
    code: "account_limit_reached",
    detail: `The organization has ${current} ${nouns[kind]}, and may have ${limit}; ${wayOut}, or ask the operator of this installation (${settings[kind]})`,
    accountLimit: { limit, current }
  })
}

/** Creates records within the organization's limits, or refuses. */
export const make = Effect.gen(function* () {
  const limits = yield* OrganizationLimits
  const { quotas } = yield* ApiSettings
  return <A, E, R>(
    account: OrganizationOf,
    kind: CountedKind,
    create: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Problem<"account_limit_reached">, R> =>
    limits.within(account, kind, quotas[kind], create, problem)
})
