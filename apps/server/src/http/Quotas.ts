/** What an account may create, in the words of the wire: what is full, and what to do about it. */
import { Problem } from "@kanmon/protocol/Problem"
import {
  type AccountLimitReached,
  AccountLimits,
  type AccountOf,
  type CountedKind
} from "@kanmon/store/accounts/AccountLimits"
import { Effect } from "effect"
import { ApiSettings } from "./ApiSettings.ts"

/** How many of each kind an account may have over all its projects; Infinity: any number. */
export type Quotas = Readonly<Record<CountedKind, number>>

const any = Number.POSITIVE_INFINITY

/** No limits at all. */
export const unlimited: Quotas = {
  projects: any,
  channels: any,
  alertRules: any,
  statusPages: any,
  openIncidents: any
}

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

/** 403, not 409 or 429: trying the same again later does not help, and clients must not do so by themselves. */
const problem = ({ current, kind, limit }: AccountLimitReached): Problem => {
  const wayOut = kind === "openIncidents" ? "resolve or delete one" : "delete one that is not needed"
  return new Problem({
    code: "account_limit_reached",
    detail: `The account has ${current} ${nouns[kind]}, and may have ${limit}; ${wayOut}, or ask the operator of this installation (${settings[kind]})`,
    accountLimit: { limit, current }
  })
}

/** Makes what creates records within the account's limits, or refuses. */
export const make = Effect.gen(function* () {
  const limits = yield* AccountLimits
  const { quotas } = yield* ApiSettings
  return <A, E, R>(
    account: AccountOf,
    kind: CountedKind,
    create: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Exclude<E, AccountLimitReached> | Problem, R> =>
    Effect.mapError(limits.within(account, kind, quotas[kind], create), (error) =>
      isReached(error) ? problem(error) : (error as Exclude<E, AccountLimitReached>)
    )
})

const isReached = (error: unknown): error is AccountLimitReached =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "AccountLimitReached"
