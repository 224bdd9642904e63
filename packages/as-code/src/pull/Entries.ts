/** Records as entries of a file: without fields that have their default, and with secrets marked. Pure. */
import { isDeepStrictEqual } from "node:util"
import { dots, isMasked } from "@kanmon/core/Masking"
import { Result, Schema } from "effect"
import { sets } from "../ApplyPlan.ts"
import * as Decoding from "../Decoding.ts"
import { Shown } from "../References.ts"
import type { Current, Fields, Kinds } from "../Resource.ts"
import { address, type Draft, headers, Secret, type Value } from "../Secret.ts"

/** A record as an entry. */
export interface EntryDraft {
  /** Secrets are marked; fields with their default are left out. */
  readonly draft: Draft
  /** The same with all fields. */
  readonly whole: Draft
  /** Why files cannot hold the record as it is; empty if they can. */
  readonly objections: ReadonlyArray<string>
}

type Plain = Readonly<Record<string, Schema.Json>>

const decodeShown = Schema.decodeUnknownSync(Schema.Array(Shown))

/** A field under the name and in the form that people write. */
const spoken = (kind: Current["kind"], field: string, value: Schema.Json): readonly [string, Schema.Json] => {
  if (kind === "page" && field === "monitors")
    return [field, decodeShown(value).map((one) => (one.group === null ? one.monitor : { ...one }))]
  if (kind === "rule" && field === "triggers" && Array.isArray(value) && value.length === 1)
    return ["trigger", value[0]!]
  return [field, value]
}

/** Where a compared field is in an entry: `config.url` of a channel is a field of a field. */
export const spokenPath = ({ fields, kind }: Current, field: string): ReadonlyArray<string> =>
  kind === "channel" && field.startsWith("config.")
    ? ["config", field.slice("config.".length)]
    : [spoken(kind, field, fields[field] ?? null)[0]]

const entryValue = (kind: Current["kind"], fields: Fields): Plain => {
  const value: Record<string, Schema.Json> = {}
  const config: Record<string, Schema.Json> = {}
  for (const [field, inner] of Object.entries(fields)) {
    if (kind === "channel" && field.startsWith("config.")) config[field.slice("config.".length)] = inner
    else {
      const [name, written] = spoken(kind, field, inner)
      value[name] = written
    }
  }
  return kind === "channel" ? { ...value, config } : value
}

/** Valid in the place of a secret, as far as that can be known. */
export const standIn = "x".repeat(32)

interface Kind {
  /** Fields that may be secret, write-only ones included. */
  readonly secrets: ReadonlyArray<string>
  readonly writeOnly: ReadonlyArray<string>
  readonly example: Schema.JsonObject
}

const kindOf = ({ fields, kind }: Current, { channels, checks }: Kinds): Kind | undefined => {
  const type = String(fields["type"])
  if (kind === "channel") {
    const channel = channels.get(type)
    if (channel === undefined) return undefined
    const { example, secrets, sensitive = [] } = channel
    return { example, writeOnly: secrets, secrets: [...secrets, ...sensitive] }
  }
  const check = checks.get(type)
  return kind !== "monitor" ? none : check === undefined ? undefined : { ...check, writeOnly: check.writeOnly ?? [] }
}

const none: Kind = { secrets: [], writeOnly: [], example: {} }

const isObject = (value: unknown): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const eachText = <A>(value: Schema.Json, change: (text: string) => A | string): unknown =>
  typeof value === "string"
    ? change(value)
    : Array.isArray(value)
      ? value.map((inner: Schema.Json) => eachText(inner, change))
      : isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, eachText(inner, change)]))
        : value

/** Fields that the server shows as dots to this caller, although they are no secrets that it never returns. */
export const unreadable = ({ fields, kind, ...current }: Current, kinds: Kinds): ReadonlySet<string> => {
  const { writeOnly } = kindOf({ fields, kind, ...current }, kinds) ?? none
  return new Set(
    Object.keys(fields).filter((field) => !writeOnly.includes(innerName(field)) && hasText(fields[field]!, dots))
  )
}

const hasText = (value: Schema.Json, text: string): boolean =>
  value === text ||
  (Array.isArray(value)
    ? value.some((inner: Schema.Json) => hasText(inner, text))
    : isObject(value) && Object.values(value).some((inner) => hasText(inner, text)))

const innerName = (field: string): string => field.replace(/^config\./, "")

/** The fields with valid texts for masked ones, where an example has any. */
const decodable = (fields: Fields, { example, writeOnly }: Kind): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const name = innerName(field)
      const isSecret = writeOnly.includes(name)
      const shown = example[name]
      const instead = typeof shown === "string" ? shown : standIn
      const isHidden = (text: string): boolean => text === dots || isMasked(text, isSecret)
      return [field, eachText(value, (text) => (isHidden(text) ? instead : text)) as Schema.Json]
    })
  )

/** The field as it is written: a possible secret becomes a variable. */
const marked = (field: string, value: Schema.Json, { secrets, writeOnly }: Kind, kind: Current["kind"]): Value => {
  const name = innerName(field)
  const isWriteOnly = writeOnly.includes(name)
  if (hasText(value, dots) && !isWriteOnly)
    return eachText(value, (text) => (text === dots ? new Secret(undefined) : text)) as Value
  if (isWriteOnly || !secrets.includes(name)) {
    // A channel's plugin need not say which of its fields are addresses.
    const shown = (text: string) => (kind === "channel" && field !== name ? addressIn(text) : text)
    return eachText(value, (text) => (isMasked(text, isWriteOnly) ? new Secret(undefined) : shown(text))) as Value
  }
  if (typeof value === "string") return isAddress(value) ? address(value) : new Secret(value)
  if (isObject(value) && isTexts(value)) return headers(value)
  return eachText(value, (text) => new Secret(text)) as Value
}

const isTexts = (value: Schema.JsonObject): value is Readonly<Record<string, string>> =>
  Object.values(value).every((inner) => typeof inner === "string")

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const addressIn = (text: string): string | Secret => (isAddress(text) ? address(text) : text)

/** Fields without which an entry is not one. */
const kept = new Set(["type", "name", "title", "scheduledStart", "scheduledEnd", "slug"])

/** The entry of a record. */
export const draftOf = (current: Current, kinds: Kinds): EntryDraft => {
  const { kind, key } = current
  const found = kindOf(current, kinds)
  if (found === undefined) {
    const why = `its type ${String(current.fields["type"])} is not known here; set KANMON_PLUGINS to its plugin`
    return { draft: {}, whole: {}, objections: [why] }
  }
  const own = Object.fromEntries(Object.entries(current.fields).filter(([field]) => !current.overruled.has(field)))
  const fields = decodable(own, found)
  const decode = (some: Fields) => Decoding.fieldsOf(kind, { key, value: entryValue(kind, some) }, kinds)
  const hidden = unreadable(current, kinds)
  /** Whether the text of the field stands for another one. */
  const isSecret = (path: string): boolean =>
    found.writeOnly.includes(innerName(path)) ||
    [...hidden].some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
  const full = decode(fields)
  const objections = Result.isFailure(full)
    ? full.failure.errors
        .filter(({ path }) => !isSecret(path))
        .map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
    : Object.keys(full.success)
        .filter((field) => field in fields && !isSecret(field) && !equal(field, full.success[field], fields[field]))
        .map((field) => `${field}: files would change it`)
  const write = (some: Fields): Draft =>
    entryValue(
      kind,
      Object.fromEntries(
        Object.entries(some).map(([field, value]) => [field, marked(field, value, found, kind)])
      ) as unknown as Fields
    ) as unknown as Draft
  const needed = Result.isFailure(full) ? fields : shortened(fields, full.success, decode)
  const named = own["name"] === key || own["title"] === key ? omit(needed, ["name", "title"]) : needed
  const chosen = Object.fromEntries(Object.keys(named).map((field) => [field, own[field]!]))
  return { draft: write(chosen), whole: write(own), objections }
}

const omit = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field)))

/** Sets are equal in any order. */
const equal = (field: string, one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) ||
  (sets.has(field) && Array.isArray(one) && Array.isArray(other) && isDeepStrictEqual(one.toSorted(), other.toSorted()))

/** Without each field that changes nothing when it is left out. */
const shortened = (fields: Fields, full: Fields, decode: (some: Fields) => Result.Result<Fields, unknown>): Fields => {
  let rest = fields
  for (const field of Object.keys(fields)) {
    if (kept.has(field)) continue
    const less = omit(rest, [field])
    const decoded = decode(less)
    if (Result.isSuccess(decoded) && isDeepStrictEqual(decoded.success, full)) rest = less
  }
  return rest
}
