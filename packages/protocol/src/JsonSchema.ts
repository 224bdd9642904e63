/** JSON Schemas of bodies, for the OpenAPI document and for editors. */
import { shownWhenOf } from "@kanmon/domain/ShownWhen"
import { Result, Schema, SchemaAST } from "effect"
import { takesNull } from "./Body.ts"

export type Json = Readonly<Record<string, unknown>>

type Fields = Schema.Struct.Fields

/** A self-contained schema: definitions are inlined. */
export const jsonSchema = (schema: Schema.Constraint): Json => {
  const document = Schema.toJsonSchemaDocument(schema)
  return object(inlined(document.schema, document.definitions))
}

const inlined = (node: unknown, definitions: Json, depth = 0): unknown => {
  if (Array.isArray(node)) return node.map((entry) => inlined(entry, definitions, depth))
  if (!isObject(node)) return node
  const { $ref } = node
  if (typeof $ref === "string") {
    const found = definitions[$ref.split("/").at(-1)!.replaceAll("~1", "/")]
    return depth < 8 && found !== undefined ? inlined(found, definitions, depth + 1) : {}
  }
  const entries = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, inlined(value, definitions, depth)])
  )
  // An array of anything has no items here; readers of the document expect them.
  return node["type"] === "array" && !("items" in node) && !("prefixItems" in node)
    ? { ...entries, items: {} }
    : entries
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value, if it is an object; an empty one otherwise. */
export const object = (value: unknown): Json => (isObject(value) ? value : {})

/** The names of the required fields. */
export const requiredOf = (schema: Json): ReadonlyArray<string> => {
  const { required } = schema
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
}

/** Properties by field. A check's description does not always reach its JSON Schema, and defaults never do. */
export const properties = (fields: Fields, defaults: Json): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(object(jsonSchema(Schema.Struct(fields))["properties"])).map(([name, found]) => {
      const property = object(found)
      const condition = shownWhenOf(fields[name]!)
      const description = SchemaAST.resolveDescription(fields[name]!.ast) ?? property["description"]
      return [
        name,
        {
          ...property,
          ...(description === undefined ? {} : { description }),
          ...(condition === undefined ? {} : { "x-shown-when": condition }),
          ...(name in defaults ? { default: defaults[name] } : {})
        }
      ]
    })
  )

/** The defaults of the fields, derived from the decoder. */
export const defaultsOf = (fields: Fields): Json =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): ReadonlyArray<readonly [string, unknown]> => {
      const one = Schema.Struct({ [name]: field as Schema.ConstraintDecoder<unknown> })
      const decoded = Schema.decodeUnknownResult(one)({})
      const fallback = Result.isSuccess(decoded) ? object(decoded.success)[name] : undefined
      return fallback === undefined ? [] : [[name, fallback]]
    })
  )

interface Words {
  readonly title?: string
  readonly description?: string
  /** Defaults that are not in the fields' schemas. */
  readonly defaults?: Json
  readonly examples?: ReadonlyArray<Json>
}

/** The body that creates a record with these fields. */
export const requestSchema = (fields: Fields, { defaults = {}, ...words }: Words = {}): Json => ({
  type: "object",
  ...words,
  properties: properties(fields, { ...defaultsOf(fields), ...defaults }),
  required: requiredOf(jsonSchema(Schema.Struct(fields))),
  additionalProperties: false
})

/** The fields of a change, in which null puts one back to its default. */
export const clearable = (fields: Json, required: ReadonlyArray<string>): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      required.includes(name) ? field : { anyOf: [field, { type: "null" }] }
    ])
  )

/** The body that changes any of these fields. Fields that are left out stay as they are, so nothing has a default. */
export const changeSchema = (fields: Fields, { description, ...words }: Words = {}): Json => ({
  type: "object",
  description:
    description ??
    "Any of the fields. Fields that are left out stay as they are; null puts a field back to its default",
  ...words,
  properties: clearable(properties(fields, {}), [
    ...requiredOf(jsonSchema(Schema.Struct(fields))),
    ...Object.keys(fields).filter((name) => takesNull(fields[name]!))
  ]),
  additionalProperties: false
})
