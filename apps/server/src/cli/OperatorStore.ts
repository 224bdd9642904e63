/** Common code of `kanmon account` and `kanmon organization` to list, disable and enable. */
import { Operator } from "@kanmon/identity/operator"
import type { Page, PageOptions } from "@kanmon/platform/database/Page"
import { toIso } from "@kanmon/domain/Timestamp"
import { Effect, Layer, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { defaultPlan } from "../roles/ControlPlane.ts"
import { Settings } from "../Settings.ts"
import * as AccountStore from "./AccountStore.ts"

/** The rules of the operator's API, on the database itself. */
export const layer = Operator.layer.pipe(
  Layer.provideMerge(AccountStore.layer),
  Layer.provide(defaultPlan),
  Layer.provide(Settings.layer)
)

const pageSize = 1000

/** All pages of a list. */
export const all = Effect.fnUntraced(function* <A>(list: (page: PageOptions) => Effect.Effect<Page<A>>) {
  const found: Array<A> = []
  let cursor: string | undefined = undefined
  do {
    const page: Page<A> = yield* list({ limit: pageSize, cursor })
    found.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined)
  return found
})

/** The arguments of a list. */
export const listing = (searched: string) => ({
  search: Argument.String("search").pipe(Argument.withDescription(searched), Argument.optional),
  disabled: Flag.Boolean("disabled").pipe(
    Flag.withDescription("Only those that are disabled; --no-disabled: only the others"),
    Flag.optional
  ),
  json
})

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Prints JSON, with the fields of the API"),
  Flag.withDefault(false)
)

export const filterOf = (given: {
  readonly search: Option.Option<string>
  readonly disabled: Option.Option<boolean>
}) => ({
  text: Option.getOrUndefined(Option.filter(given.search, (text) => text !== "")),
  disabled: Option.getOrUndefined(given.disabled)
})

export const asJson = (value: unknown): string => JSON.stringify(value, undefined, 2)

export const dayOf = (at: number | null): string => (at === null ? "never" : toIso(at).slice(0, 10))

export const momentOf = (at: number | null): string => (at === null ? "never" : toIso(at))
