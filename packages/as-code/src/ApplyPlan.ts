/**
 * Computes the steps that bring the server in line with the files. Pure. The steps are ordered so that nothing is referenced
 * before it exists, or deleted while it is referenced.
 */
import { isDeepStrictEqual } from "node:util"
import type { Schema } from "effect"
import { type Current, type Kind, kinds, nameOf, type Wanted } from "./Resource.ts"

/** The change of one field; undefined where there is no value. */
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

export interface ApplyPlan {
  /** In the order of execution. */
  readonly steps: ReadonlyArray<Step>
  readonly unchanged: number
  /** Records that were created from files, are in none of these, and are kept. */
  readonly left: ReadonlyArray<Current>
  /** Records with fields that the caller may not read, so that they were not compared. */
  readonly hidden: ReadonlyArray<HiddenFields>
  /** Changes that are not possible, with what to do instead. */
  readonly refused: ReadonlyArray<Refusal>
}

/** The fields of a record that the caller may not read. */
export interface HiddenFields {
  readonly kind: Kind
  readonly key: string
  readonly fields: ReadonlyArray<string>
}

/** A change that is not possible, with what to do instead. */
export interface Refusal {
  readonly kind: Kind
  readonly key: string
  readonly field: string
  readonly message: string
}

/** The steps from the current state to the wanted one; without `prune`, nothing is deleted. */
export const make = (
  wanted: ReadonlyArray<Wanted>,
  current: ReadonlyArray<Current>,
  options: { readonly prune: boolean }
): ApplyPlan => {
  const there = new Map(current.map((one) => [nameOf(one), one]))
  const named = new Set(wanted.map(nameOf))
  const missing = current.filter((one) => !named.has(nameOf(one)))
  const pairs = parentsFirst(wanted).map((one) => {
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
    // Pages are deleted first, because a new page may use the slug of a deleted one; nothing refers to pages.
    steps: [
      ...of("channel"),
      ...of("monitor"),
      // Before the rules, which would alert in the meantime.
      ...of("maintenance"),
      // Rules name policies, which name schedules.
      ...of("schedule"),
      ...of("policy"),
      ...of("rule"),
      ...of("integration"),
      ...removed("page"),
      ...of("page"),
      ...removed("integration"),
      ...removed("rule"),
      ...removed("policy"),
      ...removed("schedule"),
      ...removed("maintenance"),
      ...removed("monitor"),
      ...removed("channel")
    ],
    unchanged: pairs.filter(({ changes, now }) => now !== undefined && changes.length === 0).length,
    left: options.prune ? [] : kinds.flatMap((kind) => missing.filter((one) => one.kind === kind)),
    hidden: pairs.flatMap(({ now, one: { key, kind } }) => (now === undefined ? [] : hiddenOf({ kind, key }, now))),
    refused: pairs.flatMap(({ changes, one }) => changes.flatMap((change) => objection(one, change)))
  }
}

/**
 * Monitors after those that they depend on, otherwise in the given order. It also keeps the server from seeing a cycle in
 * between, when a dependency is turned around. Monitors in a cycle stay where they are; the server names it.
 */
const parentsFirst = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<Wanted> => {
  const byName = new Map(wanted.map((one) => [nameOf(one), one]))
  const ordered = new Set<Wanted>()
  const begun = new Set<Wanted>()
  const add = (one: Wanted): void => {
    if (begun.has(one)) return
    begun.add(one)
    const { dependsOn } = one.fields
    for (const parent of one.kind === "monitor" && Array.isArray(dependsOn) ? dependsOn : []) {
      const found = byName.get(`monitor ${String(parent)}`)
      if (found !== undefined) add(found)
    }
    ordered.add(one)
  }
  for (const one of wanted) add(one)
  return [...ordered]
}

/** The fields of a record that were not compared, if there are any. */
export const hiddenOf = (
  { key, kind }: Pick<Wanted, "kind" | "key">,
  { hidden }: Pick<Current, "hidden">
): ReadonlyArray<HiddenFields> => (hidden.size === 0 ? [] : [{ kind, key, fields: [...hidden].sort() }])

/** The fields that differ. */
export const changesOf = ({ addresses, fields, masked, secret }: Wanted, now: Current): ReadonlyArray<Change> =>
  Object.keys({ ...now.fields, ...fields })
    .filter((field) => !now.overruled.has(field) && !same(field, fields, masked, now))
    .map((field) => ({
      field,
      from: now.fields[field],
      to: fields[field],
      shown: secret.has(field) ? "nothing" : addresses.has(field) ? "address" : "whole"
    }))

const same = (field: string, fields: Wanted["fields"], masked: Wanted["masked"], now: Current): boolean =>
  now.hidden.has(field) ||
  (masked.has(field) && field in fields && field in now.fields
    ? !now.differing.has(field)
    : isDeepStrictEqual(fields[field], now.fields[field]) ||
      (sets.has(field) && isDeepStrictEqual(sorted(fields[field]), sorted(now.fields[field]))))

/** Lists in which the order says nothing. */
export const sets: ReadonlySet<string> = new Set(["tags", "dependsOn"])

const sorted = (list: Schema.Json | undefined): unknown => (Array.isArray(list) ? list.toSorted() : list)

const objection = ({ key, kind }: Wanted, { field }: Change): ReadonlyArray<Refusal> => {
  if (kind === "monitor" && field === "type") {
    const message = "The type of a monitor cannot be changed; use another key to create a new monitor"
    return [{ kind, key, field, message }]
  }
  return []
}

/** The number of steps with an action. */
export const count = ({ steps }: ApplyPlan, action: Step["action"]): number =>
  steps.filter((step) => step.action === action).length
