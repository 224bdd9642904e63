/** Compares files with the records of the server, and edits the files so that `kanmon apply` finds nothing to do. Pure. */
import { isDeepStrictEqual } from "node:util"
import { isObject, object } from "@kanmon/protocol/JsonSchema"
import * as ApplyPlan from "../ApplyPlan.ts"
import type { Environment } from "../Environment.ts"
import { byName, type Current, type Kind, type Kinds, nameOf, sectionOf, sections } from "../Resource.ts"
import { AsWritten, type Draft, Secret, type Value } from "../Secret.ts"
import type { SourceFile } from "../Source.ts"
import { type Variable, Written } from "../Written.ts"
import { type Edit, edited } from "./Editing.ts"
import { type EntryDraft, spokenPath } from "./Entries.ts"
import { type Found, hasVariable, read } from "./Reading.ts"

/** A difference between the server and the files. */
export type Drift =
  | {
      readonly what: "added"
      readonly kind: Kind
      readonly key: string
      readonly title: string
      readonly byHand: boolean
    }
  | {
      readonly what: "changed"
      readonly kind: Kind
      readonly key: string
      readonly changes: ReadonlyArray<ApplyPlan.Change>
    }
  | { readonly what: "gone"; readonly kind: Kind; readonly key: string; readonly removed: boolean }
  /** A rule of which every monitor or every channel was deleted on the server. */
  | { readonly what: "orphaned"; readonly kind: Kind; readonly key: string; readonly removed: boolean }
  /** A variable of the file has another value than the server. */
  | { readonly what: "environment"; readonly kind: Kind; readonly key: string; readonly field: string }

export interface Compared {
  readonly drift: ReadonlyArray<Drift>
  /** Variables that the files name from now on. */
  readonly variables: ReadonlyArray<Variable>
  /** The files that change. */
  readonly files: ReadonlyArray<SourceFile>
  /** How many entries are as the server has them. */
  readonly unchanged: number
}

export interface Comparison {
  readonly files: ReadonlyArray<SourceFile>
  /** The file for new entries. */
  readonly target: string
  readonly environment: Environment
  readonly kinds: Kinds
  /** Remove entries of records that are gone. */
  readonly prune: boolean
  /** The records that files can hold, in the order of creation. */
  readonly records: ReadonlyArray<Current>
  /** Their entries, by ID. */
  readonly drafts: ReadonlyMap<string, EntryDraft>
  readonly found: ReadonlyArray<Found>
  /** Variables that the files name. */
  readonly variables: ReadonlySet<string>
  /** Display names by ID. */
  readonly titles: ReadonlyMap<string, string>
  /** Names of all records that have keys. */
  readonly there: ReadonlySet<string>
  /** Names of rules of which every monitor or every channel was deleted. */
  readonly orphans: ReadonlySet<string>
  /** IDs of records that had no key. */
  readonly adopted: ReadonlySet<string>
}

/** The edits of each file. */
class Edits {
  readonly of = new Map<string, Array<Edit>>()

  add(file: string, ...edits: ReadonlyArray<Edit>): void {
    this.of.set(file, [...(this.of.get(file) ?? []), ...edits])
  }
}

/** The differences, and the files after the edits that remove them. */
export const compare = (given: Comparison): Compared => {
  const written = new Written(given.variables)
  const edits = new Edits()
  const found = byName(given.found.map((one) => ({ ...one.wanted, found: one })))
  const pairs = given.records.flatMap((now) => {
    const one = found.get(nameOf(now))?.found
    return one === undefined || now.over === true ? [] : [{ now, one }]
  })
  const drift = [
    ...Object.values(sections).flatMap((kind) => added(given, kind, new Set(found.keys()), written, edits)),
    ...pairs.flatMap((pair) => changed(given, pair, written, edits)),
    ...gone(given, edits)
  ]
  const sources = given.files.some(({ name }) => name === given.target)
    ? given.files
    : [...given.files, { name: given.target, text: "" }]
  const after = settled(
    given,
    sources.map((file) => edited(file, edits.of.get(file.name) ?? [])),
    pairs.map(({ now }) => now),
    drift,
    written
  )
  return {
    drift,
    files: after.filter(({ name, text }) => text !== (sources.find((one) => one.name === name)?.text ?? "")),
    variables: written.variables,
    unchanged: pairs.length - drift.filter(({ what }) => what === "changed").length
  }
}

/** Records in no file. */
const added = (
  given: Comparison,
  kind: Kind,
  found: ReadonlySet<string>,
  written: Written,
  edits: Edits
): ReadonlyArray<Drift> =>
  given.records.flatMap((now): ReadonlyArray<Drift> => {
    if (now.kind !== kind || now.over === true || found.has(nameOf(now))) return []
    const { draft } = given.drafts.get(now.id)!
    const value = written.entry(kind, now.key, draft)
    edits.add(given.target, { action: "set", path: [sectionOf[kind], now.key], value })
    const title = given.titles.get(now.id) ?? now.key
    return [{ what: "added", kind, key: now.key, title, byHand: given.adopted.has(now.id) }]
  })

interface Pair {
  readonly now: Current
  readonly one: Found
}

/** Fields that the server has otherwise. */
const changed = (given: Comparison, { now, one }: Pair, written: Written, edits: Edits): ReadonlyArray<Drift> => {
  const { key, kind } = now
  const draft = given.drafts.get(now.id)!
  const drift: Array<Drift> = []
  const changes: Array<ApplyPlan.Change> = []
  for (const change of differences(one, now)) {
    const value = reconciled(one, now, change.field, draft)
    if (value === "environment") {
      drift.push({ what: "environment", kind, key, field: change.field })
      continue
    }
    if (isDisputed(one, now, change.field, draft)) drift.push({ what: "environment", kind, key, field: change.field })
    // The server's value is the new one.
    changes.push({ ...change, from: change.to, to: change.from })
    const own = spokenPath(now, change.field)
    const entry = [sectionOf[kind], key]
    for (const other of aliases(change.field))
      if (other !== own[0] && other in one.raw) edits.add(one.file, { action: "remove", path: [...entry, other] })
    edits.add(
      one.file,
      value === undefined
        ? { action: "remove", path: [...entry, ...own] }
        : { action: "set", path: [...entry, ...own], value: written.field(kind, key, own, value) }
    )
  }
  return changes.length === 0 ? drift : [...drift, { what: "changed", kind, key, changes }]
}

/** Entries without a record, and rules that are left without what they were for. */
const gone = (given: Comparison, edits: Edits): ReadonlyArray<Drift> =>
  given.found.flatMap(({ file, wanted }): ReadonlyArray<Drift> => {
    const { fields, key, kind } = wanted
    const isOrphan = given.orphans.has(nameOf(wanted))
    if (given.there.has(nameOf(wanted)) && !isOrphan) return []
    const names = (field: string, of: Kind) =>
      ((fields[field] ?? []) as ReadonlyArray<string>).map((one) => `${of} ${one}`)
    // A rule to which the file gives others stays.
    const isLost =
      !isOrphan ||
      [...names("monitors", "monitor"), ...names("channels", "channel")].some((name) => !given.there.has(name))
    const removed = given.prune && isLost
    if (removed) edits.add(file, { action: "remove", path: [sectionOf[kind], key] })
    return [{ what: isOrphan ? "orphaned" : "gone", kind, key, removed }]
  })

/** Two names of one field. */
const aliases = (field: string): ReadonlyArray<string> => (field === "triggers" ? ["trigger", "triggers"] : [])

/**
 * Anchors are shared: an edit of an entry can reach another one, and a field that is merged in cannot be taken away. Such entries
 * are written as a whole.
 */
const settled = (
  given: Comparison,
  files: ReadonlyArray<SourceFile>,
  existing: ReadonlyArray<Current>,
  drift: ReadonlyArray<Drift>,
  written: Written,
  left = mostPasses
): ReadonlyArray<SourceFile> => {
  const current = byName(given.records)
  const values = Object.fromEntries(written.variables.map(({ name, value }) => [name, value]))
  const { found, mistakes } = read(files, { ...given.environment, ...values }, current, given.kinds)
  const broken = new Set(
    existing.filter((now) => {
      const one = found.find(({ wanted }) => nameOf(wanted) === nameOf(now))
      if (one === undefined) return mistakes.some(({ path }) => path.startsWith(`${sectionOf[now.kind]}.${now.key}`))
      const kept = new Set(
        drift.flatMap((entry) =>
          entry.what === "environment" && entry.kind === now.kind && entry.key === now.key ? [entry.field] : []
        )
      )
      return differences(one, { ...now, differing: new Set() }).some(({ field }) => !kept.has(field))
    })
  )
  if (broken.size === 0 || left === 0) return files
  const next = files.map((file) =>
    edited(
      file,
      [...broken].flatMap((now): ReadonlyArray<Edit> => {
        const own = given.found.find(({ wanted }) => nameOf(wanted) === nameOf(now))!
        if (own.file !== file.name) return []
        const path = [sectionOf[now.kind], now.key]
        const value = written.entry(now.kind, now.key, keeping(given.drafts.get(now.id)!.draft, own.raw) as Draft)
        return [{ action: "set", path, value }]
      })
    )
  )
  // An entry that was written as a whole may be what another one refers to.
  return settled(given, next, existing, drift, written, left - 1)
}

/** Every pass takes the entries with one alias less between them. */
const mostPasses = 5

/** A value with the variables that the file has in the place of its secrets. */
const keeping = (value: Value, raw: unknown): Value => {
  if (value instanceof Secret) return hasVariable(raw) ? new AsWritten(String(raw)) : value
  if (isObject(value) && isObject(raw))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keeping(inner as Value, raw[name])]))
  return value
}

/** A field with a variable that is not set is known only to be there. */
const differences = ({ unknown, wanted }: Found, now: Current): ReadonlyArray<ApplyPlan.Change> =>
  ApplyPlan.changesOf(wanted, now).filter(
    ({ field, from, to }) => !unknown.has(field) || from === undefined || to === undefined
  )

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, part) => (isObject(inner) ? inner[part] : undefined), value)

/**
 * The new value of a field of an entry; undefined where it is taken away, and "environment" where the file takes it from a
 * variable, which only its owner can change.
 */
const reconciled = (
  one: Found,
  now: Current,
  field: string,
  { draft, whole }: EntryDraft
): Value | "environment" | undefined => {
  const spoken = spokenPath(now, field)
  const [raw, meant] = [at(one.raw, spoken), at(one.entry.value, spoken)]
  // Left out where it has its default, unless it is merged in, where only another value hides it.
  const value = (at(draft, spoken) ?? at(whole, spoken) ?? undefined) as Value | undefined
  if (value === undefined) return undefined
  const merged = mergedValue(raw, meant, value)
  return isDeepStrictEqual(merged, asWritten(raw)) ? "environment" : merged
}

/** Whether a variable that the file keeps in the field has another value than the server. */
const isDisputed = (one: Found, now: Current, field: string, { whole }: EntryDraft): boolean => {
  const spoken = spokenPath(now, field)
  const differs = (raw: unknown, meant: unknown, value: unknown): boolean => {
    if (hasVariable(raw))
      return value instanceof Secret
        ? value.value === undefined
          ? now.differing.has(field)
          : value.before + value.value !== meant
        : typeof value === "string" && value !== meant
    return (
      isObject(raw) &&
      isObject(value) &&
      Object.keys(value).some((name) => differs(raw[name], object(meant)[name], value[name]))
    )
  }
  return differs(at(one.raw, spoken), at(one.entry.value, spoken), at(whole, spoken))
}

const asWritten = (raw: unknown): unknown => {
  if (hasVariable(raw)) return new AsWritten(String(raw))
  if (Array.isArray(raw)) return raw.map(asWritten)
  return isObject(raw) ? Object.fromEntries(Object.entries(raw).map(([name, inner]) => [name, asWritten(inner)])) : raw
}

const mergedValue = (raw: unknown, meant: unknown, value: Value): Value => {
  if (hasVariable(raw) && (value instanceof Secret || typeof value === "string")) return new AsWritten(String(raw))
  if (isObject(value) && !(value instanceof Secret) && isObject(raw))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, mergedValue(raw[name], object(meant)[name], inner as Value)])
    )
  return value
}
