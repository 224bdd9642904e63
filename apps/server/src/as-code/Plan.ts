/**
 * What has to be done so that the server has what the files want. Pure: it looks at both, and orders the steps so that nothing
 * is named before it exists or deleted while it is named.
 */
import { isDeepStrictEqual } from "node:util"
import type { Schema } from "effect"
import { type Current, type Kind, kinds, nameOf, type Wanted } from "./Resource.ts"

/** One field, before and after; undefined where there is none. */
export interface Change {
  readonly field: string
  readonly from: Schema.Json | undefined
  readonly to: Schema.Json | undefined
  /** How much of the values may be printed. */
  readonly shown: "whole" | "address" | "nothing"
}

export type Step =
  | { readonly action: "create"; readonly kind: Kind; readonly key: string; readonly wanted: Wanted }
  | {
      readonly action: "update"
      readonly kind: Kind
      readonly key: string
      readonly id: string
      readonly wanted: Wanted
      readonly changes: ReadonlyArray<Change>
    }
  | { readonly action: "delete"; readonly kind: Kind; readonly key: string; readonly id: string }

export interface Plan {
  /** In the order in which they are to be taken. */
  readonly steps: ReadonlyArray<Step>
  readonly unchanged: number
  /** What was once made from a file, is in none of these, and stays. */
  readonly left: ReadonlyArray<Current>
  /** What cannot be done, and what to do instead. */
  readonly refused: ReadonlyArray<Refusal>
}

interface Refusal {
  readonly kind: Kind
  readonly key: string
  readonly field: string
  readonly message: string
}

/** The steps from what is there to what is wanted; without `prune` nothing is deleted. */
export const make = (
  wanted: ReadonlyArray<Wanted>,
  current: ReadonlyArray<Current>,
  options: { readonly prune: boolean }
): Plan => {
  const there = new Map(current.map((one) => [nameOf(one), one]))
  const named = new Set(wanted.map(nameOf))
  const missing = current.filter((one) => !named.has(nameOf(one)))
  const pairs = wanted.map((one) => {
    const now = there.get(nameOf(one))
    return { one, now, changes: now === undefined ? [] : changesOf(one, now) }
  })
  const of = (kind: Kind): ReadonlyArray<Step> =>
    pairs.flatMap(({ changes, now, one }): ReadonlyArray<Step> => {
      if (one.kind !== kind) return []
      const { key } = one
      if (now === undefined) return [{ action: "create", kind, key, wanted: one }]
      return changes.length === 0 ? [] : [{ action: "update", kind, key, id: now.id, wanted: one, changes }]
    })
  const removed = (kind: Kind): ReadonlyArray<Step> =>
    options.prune
      ? missing.filter((one) => one.kind === kind).map(({ id, key }) => ({ action: "delete", kind, key, id }))
      : []
  return {
    // A page that goes frees its address, which the next one may want; nothing names it.
    steps: [
      ...of("channel"),
      ...of("monitor"),
      ...of("rule"),
      ...removed("page"),
      ...of("page"),
      ...removed("rule"),
      ...removed("monitor"),
      ...removed("channel")
    ],
    unchanged: pairs.filter(({ changes, now }) => now !== undefined && changes.length === 0).length,
    left: options.prune ? [] : kinds.flatMap((kind) => missing.filter((one) => one.kind === kind)),
    refused: pairs.flatMap(({ changes, one }) => changes.flatMap((change) => objection(one, change)))
  }
}

const changesOf = ({ addresses, fields, masked, secret }: Wanted, now: Current): ReadonlyArray<Change> =>
  Object.keys({ ...now.fields, ...fields })
    .filter((field) => !now.overruled.has(field) && !same(field, fields, masked, now))
    .map((field) => ({
      field,
      from: now.fields[field],
      to: fields[field],
      shown: secret.has(field) ? "nothing" : addresses.has(field) ? "address" : "whole"
    }))

const same = (field: string, fields: Wanted["fields"], masked: Wanted["masked"], now: Current): boolean =>
  masked.has(field) && field in fields && field in now.fields
    ? !now.differing.has(field)
    : isDeepStrictEqual(fields[field], now.fields[field])

const objection = ({ key, kind, lasting }: Wanted, { field, to }: Change): ReadonlyArray<Refusal> => {
  if (kind === "monitor" && field === "type") {
    const message = "The type of a monitor cannot be changed; give it another key to make a new one"
    return [{ kind, key, field, message }]
  }
  if (to === undefined && lasting.has(field)) {
    const message = `A monitor cannot lose its ${field} again; give it another key to make a new one`
    return [{ kind, key, field, message }]
  }
  return []
}

/** How many steps there are of an action. */
export const count = ({ steps }: Plan, action: Step["action"]): number =>
  steps.filter((step) => step.action === action).length
