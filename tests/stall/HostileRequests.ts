/**
 * Hostile requests for every operation of the contract: each field of path, query, headers and body in turn holds text or
 * structure that makes a careless reader work long, at the largest size that is not refused before it is read.
 */
import * as RequestBounds from "@kanmon/platform/http/RequestBounds"
import { ends, manyNames, nested, nth, plainShapes, repeated, shapes } from "./Shapes.ts"

/** The largest JSON text: a little below one MiB. */
const maxBody = 1_040_000
/** A quadratic reader takes some tenths of a second for this. */
const middle = 20_000
const maxValues = 9_900
/** Of one object. */
const maxNames = 990

export interface Hostile {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bytewise: boolean
}

type Json = Readonly<Record<string, any>>

/** Headers that are read on every route, each at its limit, within Node's limit for all of them. */
const headerGroups = [
  [
    "accept",
    "accept-encoding",
    "accept-language",
    "content-type",
    "if-match",
    "if-none-match",
    "idempotency-key",
    "kanmon-organization",
    "kanmon-project",
    "last-event-id",
    "origin",
    "traceparent",
    "x-forwarded-for",
    "x-forwarded-proto",
    "x-request-id"
  ],
  ["authorization", "x-api-key", "user-agent"],
  ["cookie"],
  ["stripe-signature", "x-unknown-header"]
]

/** A place in a body, from the outside in. */
type Place = ReadonlyArray<string | number>

interface Field {
  readonly place: Place
  readonly schema: Json
}

export class Contract {
  readonly #document: Json
  readonly #ids: Readonly<Record<string, string>>
  /** Bodies that several operations have are sent in full to one of them. */
  readonly #seen = new Set<string>()

  /** `ids`: values of path parameters for which there is a record. */
  constructor(document: Json, ids: Readonly<Record<string, string>>) {
    this.#document = document
    this.#ids = ids
  }

  /** Every operation; those that delete or sign out come last, because others need what they end. */
  get operations(): ReadonlyArray<readonly [method: string, path: string, operation: Json]> {
    const all = Object.entries<Json>(this.#document["paths"]).flatMap(([path, operations]) =>
      Object.entries<Json>(operations).map(([method, operation]) => [method.toUpperCase(), path, operation] as const)
    )
    const ends = ([method, path]: readonly [string, string, Json]): number =>
      Number(method === "DELETE" || /sign-out|delete|revoke|rotate|api-key$|ownership|leave/.test(path))
    return all.toSorted((one, other) => ends(one) - ends(other))
  }

  /** The hostile requests of an operation. `turn` decides which shapes the fields have that share a request. */
  *requests(method: string, path: string, operation: Json, turn: number): Generator<Hostile> {
    const parameters: ReadonlyArray<Json> = operation["parameters"] ?? []
    const named = (hostile?: string, text = "") =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === hostile ? encodeURI(text).replaceAll(/[?#]/g, "") : (this.#ids[name] ?? "alr_none")
      )
    const target = named()
    const example = this.#exampleOf(operation)
    const content: ReadonlyArray<readonly [string, Json]> = Object.entries(operation["requestBody"]?.content ?? {})
    const [mediaType = "application/json"] = content[0] ?? []
    const good = {
      method,
      path: target,
      headers: { "content-type": mediaType },
      body: content.length === 0 ? "" : JSON.stringify(example),
      bytewise: false
    }

    for (const [index, names] of [...headerGroups, headerGroups[0]!].entries()) {
      const hostile = names.map((name, at) => {
        const length = Math.min(RequestBounds.limitOf(name), 12_000)
        return [name, repeated(nth(plainShapes, turn + 7 * index + at), length, "x")] as const
      })
      yield { ...good, name: `headers, ${index}`, headers: { ...good.headers, ...Object.fromEntries(hostile) } }
    }
    const inPath = parameters.filter(({ in: place }) => place === "path").map(({ name }) => String(name))
    for (const name of inPath)
      for (const step of [0, 5, 11, 16]) {
        const shape = nth(plainShapes, turn + step)
        const hostile = named(name, repeated(shape, 1_800)).slice(0, 2_040)
        yield { ...good, name: `path ${name}: ${shape}`, path: hostile.replace(/%.?$/, "") }
      }
    const inQuery = parameters.filter(({ in: place }) => place === "query").map(({ name }) => String(name))
    if (inQuery.length > 0)
      for (const [round, shape] of plainShapes.entries()) {
        const each = Math.floor(11_000 / inQuery.length)
        // One at full length, then all together.
        const fields = round % 2 === 0 ? [nth(inQuery, round / 2)] : inQuery
        const length = fields.length === 1 ? 11_000 : each
        const query = fields.map((name, index) => {
          const text = encodeURIComponent(repeated(nth(plainShapes, round + index), length, nth(ends, round)))
          return `${name}=${text.slice(0, length - name.length - 2).replace(/%.?$/, "")}`
        })
        yield { ...good, name: `query ${fields.join()}: ${shape}`, path: `${target}?${query.join("&")}` }
      }
    yield { ...good, name: "query of many parameters", path: `${target}?${"a=b&".repeat(199)}` }
    for (const [type, { schema }] of content)
      yield* this.#bodies({ ...good, headers: { "content-type": type } }, schema, turn)
  }

  *#bodies(good: Omit<Hostile, "name">, schema: Json, turn: number): Generator<Hostile> {
    const type = good.headers["content-type"]!
    if (!type.includes("json")) {
      for (const shape of shapes)
        yield { ...good, name: `${type}: ${shape}`, body: repeated(shape, maxBody / Buffer.byteLength(shape)) }
      return
    }
    const example: unknown = JSON.parse(good.body === "" ? "{}" : good.body)
    const variants = this.#variants(this.#resolve(schema)).filter(({ properties }) => properties !== undefined)
    for (const variant of variants) {
      const base = variant["examples"]?.[0] ?? example
      const fields = [...this.#fields(variant, [])]
      const texts = fields.filter(
        ({ schema: { const: fixed, type: kind } }) => kind === "string" && fixed === undefined
      )
      const key = JSON.stringify(fields.map(({ place, schema: { description: _, ...rest } }) => [place, rest]))
      const rounds = this.#seen.has(key) ? 2 : shapes.length * ends.length
      for (let round = 0; round < rounds; round++) {
        // The last round fills the body.
        const share = (maxBody * 0.8) / Math.max(1, texts.length)
        const length = Math.floor(round === rounds - 1 ? share / 2 : Math.min(middle, share))
        const hostile = texts.reduce<unknown>(
          (body, { place }, index) =>
            withValue(body, place, repeated(nth(shapes, turn + round + index), length, nth(ends, round))),
          base
        )
        const body = JSON.stringify(hostile)
        if (Buffer.byteLength(body) <= 1_048_576)
          yield { ...good, name: `all texts: ${nth(shapes, turn + round)}, round ${round}`, body }
      }
      if (this.#seen.has(key)) continue
      this.#seen.add(key)
      for (const [index, field] of fields.entries()) {
        const label = field.place.join(".")
        for (const [name, value] of hostileValues(field.schema, turn + index, valueAt(base, field.place)))
          yield { ...good, name: `${label}: ${name}`, body: JSON.stringify(withValue(base, field.place, value)) }
      }
    }
    yield { ...good, name: "one byte in each chunk", body: repeated(" ", 100_000, "{}"), bytewise: true }
    yield { ...good, name: "unclosed text", body: `{"a":"${repeated('\\"', maxBody)}` }
    yield { ...good, name: "unclosed lists", body: "[".repeat(maxBody) }
    yield { ...good, name: "many names", body: manyNames(maxBody) }
  }

  #resolve(schema: Json | undefined): Json {
    const reference = schema?.["$ref"]
    if (typeof reference !== "string") return schema ?? {}
    return this.#resolve(
      reference
        .slice(2)
        .split("/")
        .reduce((node: any, key) => node[key], this.#document)
    )
  }

  #exampleOf(operation: Json): unknown {
    const media: Json = Object.values<Json>(operation["requestBody"]?.content ?? {})[0] ?? {}
    const named = Object.values<Json>(media["examples"] ?? {})[0]?.["value"]
    const schema = this.#resolve(media["schema"])
    const [first] = this.#variants(schema)
    return media["example"] ?? named ?? schema["examples"]?.[0] ?? first?.["examples"]?.[0] ?? {}
  }

  /** The alternatives of a schema, flat. */
  #variants(schema: Json): ReadonlyArray<Json> {
    const { allOf = [], anyOf = [], oneOf = [] } = schema
    const inner: ReadonlyArray<Json> = [...allOf, ...anyOf, ...oneOf]
    return inner.length === 0 ? [schema] : [...inner.flatMap((one) => this.#variants(this.#resolve(one))), schema]
  }

  /** The fields below a schema. */
  *#fields(schema: Json, place: Place): Generator<Field> {
    if (place.length > 6) return
    for (const variant of this.#variants(this.#resolve(schema))) {
      if (place.length > 0 && variant["type"] !== undefined) yield { place, schema: variant }
      for (const [field, inner] of Object.entries<Json>(variant["properties"] ?? {}))
        yield* this.#fields(inner, [...place, field])
      if (variant["items"] !== undefined && !Array.isArray(variant["items"]))
        yield* this.#fields(variant["items"], [...place, 0])
      if (typeof variant["additionalProperties"] === "object")
        yield* this.#fields(variant["additionalProperties"], [...place, "key"])
    }
  }
}

function* hostileValues(schema: Json, turn: number, good: unknown): Generator<readonly [string, unknown]> {
  if (schema["type"] === "string") {
    const limit: number | undefined = schema["maxLength"]
    for (const step of [0, 9, 17]) {
      const shape = nth(shapes, turn + step)
      // What passes the length alone reaches what lies behind it.
      if (limit !== undefined && limit < maxBody) yield [`${shape} at most ${limit}`, repeated(shape, limit)]
      if (typeof good === "string") yield [`${shape} after an example`, `${good}${repeated(shape, middle)}`]
    }
  }
  if (schema["type"] === "array") {
    const [first] = Array.isArray(good) ? good : []
    const size = first === undefined ? 1 : JSON.stringify(first).length + 1
    const values = first === undefined ? 1 : JSON.stringify(first).split(",").length
    const most = Math.floor(Math.min(maxBody / size, maxValues / values))
    yield ["many items", Array.from({ length: Math.min(most, schema["maxItems"] ?? most) }, () => first ?? "a")]
    yield ["more items than any", Array.from({ length: most }, (_, index) => first ?? `a${index}`)]
    if (typeof first === "object" || first === undefined)
      yield ["items of many names", Array.from({ length: 9 }, () => ({ ...first, ...unknownNames() }))]
  }
  if (schema["type"] === "object") {
    yield ["many names", unknownNames()]
    yield ["a long name", { [repeated("a.", middle)]: "b" }]
  }
  yield ["deep", nested(480)]
}

const unknownNames = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: maxNames }, (_, index) => [`a${index}`, "b"]))

const valueAt = (base: unknown, place: Place): unknown =>
  place.reduce<any>((node, key) => (typeof node === "object" && node !== null ? node[key] : undefined), base)

/** A copy with the value at the place. */
const withValue = (base: any, [key, ...rest]: Place, value: unknown): unknown => {
  if (key === undefined) return value
  if (typeof key === "number") {
    const items: ReadonlyArray<unknown> = Array.isArray(base) ? base : []
    return [withValue(items[0], rest, value), ...items.slice(1)]
  }
  const fields = typeof base === "object" && base !== null && !Array.isArray(base) ? base : {}
  return { ...fields, [key]: withValue(fields[key], rest, value) }
}
