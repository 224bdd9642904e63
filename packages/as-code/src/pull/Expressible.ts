/** Which records files can hold. Pure. */
import { type Current, type Kind, type Kinds, nameOf } from "../Resource.ts"
import * as State from "../State.ts"
import { draftOf, type EntryDraft } from "./Entries.ts"
import { type Rows, titles } from "./Keys.ts"

/** A record that files cannot hold, with the reason. */
export interface LeftOut {
  readonly kind: Kind
  readonly title: string
  readonly why: string
}

/** References of a record to monitors and channels. */
const references = ({ fields, kind }: Current): ReadonlyArray<string> => {
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

/** Records that files can hold, oldest first, and why not the others: one that refers to a record that is left out is, too. */
export const expressible = (rows: Rows, kinds: Kinds) => {
  const names = titles(rows)
  const leftOut: Array<LeftOut> = []
  const drafts = new Map<string, EntryDraft>()
  let records = State.fromRows(rows, kinds.checks).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const one of records) drafts.set(one.id, draftOf(one, kinds))
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
      return missing === undefined ? undefined : `it refers to ${labelOf(missing, names)}, which is not in the files`
    })
  }
  return { records, drafts, leftOut }
}

const labelOf = (name: string, names: ReadonlyMap<string, string>): string => {
  const [kind, key] = name.split(" ") as [string, string]
  return `${kind} ${names.get(key) ?? key}`
}
