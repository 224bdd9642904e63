/** Schemas of request bodies, as code generators need them. */
import { isObject, type Json, object } from "../JsonSchema.ts"

/** Keywords with data as their value, not schemas. */
const data = new Set(["const", "enum", "examples"])

/** Keywords with an object of field names as their value. */
const named = new Set(["properties", "patternProperties"])

/**
 * Moves each `default` into the description. Generators such as openapi-typescript make a property with this keyword required,
 * which fits responses but not requests.
 */
export const withDefaultsInWords = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inWords(schema)]))

const inWords = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(inWords)
  if (!isObject(node)) return node
  const { default: fallback, ...rest } = node
  const schema: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (data.has(keyword)) return [keyword, value]
      return [keyword, named.has(keyword) ? withDefaultsInWords(object(value)) : inWords(value)]
    })
  )
  return fallback === undefined ? schema : { ...schema, description: described(schema["description"], fallback) }
}

const described = (description: unknown, fallback: unknown): string => {
  const shown = typeof fallback === "string" ? `\`${fallback}\`` : JSON.stringify(fallback)
  return [...(typeof description === "string" ? [description.replace(/\.$/, "")] : []), `Default: ${shown}.`].join(". ")
}
