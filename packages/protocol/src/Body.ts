/**
 * What request bodies have in common: the field `key`, and what none may hold, whatever its fields mean: text that cannot be
 * stored, and nesting without end.
 */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { Key } from "@kanmon/domain/Key"
import { Effect, Schema } from "effect"

/** The field `key` of whatever can be kept in files. */
export const key = Schema.NullOr(Key)
  .annotate({
    description:
      "Name by which configuration files refer to the record: unique among its kind in the project, and fixed once it is set. Null for records that no file manages"
  })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/**
 * The payload of an endpoint whose handler decodes the body itself, so that every broken field is named: any JSON there, and
 * `A` to those who send it.
 */
export const sent = <A>(): Schema.Codec<A, Schema.Json> => Schema.Json as unknown as Schema.Codec<A, Schema.Json>

/** A change of such a body: any of its fields, and null for those that may be left out. */
export type Change<Body> = {
  readonly [Field in keyof Body]?: object extends Pick<Body, Field> ? Body[Field] | null : Body[Field]
}

const deepest = 32

/** The first such place in a parsed body; none in a good one. */
export const objection = (value: unknown, path = "", depth = deepest): FieldError | undefined => {
  if (typeof value === "string") {
    return value.includes("\u0000") || !value.isWellFormed()
      ? { path, message: "Expected text without null characters and half characters (lone surrogates)" }
      : undefined
  }
  if (typeof value !== "object" || value === null) return undefined
  if (depth === 0) return { path, message: `Expected at most ${deepest} levels` }
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`
    const found = objection(key, path, depth) ?? objection(inner, at, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
