/**
 * The contract of the AsyncAPI document without its descriptions: addresses, messages, schemas, retention. A snapshot is
 * kept, and new versions must be compatible with it; see docs/decisions/0009.
 */
import * as fs from "node:fs/promises"
import * as AsyncApiDocument from "@kanmon/monitoring/testing/events/AsyncApiDocument.ts"
import { breakages as schemaBreakages, type Breakage, type JsonSchema } from "./SchemaCompatibility.ts"

export interface PublishedEvents {
  readonly channels: Readonly<Record<string, Channel>>
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>
    readonly schemas: Readonly<Record<string, unknown>>
  }
}

interface Channel {
  readonly address: string
  readonly messages: ReadonlyArray<string>
  readonly stream?: string
  readonly maxAgeSeconds?: number
}

interface Message {
  readonly contentType: string
  /** Schemas with references into `components`. */
  readonly headers?: unknown
  readonly payload: unknown
}

const snapshot = new URL("../contract/golden/events.json", import.meta.url)

/** The published snapshot. */
export const before = async (): Promise<PublishedEvents> => JSON.parse(await fs.readFile(snapshot, "utf8"))

/** The current document. */
export const now = (): PublishedEvents => of(AsyncApiDocument.make("http://127.0.0.1:3000", "0.0.0"))

export const accept = (events: PublishedEvents): Promise<void> =>
  fs.writeFile(snapshot, `${JSON.stringify(events, null, 2)}\n`)

export const of = ({ channels, components }: any): PublishedEvents => ({
  channels: Object.fromEntries(
    Object.entries<any>(channels).map(([name, { address, messages, "x-jetstream": kept }]) => [
      name,
      {
        address,
        messages: Object.keys(messages),
        ...(kept && { stream: kept.stream, maxAgeSeconds: kept.maxAgeSeconds })
      }
    ])
  ),
  components: {
    messages: Object.fromEntries(
      Object.entries<any>(components.messages).map(([type, { contentType, headers, payload }]) => [
        type,
        { contentType, ...(headers && { headers: withoutProse(headers) }), payload: withoutProse(payload) }
      ])
    ),
    schemas: Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [name, withoutProse(schema)])
    )
  }
})

/** Breaking changes for consumers. New channels and messages are not: consumers ignore unknown ones. */
export const breakages = (before: PublishedEvents, after: PublishedEvents): ReadonlyArray<Breakage> => [
  ...Object.entries(before.channels).flatMap(([name, was]) => {
    const is = after.channels[name]
    return is === undefined ? [{ path: name, what: "the channel is gone" }] : channelBreakages(name, was, is)
  }),
  ...Object.entries(before.components.messages).flatMap(([type, was]) => {
    const is = after.components.messages[type]
    if (is === undefined) return [{ path: type, what: "the message is gone" }]
    return [
      ...(was.contentType === is.contentType ? [] : [{ path: type, what: `the content type is ${is.contentType}` }]),
      ...schemaBreakages(schemaOf(before, was.headers), schemaOf(after, is.headers), `${type} headers`),
      ...schemaBreakages(schemaOf(before, was.payload), schemaOf(after, is.payload), type)
    ]
  })
]

const channelBreakages = (path: string, was: Channel, is: Channel): ReadonlyArray<Breakage> => [
  ...(["address", "stream"] as const)
    .filter((key) => was[key] !== is[key])
    .map((key) => ({ path, what: `the ${key} was ${was[key]}, and is ${is[key]}` })),
  ...((is.maxAgeSeconds ?? 0) < (was.maxAgeSeconds ?? 0) ? [{ path, what: "messages are kept less long" }] : []),
  ...was.messages
    .filter((type) => !is.messages.includes(type))
    .map((type) => ({ path, what: `${type} is no longer sent here` }))
]

/** The schema with all references resolved. */
const schemaOf = (events: PublishedEvents, node: unknown = {}): JsonSchema => flat(resolved(events, node))

const resolved = (events: PublishedEvents, node: any): any => {
  if (Array.isArray(node)) return node.map((entry) => resolved(events, entry))
  if (typeof node !== "object" || node === null) return node
  if (typeof node.$ref !== "string")
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(events, value)]))
  const path: ReadonlyArray<string> = node.$ref.slice(2).split("/")
  return resolved(
    events,
    path.reduce((found: any, key) => found[key], events)
  )
}

/** Merges `allOf`, which combines a common part with a message's own. */
const flat = ({ allOf = [], ...rest }: any): any => [...allOf.map(flat), rest].reduce(both)

const both = (one: any, other: any): any => {
  const properties = { ...one.properties }
  for (const [name, more] of Object.entries<any>(other.properties ?? {}))
    properties[name] = { ...properties[name], ...more }
  return {
    ...one,
    ...other,
    properties,
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  }
}

const prose = new Set(["title", "description", "examples"])

/** Removes descriptions and titles. */
const withoutProse = (node: any): any => {
  if (Array.isArray(node)) return node.map(withoutProse)
  if (typeof node !== "object" || node === null) return node
  const { properties, ...rest } = node
  const kept = Object.entries(rest).filter(([key]) => !prose.has(key))
  return {
    ...withoutProseIn(kept),
    // A field may be named `title`.
    ...(properties && { properties: withoutProseIn(Object.entries(properties)) })
  }
}

const withoutProseIn = (entries: ReadonlyArray<readonly [string, unknown]>) =>
  Object.fromEntries(entries.map(([key, value]) => [key, withoutProse(value)]))
