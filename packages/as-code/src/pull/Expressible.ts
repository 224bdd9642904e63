/** Which records files can hold. Pure. */
import { type Current, type Kind, type Kinds, kinds, nameOf } from "../Resource.ts"
import type { Directory } from "../Directory.ts"
import * as State from "../State.ts"
import { draftOf, type EntryDraft } from "./Entries.ts"
import { type Rows, titles } from "./Keys.ts"

/** A record that files cannot hold, with the reason. */
export interface LeftOut {
  readonly kind: Kind
  readonly title: string
  readonly why: string
}

/** References of a record to monitors and channels, or of an integration to its rule. */
const references = ({ fields, kind }: Current): ReadonlyArray<string> => {
  // Policies may name channels of other projects, and schedules that are in no file.
  if (kind === "policy" || kind === "schedule") return []
  if (kind === "integration") return [`rule ${String(fields["rule"])}`]
  const monitors = (fields["monitors"] ?? fields["dependsOn"] ?? []) as ReadonlyArray<
    string | { readonly monitor: string }
  >
  const channels = (fields["channels"] ?? []) as ReadonlyArray<string>
  return kind === "channel"
    ? []
    : [
        ...monitors.map((one) => `monitor ${typeof one === "string" ? one : one.monitor}`),
        ...channels.map((one) => `channel ${one}`)
      ]
}

/**
 * Records that files can hold, oldest first, and why not the others: one that refers to a record that is left out is, too.
 * `orphans`: rules of which every monitor or every channel was deleted.
 */
export const expressible = (rows: Rows, { channels, checks }: Kinds, directory: Directory = new Map()) => {
  const names = titles(rows)
  const leftOut: Array<LeftOut> = []
  // With the ID in the place of a key, where a record has none.
  const known = new Set(kinds.flatMap((kind) => rows[kind].map(({ id, key }) => `${kind} ${String(key ?? id)}`)))
  const orphans = new Set<string>()
  const drafts = new Map<string, EntryDraft>()
  let records = State.fromRows(rows, checks, directory).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const one of records) drafts.set(one.id, draftOf(one, { channels, checks }))
  const omit = (why: (one: Current) => string | undefined): boolean => {
    const before = records.length
    records = records.filter((one) => {
      const reason = why(one)
      if (reason !== undefined) leftOut.push({ kind: one.kind, title: names.get(one.id) ?? one.key, why: reason })
      return reason === undefined
    })
    return records.length < before
  }
  omit(({ id }) => drafts.get(id)!.objections[0])
  for (let more = true; more;) {
    const there = new Set(records.map(nameOf))
    more = omit((one) => {
      const missing = references(one).find((name) => !there.has(name))
      if (missing === undefined) return undefined
      const isDeleted = !known.has(missing)
      if (isDeleted) orphans.add(nameOf(one))
      return isDeleted
        ? `it names only ${missing.split(" ")[0]}s that were deleted; give it others, or delete it`
        : `it refers to ${labelOf(missing, names)}, which is not in the files`
    })
  }
  return { records, drafts, leftOut, orphans }
}

const labelOf = (name: string, names: ReadonlyMap<string, string>): string => {
  const [kind, key] = name.split(" ") as [string, string]
  return `${kind} ${names.get(key) ?? key}`
}
