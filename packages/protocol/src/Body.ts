/**
 * Rules common to all request bodies: the field `key`, text that the database cannot store, and the maximum nesting.
 */
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { Key } from "@kanmon/domain/Key"
import { visible } from "@kanmon/domain/Line"
import { Name } from "@kanmon/domain/Monitor"
import { Tags } from "@kanmon/domain/Tag"
import { Effect, Result, Schema } from "effect"

/** The field `key` of records that configuration files can manage. */
export const key = Schema.NullOr(Key)
  .annotate({
    description:
      "Name by which configuration files refer to the record: unique among its kind in the project, and fixed once it is set. Null for records that no file manages"
  })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** A name that people give. Names that are stored already may have nothing to see in them. */
export const name = Name.check(visible)

/** The field `tags` of records that follow the monitors that carry them. */
export const followedTags = (description: string) =>
  Tags.annotate({ description }).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

const isJson = Schema.is(Schema.Json)

/**
 * The payload of an endpoint that decodes the body in its handler, so that every invalid field is named. It is any JSON
 * on the server, and `A` for clients. The OpenAPI document has its schema under this name.
 */
export const sent = <A>(name: string): Schema.Codec<A> =>
  Schema.declare((body): body is A => isJson(body), { identifier: name, toCodecJson: () => undefined })

/** The same for a body that may be left out. */
export const optional = <A>(name: string): Schema.Codec<A | undefined> =>
  Schema.declare((body): body is A | undefined => body === undefined || isJson(body), {
    identifier: name,
    toCodecJson: () => undefined
  })

/** A change of such a body: any of its fields, and null for those that may be left out. */
export type Change<Body> = {
  readonly [Field in keyof Body]?: object extends Pick<Body, Field> ? Body[Field] | null : Body[Field]
}

/** Whether null is a value of the field. */
export const takesNull = (field: Schema.Constraint): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(field as Schema.ConstraintDecoder<unknown>)(null))

/** A body that was laid over a record: null puts a field back to its default, unless null is a value of the field. */
export const cleared = (
  fields: Schema.Struct.Fields,
  merged: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(merged).filter(
      ([name, value]) => value !== null || !Object.hasOwn(fields, name) || takesNull(fields[name]!)
    )
  )

const deepest = 32

/** The first violation in a parsed body, if any. */
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

/** Decodes a body unless it contains what no body may. */
export const fit =
  <A>(decode: (body: unknown) => Result.Result<A, InvalidFields>) =>
  (body: unknown): Result.Result<A, InvalidFields> => {
    const unfit = objection(body)
    return unfit === undefined ? decode(body) : Result.fail(new InvalidFields({ errors: [unfit] }))
  }

/** Whether a body, or a part of it, is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
