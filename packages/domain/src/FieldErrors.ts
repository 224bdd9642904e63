/** Turns schema issues into one row per field: the path in the request and what to do about it. */
import { Result, Schema, SchemaIssue } from "effect"
import { unboundedTexts } from "./BoundedText.ts"

/** `path` as in JavaScript (`headers.accept`, `regions[0]`), empty for the whole body. */
export const FieldError = Schema.Struct({ path: Schema.String, message: Schema.String })
export type FieldError = typeof FieldError.Type

/** One or more fields are invalid. */
export class InvalidFields extends Schema.TaggedError<InvalidFields>()("InvalidFields", {
  errors: Schema.Array(FieldError)
}) {
  override get message(): string {
    return this.errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "Required"
      : issue._tag === "UnexpectedKey"
        ? "Unknown field"
        : SchemaIssue.defaultLeafHook(issue)
})

const pathOf = (segments: ReadonlyArray<unknown>): string =>
  segments
    .map((segment) => (typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment))
    .reduce<string>(
      (path, key) =>
        typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`,
      ""
    )

/** One row per path, with the first message of each. */
export const fieldErrors = (issue: SchemaIssue.Issue): ReadonlyArray<FieldError> => {
  const rows = new Map<string, string>()
  for (const { message, path } of format(issue).issues) {
    const key = pathOf(path ?? [])
    if (!rows.has(key)) rows.set(key, message)
  }
  return [...rows].map(([path, message]) => ({ path, message }))
}

/** Decodes untrusted input: every broken field is reported, and unknown fields are errors (a typo must not silently do nothing). */
export const strictDecoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Result.Result<S["Type"], InvalidFields> =>
    Result.mapError(decode(input), (error) => new InvalidFields({ errors: fieldErrors(error.issue) }))
}

/** The same for request bodies. A schema with text that has no bound of `BoundedText` is a defect, found when it is loaded. */
export const decodeStrict = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const unbounded = unboundedTexts(schema)
  if (unbounded.length > 0) throw new TypeError(`Text without a maximum in a request: ${unbounded.join(", ")}`)
  return strictDecoder(schema)
}
