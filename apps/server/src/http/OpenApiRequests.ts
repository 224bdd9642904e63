/** Schemas of request bodies, as code generators need them. */
import type { Json } from "./OpenApiMonitors.ts"

/** Keywords whose values are data, and no schemas. */
const data = new Set(["const", "enum", "examples"])

/** Keywords that hold schemas by names of the user's. */
const named = new Set(["properties", "patternProperties"])

/**
 * The schemas with each `default` said in the description instead: openapi-typescript, among others, makes a property required
 * that has the keyword, which is right for what is answered and wrong for what is sent.
 */
export const withDefaultsInWords = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inWords(schema)]))

const inWords = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(inWords)
  if (typeof node !== "object" || node === null) return node
  const { default: fallback, ...rest } = node as Json
  const schema = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (data.has(keyword)) return [keyword, value]
      return [keyword, named.has(keyword) ? withDefaultsInWords(value as Json) : inWords(value)]
    })
  )
  return fallback === undefined ? schema : { ...schema, description: described(schema["description"], fallback) }
}

const described = (description: unknown, fallback: unknown): string => {
  const shown = typeof fallback === "string" ? `\`${fallback}\`` : JSON.stringify(fallback)
  return [...(typeof description === "string" ? [description.replace(/\.$/, "")] : []), `Default: ${shown}.`].join(". ")
}
