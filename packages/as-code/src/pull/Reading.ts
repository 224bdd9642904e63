/**
 * Reads files for `kanmon pull`: a variable that is not set is no mistake. Its text is taken to be what the server has, as far as
 * the server shows it. Pure.
 */
import { parseDocument } from "yaml"
import { dots } from "@kanmon/core/Masking"
import { isObject, object } from "@kanmon/protocol/JsonSchema"
import type { Environment } from "../Environment.ts"
import * as Decoding from "../Decoding.ts"
import type { Mistake } from "../Place.ts"
import { type Current, type Kind, type Kinds, nameOf, type Wanted } from "../Resource.ts"
import * as Source from "../Source.ts"
import { standIn } from "./Entries.ts"

/** An entry of the files, as it is written and as it is meant. */
export interface Found {
  readonly entry: Source.Entry
  /** The name of its file. */
  readonly file: string
  /** With variables as they are written. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly wanted: Wanted
  /** Compared fields with a variable that is not set: nothing is known of them. */
  readonly unknown: ReadonlySet<string>
}

export interface Reading {
  readonly found: ReadonlyArray<Found>
  readonly mistakes: ReadonlyArray<Mistake>
  /** The kinds with a section in the files. */
  readonly sections: ReadonlySet<Kind>
  /** Every variable that the files name. */
  readonly variables: ReadonlySet<string>
  /** The variables that are not set. */
  readonly unset: ReadonlySet<string>
}

const variable = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

const namesIn = (text: string): ReadonlyArray<string> => [...text.matchAll(variable)].flatMap(([, name]) => name ?? [])

/** Whether a text of a file has a variable in it. */
export const hasVariable = (text: unknown): boolean => typeof text === "string" && namesIn(text).length > 0

const exampleOf = ({ kind, value }: Source.Entry, { channels, checks }: Kinds): Readonly<Record<string, unknown>> =>
  (kind === "channel" ? channels : kind === "monitor" ? checks : undefined)?.get(String(value["type"]))?.example ?? {}

export const read = (
  files: ReadonlyArray<Source.SourceFile>,
  environment: Environment,
  current: ReadonlyMap<string, Current>,
  kinds: Kinds
): Reading => {
  const variables = new Set(files.flatMap(({ text }) => namesIn(text)))
  const unset = new Set([...variables].filter((name) => environment[name] === undefined))
  const filled = { ...environment, ...Object.fromEntries([...unset].map((name) => [name, standIn])) }
  const source = Source.read(files, filled)
  const contents = new Map(files.map(({ name, text }) => [name, textsOf(text)]))
  const unknown = new Map<string, Set<string>>()
  const rawOf = (entry: Source.Entry) => {
    const { file } = entry.at("")
    const section = object(contents.get(file)?.[entry.section])
    return { file, raw: object(section[entry.key]) }
  }
  const entries = source.entries.map((entry): Source.Entry => {
    const own = new Set<string>()
    unknown.set(nameOf(entry), own)
    const example = exampleOf(entry, kinds)
    const server = plainOf(current.get(nameOf(entry)))
    const value = Object.fromEntries(
      Object.entries(entry.value).map(([field, inner]) => {
        const raw = rawOf(entry).raw[field]
        if (entry.kind !== "channel" || field !== "config")
          return [
            field,
            known(raw, inner, [server[field], example[field]], unset, () =>
              own.add(field === "trigger" ? "triggers" : field)
            )
          ]
        return [
          field,
          Object.fromEntries(
            Object.entries(object(inner)).map(([name, text]) => [
              name,
              known(object(raw)[name], text, [server[`config.${name}`], example[name]], unset, () =>
                own.add(`config.${name}`)
              )
            ])
          )
        ]
      })
    )
    return { ...entry, value }
  })
  const decoded = Decoding.decode(entries, kinds)
  const wanted = new Map(decoded.wanted.map((one) => [nameOf(one), one]))
  return {
    found: entries.flatMap((entry) => {
      const one = wanted.get(nameOf(entry))
      return one === undefined ? [] : [{ entry, ...rawOf(entry), wanted: one, unknown: unknown.get(nameOf(entry))! }]
    }),
    mistakes: [...source.mistakes, ...decoded.mistakes.map((mistake) => explained(mistake, entries, unknown, unset))],
    sections: source.sections,
    variables,
    unset
  }
}

/** A field with a variable that is not set may be refused for what stands in its place. */
const explained = (
  mistake: Mistake,
  entries: ReadonlyArray<Source.Entry>,
  unknown: ReadonlyMap<string, ReadonlySet<string>>,
  unset: ReadonlySet<string>
): Mistake => {
  const entry = entries.find(({ key, section }) => mistake.path.startsWith(`${section}.${key}.`))
  if (entry === undefined) return mistake
  const field = mistake.path.slice(`${entry.section}.${entry.key}.`.length)
  const isUnknown = [...unknown.get(nameOf(entry))!].some(
    (name) => field === name || /^[.[]/.test(field.slice(name.length))
  )
  if (!isUnknown) return mistake
  return {
    ...mistake,
    message: `Set the variables of this field, to compare it with the server: ${[...unset].join(", ")}`
  }
}

const textsOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return object(parseDocument(text, { merge: true }).toJS({ maxAliasCount: 1000 }))
  } catch {
    // The mistake is one of the source.
    return {}
  }
}

const plainOf = (current: Current | undefined): Readonly<Record<string, unknown>> => current?.fields ?? {}

/** The value with the first of these texts for each variable that is not set: the server's value, or an example. */
const known = (
  raw: unknown,
  value: unknown,
  instead: ReadonlyArray<unknown>,
  unset: ReadonlySet<string>,
  found: () => void
): unknown => {
  if (typeof raw === "string" && typeof value === "string") {
    if (!namesIn(raw).some((name) => unset.has(name))) return value
    found()
    return instead.find((text) => typeof text === "string" && !text.includes(dots)) ?? value
  }
  if (Array.isArray(raw) && Array.isArray(value))
    return value.map((inner: unknown, index) =>
      known(
        raw[index],
        inner,
        instead.map((list) => (Array.isArray(list) ? list[index] : undefined)),
        unset,
        found
      )
    )
  if (!isObject(raw) || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      known(
        raw[name],
        inner,
        instead.map((one) => object(one)[name]),
        unset,
        found
      )
    ])
  )
}
