/**
 * One name for one schema. A schema that several endpoints take or answer gets a number behind its name for each time that it is
 * built (`ScimUser_3`), which code generators would make a type of its own.
 */
import { isObject, type Json } from "../JsonSchema.ts"

const numbered = /^(.+)_\d{1,3}$/

const prefix = "#/components/schemas/"

/** The part with every reference renamed. */
const renamed = (node: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(node)) return node.map((entry) => renamed(entry, names))
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" && value.startsWith(prefix)
        ? `${prefix}${names.get(value.slice(prefix.length)) ?? value.slice(prefix.length)}`
        : renamed(value, names)
    ])
  )
}

/** Paths and schemas with one schema for each name. A name with two meanings is a mistake in the contract. */
export const withOneNameEach = (paths: Json, schemas: Json): { readonly paths: Json; readonly schemas: Json } => {
  const names = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const original = numbered.exec(name)?.[1]
    if (original !== undefined && original in schemas) names.set(name, original)
  }
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(renamed(schema, names))]))
  for (const [name, original] of names)
    if (texts.get(name) !== texts.get(original)) throw new Error(`Two different schemas are named ${original}`)
  return {
    paths: renamed(paths, names) as Json,
    schemas: renamed(Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.has(name))), names) as Json
  }
}
