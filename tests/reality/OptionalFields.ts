/** Values of all optional fields of all kinds, from the schemas of files: a new field is covered when it is declared. */
import { createPrivateKey } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as FileSchema from "@kanmon/as-code/FileSchema"
import * as Remote from "@kanmon/as-code/Remote"
import { type Fields, type Kind, sections } from "@kanmon/as-code/Resource"
import type { Entry } from "@kanmon/as-code/Source"
import { load } from "@kanmon/core/PluginHost"
import { isObject, type Json, jsonSchema, object, requiredOf } from "@kanmon/protocol/JsonSchema"
import { certificates } from "@kanmon/testkit/Certificates"
import { ProjectId } from "@kanmon/domain/Ids"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { person, port } from "../integration/http/Server.ts"
import { organizationOf } from "../integration/http/Team.ts"
import { bundled } from "../../apps/server/src/plugins.gen.ts"

export const kinds = await Effect.runPromise(load(bundled))
const document = FileSchema.make(kinds)

export type Value = Readonly<Record<string, unknown>>

/** A kind of record with what it needs; contexts are further fields, with which others make sense. */
interface Subject {
  readonly kind: Kind
  readonly name: string
  readonly base: Value
  readonly contexts: ReadonlyArray<Value>
  /** The optional fields; those of a channel's configuration as `config.x`. */
  readonly fields: ReadonlyArray<string>
}

const only = (names: ReadonlyArray<string>, value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))

const namesOf = (kind: Kind, type?: string, path: ReadonlyArray<string> = []) =>
  FileSchema.namesAt(document, kind, type, path)

const credentials = [
  { authentication: "basic", username: "ada", password: "secret-1" },
  { authentication: "bearer", token: "token-1" },
  { jsonPath: "$.a", jsonEquals: 1 },
  { method: "POST", body: "text" },
  { schedule: "0 5 * * *", timezone: "Europe/Berlin" },
  { username: "ada", password: "secret-1" }
]

/** A member of the organization, as files name people. */
const onCall = "on-call@example.org"
const weeks = {
  name: "Weeks",
  participants: [onCall],
  rotation: { every: 1, unit: "week" },
  handoff: { time: "09:00" },
  startsOn: "2026-01-05"
}
const office = { weekdays: ["mon"], from: "09:00", to: "17:00" }

const subjects: ReadonlyArray<Subject> = [
  ...[...kinds.checks.values()].map(({ config, example, type }): Subject => {
    const required = requiredOf(jsonSchema(config))
    return {
      kind: "monitor",
      name: type,
      base: { type, ...only(required, example) },
      contexts: [{}, ...credentials, example],
      fields: namesOf("monitor", type).filter((name) => name !== "type" && !required.includes(name))
    }
  }),
  ...[...kinds.channels.values()].map(({ config, example, type }): Subject => {
    const required = requiredOf(jsonSchema(config))
    return {
      kind: "channel",
      name: type,
      base: { type, config: only(required, example) },
      contexts: [{}, ...[...credentials, example].map((inner) => ({ config: inner }))],
      fields: [
        "name",
        ...namesOf("channel", type, ["config"])
          .filter((name) => !required.includes(name))
          .map((name) => `config.${name}`)
      ]
    }
  }),
  { kind: "rule", name: "rule", base: {}, contexts: [{}], fields: namesOf("rule") },
  {
    kind: "schedule",
    name: "schedule",
    base: { timezone: "UTC", layers: [weeks] },
    contexts: [{}],
    fields: namesOf("schedule").filter((name) => name !== "timezone" && name !== "layers")
  },
  {
    kind: "policy",
    name: "policy",
    base: { steps: [{ afterMinutes: 0, notify: [{ user: onCall }] }] },
    contexts: [{}],
    fields: namesOf("policy").filter((name) => name !== "steps")
  },
  {
    kind: "integration",
    name: "integration",
    base: { type: "generic", rule: "other" },
    contexts: [{}],
    fields: namesOf("integration").filter((name) => name !== "type" && name !== "rule")
  },
  {
    kind: "page",
    name: "page",
    base: { slug: "p-KEY" },
    contexts: [{}],
    fields: namesOf("page").filter((name) => name !== "slug")
  },
  {
    kind: "maintenance",
    name: "maintenance",
    base: { scheduledStart: "2099-01-01T00:00:00Z", scheduledEnd: "2099-01-01T01:00:00Z" },
    contexts: [{}, { recurrence: "FREQ=DAILY" }],
    fields: namesOf("maintenance").filter((name) => !name.startsWith("scheduled"))
  }
]

const texts = [
  "first",
  "second",
  "https://a.example/",
  "https://b.example/",
  "a.example",
  "b.example",
  "203.0.113.7",
  "203.0.113.8",
  "203.0.113.7:53",
  "203.0.113.8:53",
  "0 5 * * *",
  "0 6 * * *",
  "Europe/Berlin",
  "America/New_York",
  "$.a",
  "$.b",
  "FREQ=DAILY",
  "FREQ=WEEKLY",
  "KEY.example.net",
  "KEY.example.org",
  "a@example.org",
  "b@example.org",
  "eu-west",
  "us-east",
  "+4930123456",
  "+4930123457",
  "#first",
  "#second",
  "0123456789abcdef",
  "fedcba9876543210",
  "other",
  "another",
  "200-299"
]
const numbers = [0, 1, 2, 3, 5, 10, 20, 60, 90, 200, 1_000]

/** Values of fields whose rules are not in their schemas. */
const named: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  // No two pages have one domain.
  customDomain: ["KEY.example.net", "KEY.example.org"],
  recurrence: ["FREQ=DAILY", "FREQ=WEEKLY"],
  // Each part of it may be left out.
  mapping: [{ key: "/id" }, { key: "/name" }],
  coverage: [[office], [{ ...office, to: "18:00" }]],
  timezone: ["Europe/Berlin", "America/New_York"],
  jsonAssertions: [1, 2].map((value) => [{ jsonPath: "$.a", operator: "equals", value }]),
  headerAssertions: ["a", "b"].map((value) => [{ header: "x-state", operator: "equals", value }])
}

/** Values that a schema may allow; most of those that it does not are left out when they are decoded. */
const valuesOf = (schema: Json, depth = 0): ReadonlyArray<unknown> => {
  if ("const" in schema) return [schema["const"]]
  if (Array.isArray(schema["enum"])) return schema["enum"]
  const examples = Array.isArray(schema["examples"]) ? schema["examples"] : []
  const target = schema["$ref"]
  const alternatives = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject).flatMap((one) => valuesOf(one, depth)) : []
  )
  if (typeof target === "string")
    return target.endsWith("/key")
      ? ["other", "another"]
      : valuesOf(object(object(document["$defs"])[target.slice(8)]), depth)
  const { type } = schema
  const own =
    type === "boolean"
      ? [true, false]
      : type === "integer" || type === "number"
        ? [...numbers, schema["minimum"], schema["maximum"]].filter((one) => typeof one === "number")
        : type === "array"
          ? valuesOf(object(schema["items"]), depth + 1)
              .slice(0, 60)
              .map((one) => [one])
          : type === "object" && depth < 3
            ? objectsOf(schema, depth)
            : type === "string" || alternatives.length === 0
              ? [...texts, ...(type === undefined ? numbers : [])]
              : []
  return [...examples, ...alternatives, ...own]
}

const objectsOf = (schema: Json, depth: number): ReadonlyArray<Value> => {
  const required = requiredOf(schema)
  const properties = Object.entries(object(schema["properties"])).filter(([name]) => required.includes(name))
  if (properties.length === 0) return texts.slice(0, 2).map((text) => ({ [`x-${text}`]: text }))
  const choices = properties.map(([name, inner]) => [name, valuesOf(object(inner), depth + 1)] as const)
  const most = Math.max(...choices.map(([, values]) => values.length))
  return Array.from({ length: Math.min(most, 40) }, (_, index) =>
    Object.fromEntries(choices.map(([name, values]) => [name, values[index % values.length]]))
  )
}

/** The schemas of the field in the file. */
const schemasOf = ({ base, kind }: Subject, field: string): ReadonlyArray<Json> => {
  const found: Array<Json> = []
  const visit = (node: unknown, path: ReadonlyArray<string>): void => {
    if (!isObject(node)) return
    const condition = object(object(object(node["if"])["properties"])["type"])["const"]
    if (condition !== undefined && condition !== base["type"]) return
    const inner = object(node["properties"])[path[0]!]
    if (isObject(inner)) {
      if (path.length === 1) found.push(inner)
      else visit(inner, path.slice(1))
    }
    for (const list of [node["allOf"], node["anyOf"], [node["then"]]])
      if (Array.isArray(list)) list.forEach((one) => visit(one, path))
  }
  visit(object(document["$defs"])[kind], field.split("."))
  return found
}

export const withField = (value: Value, field: string, own: unknown): Value =>
  field.startsWith("config.")
    ? { ...value, config: { ...object(value["config"]), [field.slice("config.".length)]: own } }
    : { ...value, [field]: own }

export const withoutField = (value: Value, field: string): Value => {
  const { [field]: _, ...rest } = value
  if (!field.startsWith("config.")) return rest
  const { [field.slice("config.".length)]: __, ...config } = object(value["config"])
  return { ...rest, config }
}

export const merged = (base: Value, context: Value): Value => ({
  ...base,
  ...context,
  ...(isObject(base["config"]) ? { config: { ...base["config"], ...object(context["config"]) } } : {})
})

const sectionOf = (kind: Kind) =>
  (Object.keys(sections) as ReadonlyArray<keyof typeof sections>).find((section) => sections[section] === kind)!

export const entry = (kind: Kind, key: string, value: Value): Entry => ({
  kind,
  section: sectionOf(kind),
  key,
  value: JSON.parse(JSON.stringify(value).replaceAll(/(?<!PRIVATE )KEY/g, key)) as Value,
  fromEnvironment: new Set(),
  at: () => ({ file: key, line: 1, column: 1 })
})

export const others = ["other", "another"].flatMap((key) => [
  entry("monitor", key, { type: "ping", host: "a.example" }),
  entry("channel", key, { type: "webhook", config: { url: "https://a.example/" } }),
  entry("rule", key, { trigger: "external" })
])

/** The fields of a value; undefined if it is not valid. */
const decoded = (kind: Kind, value: Value): Fields | undefined => {
  const refers = /"(?:other|another)"/.test(JSON.stringify(value))
  const { mistakes, wanted } = Decoding.decode([...(refers ? others : []), entry(kind, "k", value)], kinds)
  return mistakes.length > 0 ? undefined : wanted.find(({ key }) => key === "k")?.fields
}

/** A record without the field, and with two values of it; with one where there is no third beside the default. */
export interface Case {
  readonly subject: Subject
  readonly field: string
  readonly context: Value
  readonly values: readonly [first: unknown, second?: unknown]
}

const caseOf = (subject: Subject, field: string): Case | undefined => {
  const candidates = named[field] ?? schemasOf(subject, field).flatMap((schema) => valuesOf(schema))
  const known = new Set(["type", "config", ...Object.keys(subject.base), ...subject.fields])
  const isKnown = (context: Value): boolean =>
    Object.keys(context).every((name) => known.has(name)) &&
    Object.keys(object(context["config"])).every(
      (name) => known.has(`config.${name}`) || name in object(subject.base["config"])
    )
  for (const context of subject.contexts.filter(isKnown)) {
    const without = withoutField(merged(subject.base, context), field)
    const base = decoded(subject.kind, without)
    if (base === undefined) continue
    const found: Array<{ readonly value: unknown; readonly fields: Fields }> = []
    for (const value of candidates) {
      const fields = decoded(subject.kind, withField(without, field, value))
      if (fields === undefined || isDeepStrictEqual(fields, base)) continue
      if (found.some((one) => isDeepStrictEqual(one.fields, fields))) continue
      found.push({ value, fields })
      if (found.length === 2) break
    }
    const [first, second] = found.map(({ value }) => value)
    if (found.length > 0) return { subject, field, context, values: found.length === 1 ? [first] : [first, second] }
  }
  return undefined
}

const cases = subjects.flatMap((subject) =>
  subject.fields.map((field) => ({ subject, field, found: caseOf(subject, field) }))
)

/** They come and go together with others, or are not allowed for the type. */
export const excepted = cases.flatMap(({ field, found, subject }) =>
  found === undefined ? [`${subject.name}.${field}`] : []
)

/** Fields that make sense together alone: values of all of them, one after the other; the first and the last without them. */
export interface Group {
  readonly kind: Kind
  readonly base: Value
  readonly fields: ReadonlyArray<string>
  readonly values: ReadonlyArray<Value>
}

const basic = { authentication: "basic", username: "ada", password: "secret-1" }
const made = await Effect.runPromise(certificates)
const [one, second] = [made.good, made.expired]
const encrypted = createPrivateKey(second.key)
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret-3" })
  .toString()

export const groups: ReadonlyArray<Group> = [
  {
    kind: "monitor",
    base: { type: "http", url: "https://a.example/" },
    fields: ["http.authentication", "http.username", "http.password", "http.token"],
    values: [
      {},
      basic,
      { ...basic, username: "bob" },
      { ...basic, username: "bob", password: "secret-2" },
      { authentication: "bearer", token: "token-1" },
      { authentication: "bearer", token: "token-2" },
      basic,
      {}
    ]
  },
  {
    kind: "monitor",
    base: { type: "http", url: "https://a.example/" },
    fields: ["http.clientCertificate", "http.clientKey", "http.clientKeyPassphrase"],
    values: [
      {},
      { clientCertificate: one.cert, clientKey: one.key },
      { clientCertificate: second.cert, clientKey: encrypted, clientKeyPassphrase: "secret-3" },
      { clientCertificate: second.cert, clientKey: second.key },
      {}
    ]
  },
  {
    kind: "monitor",
    base: { type: "dns", hostname: "a.example", recordType: "A", expectedValues: ["203.0.113.7", "203.0.113.8"] },
    fields: ["dns.match"],
    values: [{}, { match: "all" }, { match: "exactly" }, {}]
  },
  {
    kind: "schedule",
    base: { timezone: "UTC" },
    fields: [],
    values: [
      { layers: [weeks] },
      { layers: [{ ...weeks, endsOn: "2030-01-01" }] },
      { layers: [{ ...weeks, restrictions: [office] }] },
      { layers: [{ ...weeks, restrictions: [office], rotation: { ...weeks.rotation, skipEmpty: true } }] },
      { layers: [{ ...weeks, handoff: { time: "09:00", weekday: "wed" } }] },
      { layers: [{ ...weeks, rotation: { every: 1, unit: "month" }, handoff: { time: "09:00", day: 31 } }] },
      { layers: [weeks, { ...weeks, name: "Nights" }] },
      { layers: [weeks] },
      { layers: [weeks], timezone: "Europe/Berlin" }
    ]
  },
  {
    kind: "policy",
    base: {},
    fields: [],
    values: [
      { steps: [{ afterMinutes: 0, notify: [{ user: onCall }] }] },
      { steps: [{ afterMinutes: 5, notify: [{ user: onCall }, { schedule: "other" }] }] },
      { steps: [{ afterMinutes: 5, notify: [{ schedule: "other", position: "next" }] }] },
      { steps: [{ afterMinutes: 5, notify: [{ team: "SRE" }] }] },
      { steps: [{ afterMinutes: 0, notify: [{ user: onCall }] }] }
    ]
  },
  {
    kind: "channel",
    base: { type: "ntfy" },
    fields: ["ntfy.config.username", "ntfy.config.password"],
    values: [
      {},
      { username: "ada", password: "secret-1" },
      { username: "bob", password: "secret-1" },
      { username: "bob", password: "secret-2" },
      { token: "tk_first" },
      { username: "ada", password: "secret-1" },
      {}
    ].map((login) => ({ config: { topic: "alerts-of-a-group", ...login } }))
  }
]

/** What a job that reports has not: it is not checked. */
export const refusedFields = ["heartbeat.retryInterval", "heartbeat.regions"]

export const singles = cases.flatMap(({ found }) => found ?? [])

/** Two fields of one kind that fit together, with and without each of them. */
export interface Pair {
  readonly one: Case
  readonly other: Case
  readonly context: Value
}

export const pairOf = (one: Case, other: Case): Pair | undefined => {
  const { kind } = one.subject
  const context = merged(withoutField(merged(one.subject.base, one.context), other.field), other.context)
  const bare = withoutField(withoutField(context, one.field), other.field)
  const [first, second] = [withField(bare, one.field, one.values[0]), withField(bare, other.field, other.values[0])]
  const fits = [bare, first, second, withField(first, other.field, other.values[0])].every(
    (value) => decoded(kind, value) !== undefined
  )
  return fits ? { one, other, context: bare } : undefined
}

export const everyPair = singles.flatMap((one, index) =>
  singles.slice(index + 1).flatMap((other) => (other.subject === one.subject ? [[one, other] as const] : []))
)

/** Runs with the project of a new person, whose organization has the people, the team and the records that values name. */
export const withRemote = <A, E>(run: Effect.Effect<A, E, Remote.Remote>) =>
  Effect.gen(function* () {
    const [ada, at] = [yield* person, yield* port]
    const organizationId = yield* organizationOf(ada)
    const steps = [{ afterMinutes: 0, notify: [{ userId: ada.userId }] }]
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE users SET email = id || '@example.org' WHERE email = ${onCall}`
    yield* sql`UPDATE users SET email = ${onCall} WHERE id = ${ada.userId}`
    yield* ada.withSession("POST", `/organizations/${organizationId}/teams`, { name: "SRE" })
    yield* ada.withSession("POST", `/organizations/${organizationId}/schedules`, {
      timezone: "UTC",
      name: "other",
      key: "other",
      layers: [{ ...weeks, participants: [{ userId: ada.userId }] }]
    })
    for (const key of ["other", "another"])
      yield* ada.withSession("POST", `/organizations/${organizationId}/escalation-policies`, { name: key, key, steps })
    const made = yield* ada.withSession("POST", `/organizations/${organizationId}/api-keys`, {
      name: "Files",
      role: "admin"
    })
    const credential = { apiKey: Redacted.make(String(made.body.apiKey)), project: ProjectId.make(ada.projectId) }
    return yield* run.pipe(Effect.provide(Remote.layer(`http://127.0.0.1:${at}`, credential)))
  })
