/**
 * `kanmon pull`, in this order: read the records and the files, give keys to records without one, find what differs, and edit the
 * files so that `kanmon apply` finds nothing to do. Nothing is written here.
 */
import { Effect } from "effect"
import * as ApplyPlan from "../ApplyPlan.ts"
import type { Environment } from "../Environment.ts"
import type { Mistake } from "../Place.ts"
import { Remote, type RemoteFailure } from "../Remote.ts"
import { byKind, byName, type Kind, type Kinds, nameOf, organizationKinds } from "../Resource.ts"
import * as Source from "../Source.ts"
import * as State from "../State.ts"
import { compare, type Compared } from "./Comparing.ts"
import { unreadable } from "./Entries.ts"
import { expressible, type LeftOut } from "./Expressible.ts"
import { assign, type Named, type Rows, titles, withKeys } from "./Keys.ts"
import { type Found, read } from "./Reading.ts"

export interface Options {
  /** The file for new entries, which may not exist yet. */
  readonly target: string
  /** Leave records without a key alone. */
  readonly managed: boolean
  /** Remove entries of records that are gone. */
  readonly prune: boolean
  /** Also the schedules and policies of the organization, if the files have no sections for them. */
  readonly onCall?: boolean
}

/** A record that gets a key. */
export interface Adopted {
  readonly kind: Kind
  readonly id: string
  readonly key: string
}

export interface Pulled extends Compared {
  readonly project: string | undefined
  readonly adopted: ReadonlyArray<Adopted>
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Variables that are not set here, so that their fields were not compared. */
  readonly unset: ReadonlyArray<string>
  /** Records with fields that the caller reads as dots: no file can be written from them. */
  readonly unreadable: ReadonlyArray<ApplyPlan.HiddenFields>
  /** Fields that the caller may not read, so that they were not compared. */
  readonly hidden: ReadonlyArray<ApplyPlan.HiddenFields>
}

/** The files have mistakes; nothing can be said of them. */
export interface Unreadable {
  readonly mistakes: ReadonlyArray<Mistake>
}

export const pull = Effect.fnUntraced(function* (
  files: ReadonlyArray<Source.SourceFile>,
  environment: Environment,
  kinds: Kinds,
  options: Options
): Effect.fn.Return<Pulled | Unreadable, RemoteFailure, Remote> {
  const remote = yield* Remote
  const { sections } = Source.read(files, environment)
  const { directory, rows: all } = yield* State.fetch(
    remote.every,
    options.onCall === true ? organizationKinds : sections
  )
  const rows = byKind((kind) => current(kind, all[kind]))
  const first = read(files, environment, byName(State.fromRows(rows, kinds.checks, directory)), kinds)
  if (first.mistakes.length > 0) return { mistakes: first.mistakes }
  const assigned = options.managed ? new Map<string, string>() : assign(rows, first.found.map(asNamed))
  const { drafts, leftOut, orphans, records } = expressible(withKeys(rows, assigned), kinds, directory)
  // Again, because a record that has a key by now says what a variable stands for.
  const { found, mistakes, unset, variables } = read(files, environment, byName(records), kinds)
  if (mistakes.length > 0) return { mistakes }
  const there = byName(records)
  const named = State.fromRows(withKeys(rows, assigned), kinds.checks, directory)
  // Nothing is known of a field with a variable that is not set, and a secret of another type is another secret.
  const asked = found.flatMap(({ unknown, wanted }) =>
    there.get(nameOf(wanted))?.fields["type"] === wanted.fields["type"]
      ? [{ ...wanted, masked: new Set([...wanted.masked].filter((field) => !unknown.has(field))) }]
      : []
  )
  const compared = yield* State.comparisonOf(asked, there)
  const known = records.map((one) => ({ ...one, ...compared.get(nameOf(one)) }))
  return {
    project: yield* State.projectOf(rows),
    leftOut,
    unset: [...unset],
    unreadable: records.flatMap((one) => ApplyPlan.hiddenOf(one, { hidden: unreadable(one, kinds) })),
    hidden: known.flatMap((one) => ApplyPlan.hiddenOf(one, one)),
    adopted: records.flatMap(({ id, key, kind }) => (assigned.has(id) ? [{ kind, id, key }] : [])),
    ...compare({
      ...options,
      files,
      environment,
      kinds,
      drafts,
      found,
      records: known,
      variables,
      titles: titles(rows),
      there: new Set(named.map(nameOf)),
      orphans,
      adopted: new Set(assigned.keys())
    })
  }
})

/** Without maintenance windows that are over and in no file: they are history. */
const current = (kind: Kind, rows: Rows[Kind]): Rows[Kind] =>
  kind === "maintenance" ? rows.filter(({ key, status }) => status !== "resolved" || typeof key === "string") : rows

const asNamed = ({ wanted }: Found): Named => ({
  kind: wanted.kind,
  key: wanted.key,
  name: wanted.fields["name"] ?? wanted.fields["title"],
  type: wanted.fields["type"]
})

/** Gives the records their keys. */
export const adopt = Effect.fnUntraced(function* (adopted: ReadonlyArray<Adopted>) {
  const remote = yield* Remote
  for (let from = 0; from < adopted.length; from += changesAtOnce)
    yield* remote.change(
      adopted
        .slice(from, from + changesAtOnce)
        .map(({ id, key, kind }) => ({ action: "update", kind, id, body: { key } })),
      false
    )
})

const changesAtOnce = 1000
