/** The laws of comparing what was published with what is. Ajv is the judge of what a schema allows. */
import { Ajv } from "ajv"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { breakages, type JsonSchema } from "../support/SchemaCompatibility.ts"

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }
type Schema = Mutable<JsonSchema>

const name = fc.constantFrom("id", "name", "status", "valueOf")
const word = fc.constantFrom("up", "down", "degraded", "paused", "pending")
const words = fc.uniqueArray(word, { minLength: 1 })

/** Objects mostly, as deep as ours are. */
const { schema, object } = fc.letrec<{ schema: Schema; object: Schema; single: Schema }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(name, tie("schema"), { maxKeys: 4 }),
      optional: fc.uniqueArray(name),
      additionalProperties: fc.constantFrom<boolean | JsonSchema>(true, true, false, { type: "integer" })
    })
    .map(({ additionalProperties, optional, properties }) => ({
      type: "object",
      properties,
      required: Object.keys(properties).filter((field) => !(optional as ReadonlyArray<string>).includes(field)),
      additionalProperties
    })),
  single: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Schema>({ type: "string" }, { type: "integer" }, { type: "boolean" }, {}),
    fc
      .record({ type: fc.constant("integer"), minimum: fc.integer({ min: -9, max: 0 }), maximum: fc.nat(9) })
      .map((all): Schema => all),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 4 }) }),
    fc.constant<Schema>({ type: "string", pattern: "^[a-c]+$" }),
    words.map((all): Schema => ({ type: "string", enum: all })),
    words.map((all): Schema => ({ type: "string", "x-extensible-enum": all })),
    word.map((one): Schema => ({ type: "string", const: one })),
    tie("schema").map((items): Schema => ({ type: "array", items })),
    tie("object")
  ),
  schema: fc.oneof(
    { depthSize: "small" },
    tie("single"),
    tie("single").map((one): Schema => ({ anyOf: [one, { type: "null" }] }))
  )
}))

/** Something that a schema allows, seldom what its author had in mind. */
const valueOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case "string":
      return fc.oneof(
        fc.string({
          minLength: schema.minLength ?? 1,
          maxLength: schema.maxLength ?? 8,
          unit: schema.pattern === undefined ? "grapheme-ascii" : fc.constantFrom("a", "b", "c")
        }),
        ...(schema["x-extensible-enum"] === undefined ? [] : [word])
      )
    case "integer":
      return fc.integer({ min: schema.minimum ?? -99, max: schema.maximum ?? 99 })
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array":
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 3 })
    case "object":
      return objectOf(schema)
    default:
      return fc.constantFrom<unknown>(null, 1, "up", [], {})
  }
}

const objectOf = ({ additionalProperties = true, properties = {}, required = [] }: JsonSchema) => {
  const fields = Object.entries(properties).map(([field, schema]) => [field, valueOf(schema)] as const)
  const others =
    additionalProperties === false
      ? fc.constant({})
      : fc.dictionary(name, valueOf(additionalProperties === true ? {} : additionalProperties), { maxKeys: 2 })
  return fc
    .tuple(fc.record(Object.fromEntries(fields), { requiredKeys: required as Array<string> }), others)
    .map(([own, more]) => ({
      ...Object.fromEntries(Object.entries(more).filter(([field]) => !Object.hasOwn(properties, field))),
      ...own
    }))
}

/** Another schema that is like it: one part has been exchanged, or it has been changed as people change schemas. */
const edited = (schema: JsonSchema): fc.Arbitrary<JsonSchema> => {
  const own: Array<fc.Arbitrary<JsonSchema>> = [fc.constant(schema)]
  if (schema.anyOf !== undefined) {
    own.push(fc.constant(schema.anyOf[0]!))
    own.push(edited(schema.anyOf[0]!).map((one) => ({ anyOf: [one, ...schema.anyOf!.slice(1)] })))
  } else own.push(fc.constant({ anyOf: [schema, { type: "null" }] }))
  if (schema.items !== undefined) own.push(edited(schema.items).map((items) => ({ ...schema, items })))
  for (const list of ["enum", "x-extensible-enum"] as const)
    if (schema[list] !== undefined) own.push(words.map((all) => ({ type: "string", [list]: all })))
  if (schema.enum !== undefined) own.push(fc.constant({ type: "string", "x-extensible-enum": schema.enum }))
  if (schema.type === "integer")
    own.push(fc.record({ minimum: fc.integer({ min: -12, max: 0 }) }).map((limit) => ({ ...schema, ...limit })))
  if (schema.type === "string") own.push(fc.constant({ type: "string" }))
  if (schema.type === "string" && Object.keys(schema).every((keyword) => ["type", "pattern"].includes(keyword)))
    own.push(fc.constant({ ...schema, maxLength: 3 }))
  if (schema.type === "object") own.push(...editedObject(schema))
  return fc.oneof(...own)
}

const editedObject = (schema: JsonSchema): ReadonlyArray<fc.Arbitrary<JsonSchema>> => {
  const { properties = {}, required = [] } = schema
  const fields = Object.keys(properties)
  return [
    fc.record({ field: name, schema: object }).map(({ field, schema: added }) => withField(schema, field, added)),
    fc.constantFrom<JsonSchema>(
      { ...schema, required: fields },
      { ...schema, required: required.slice(1) },
      { ...schema, additionalProperties: true },
      { ...schema, additionalProperties: false }
    ),
    ...fields.map((field) => edited(properties[field]!).map((other) => withField(schema, field, other))),
    ...fields.map((field) => fc.constant(withoutField(schema, field)))
  ]
}

const withField = (schema: JsonSchema, field: string, added: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, [field]: added }
})

const withoutField = (schema: JsonSchema, field: string): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([other]) => other !== field)),
  required: (schema.required ?? []).filter((other) => other !== field)
})

// Every object has a `valueOf`; a field of that name is something else.
const ajv = new Ajv({ strict: false, ownProperties: true })

const allows = (schema: JsonSchema, value: unknown): boolean => ajv.validate(schema, value)

const twice = schema.chain((before) =>
  edited(before).chain((between) => edited(between).map((after) => ({ before, between, after })))
)

describe("a published schema", () => {
  it("is compatible with itself", () => {
    fc.assert(fc.property(schema, (same) => assert.deepStrictEqual(breakages(same, structuredClone(same)), [])))
  })

  it("validates against the old schema if the comparison finds no break", () => {
    let changed = 0
    const sent = twice
      .filter(({ after, before }) => breakages(before, after).length === 0)
      .chain(({ after, before }) => valueOf(after).map((value) => ({ after, before, value })))
    fc.assert(
      fc.property(sent, ({ after, before, value }) => {
        if (JSON.stringify(after) !== JSON.stringify(before)) changed++
        assert.isTrue(allows(after, value), "the test sends what is allowed")
        assert.isTrue(allows(before, value))
      }),
      { numRuns: 500 }
    )
    assert.isAbove(changed, 100, "the law was put to the test")
  })

  it("allows in steps what it allows at once", () => {
    fc.assert(
      fc.property(twice, ({ after, before, between }) => {
        fc.pre(breakages(before, between).length === 0 && breakages(between, after).length === 0)
        assert.deepStrictEqual(breakages(before, after), [])
      })
    )
  })

  const open = object.map((one): JsonSchema => ({ ...one, additionalProperties: true }))
  const withName = fc.tuple(open, schema).map(([one, field]) => withField(one, "name", field))

  it("may gain a field, and may not lose it again", () => {
    fc.assert(
      fc.property(open, schema, (before, field) => {
        const after = withField(before, "added", field)
        assert.deepStrictEqual(breakages(before, after), [])
        assert.deepStrictEqual(breakages(before, { ...after, required: [...before.required!, "added"] }), [])
        assert.deepStrictEqual(breakages(after, before), [{ path: "added", what: "is gone" }])
      })
    )
  })

  it("may not make a required field optional", () => {
    fc.assert(
      fc.property(withName, (one) => {
        const [always, sometimes] = [["name"], []].map((required) => ({ ...one, required }))
        assert.deepStrictEqual(breakages(sometimes!, always!), [])
        assert.deepStrictEqual(
          breakages(always!, sometimes!).map(({ path }) => path),
          ["name"]
        )
      })
    )
  })

  it("may not become nullable, nor stop being nullable", () => {
    fc.assert(
      fc.property(
        withName.filter(({ properties }) => properties!["name"]!.anyOf === undefined),
        (one) => {
          const nullable = withField(one, "name", { anyOf: [one.properties!["name"]!, { type: "null" }] })
          for (const found of [breakages(one, nullable), breakages(nullable, one)])
            assert.deepStrictEqual(
              found.map(({ path }) => path),
              ["name"]
            )
        }
      )
    )
  })

  it("keeps enum values, and allows new ones only in extensible enums", () => {
    fc.assert(
      fc.property(words, word, (some, one) => {
        const [more, fewer] = [[...new Set([...some, one])], some.filter((other) => other !== one)]
        const closed = (list: ReadonlyArray<string>): JsonSchema => ({ type: "string", enum: list })
        const growing = (list: ReadonlyArray<string>): JsonSchema => ({ type: "string", "x-extensible-enum": list })
        assert.strictEqual(breakages(closed(some), closed(more)).length, more.length - some.length)
        assert.deepStrictEqual(breakages(growing(some), growing(more)), [])
        for (const list of [closed, growing])
          assert.strictEqual(breakages(list(some), list(fewer)).length, some.length - fewer.length)
        assert.isNotEmpty(breakages(closed(some), growing(some)))
        assert.deepStrictEqual(breakages(growing(some), closed(some)), [])
      })
    )
  })

  it.each<readonly [JsonSchema, JsonSchema]>([
    [{ type: "integer" }, { type: "number" }],
    [{ type: "number" }, { type: "integer" }],
    [{ type: "string" }, {}],
    [{ type: "string", pattern: "^a" }, { type: "string" }],
    [
      { type: "string", pattern: "^a" },
      { type: "string", pattern: "^ab" }
    ],
    [{ type: "string", format: "date-time" }, { type: "string" }],
    [
      { type: "integer", maximum: 1 },
      { type: "integer", maximum: 2 }
    ],
    [{ type: "array", items: { type: "string" } }, { type: "array" }],
    [{ type: "string", enum: ["up"] }, { type: "string" }],
    [{ type: "string" }, { type: "string", not: { const: "up" } } as JsonSchema],
    [
      { anyOf: [{ type: "string", const: "a" }, { type: "string", const: "b" }, { type: "null" }] },
      { anyOf: [{ type: "string", const: "a" }, { type: "null" }] }
    ]
  ])("may not change from %j to %j", (before, after) => {
    assert.isNotEmpty(breakages(before, after))
  })
})
