/** Errors on the wire: problem details (RFC 9457) with a stable `code`. Every error of the API is one of these. */
import { FieldError } from "@kanmon/domain/FieldErrors"
import { PlanId } from "@kanmon/domain/Ids"
import { codes, type ProblemCode, problemCodes, typeOf } from "@kanmon/domain/ProblemCode"
import { Schema, SchemaAST } from "effect"

/** Additional fields of `plan_limit_reached`. */
const planLimit = {
  limit: Schema.Int.annotate({ description: "The limit of the plan" }),
  current: Schema.Int.annotate({ description: "The present or requested amount" }),
  planId: PlanId
}

/** Additional field of `validation_failed` and `payload_too_large` for a heartbeat signal. */
const recorded = Schema.Literal(true).annotate({
  description: "The heartbeat signal was recorded without the parts that `errors` names, or with the ends of its body"
})

/** The response body of an error. */
export const ProblemDetails = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  code: Schema.String,
  requestId: Schema.String,
  errors: Schema.optionalKey(Schema.Array(FieldError)),
  limit: Schema.optionalKey(planLimit.limit),
  current: Schema.optionalKey(planLimit.current),
  planId: Schema.optionalKey(planLimit.planId),
  recorded: Schema.optionalKey(recorded),
  error: Schema.optionalKey(
    Schema.String.annotate({ description: "`code` again, where OAuth 2.0 clients look for it (RFC 6749, RFC 8628)" })
  )
}).annotate({ identifier: "Problem", description: "Problem details (RFC 9457)" })

const fields = {
  code: Schema.Literals(problemCodes),
  detail: Schema.String,
  errors: Schema.optionalKey(Schema.Array(FieldError)),
  retryAfter: Schema.optionalKey(Schema.Finite),
  planLimit: Schema.optionalKey(Schema.Struct(planLimit)),
  recorded: Schema.optionalKey(recorded),
  accountLimit: Schema.optionalKey(Schema.Struct({ limit: planLimit.limit, current: planLimit.current }))
}

type Fields = Schema.Struct<typeof fields>["Type"]

/**
 * A refusal; `retryAfter` in seconds. Its type names its code, so that a handler can only fail with the codes that its
 * endpoint declares.
 */
export class Problem<const Code extends ProblemCode = ProblemCode> extends Schema.TaggedError<Problem>()(
  "Problem",
  fields
) {
  declare readonly code: Code

  // oxlint-disable-next-line no-useless-constructor -- it reads the type of the code from the problem
  constructor(problem: Fields & { readonly code: Code }) {
    super(problem)
  }

  get status(): number {
    return codes[this.code].status
  }
}

export const notFound = (what: string): Problem<"not_found"> =>
  new Problem({ code: "not_found", detail: `There is no such ${what} here` })

/** Limits the errors in a response. */
const maxErrors = 100

export const invalid = (errors: ReadonlyArray<FieldError>): Problem<"validation_failed"> =>
  new Problem({
    code: "validation_failed",
    detail: "Some fields break their rules; see errors",
    errors: errors.slice(0, maxErrors)
  })

/** A heartbeat signal that was recorded without its invalid fields. */
export const partlyRecorded = (errors: ReadonlyArray<FieldError>): Problem<"validation_failed"> =>
  new Problem({
    code: "validation_failed",
    detail: "The signal is recorded, without what is wrong in it; see errors",
    errors: errors.slice(0, maxErrors),
    recorded: true
  })

/** A heartbeat signal that was recorded with the ends of a body that is too large. */
export const recordedInPart: Problem<"payload_too_large"> = new Problem({
  code: "payload_too_large",
  detail:
    "The signal is recorded with the first and the last 50 kB of its body. A body over 1 MiB is not read for metrics and a status; send less",
  recorded: true
})

/** The response body of a problem. */
export const toDetails = (problem: Problem, requestId: string): typeof ProblemDetails.Type => ({
  type: typeOf(problem.code),
  title: codes[problem.code].title,
  status: problem.status,
  detail: problem.detail,
  code: problem.code,
  requestId,
  ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  ...problem.planLimit,
  ...(problem.recorded === undefined ? {} : { recorded: problem.recorded }),
  ...problem.accountLimit
})

/** The annotation that names the code of a declared error. */
const declaredCode = "kanmonProblemCode"

const refusal = <const Code extends ProblemCode>(code: Code): Schema.Codec<Problem<Code>> =>
  Schema.declare((value): value is Problem<Code> => value instanceof Problem && value.code === code, {
    httpApiStatus: codes[code].status,
    [declaredCode]: code
  })

/** The errors of an endpoint or a middleware: its statuses in the OpenAPI document follow from them. */
export const refuses = <const Codes extends ReadonlyArray<ProblemCode>>(
  ...named: Codes
): ReadonlyArray<Schema.Codec<Problem<Codes[number]>>> => named.map((code) => refusal(code))

/** The code of a declared error, if the schema is one. */
export const codesOf = (schema: Schema.Constraint): ReadonlyArray<ProblemCode> => {
  const declared = SchemaAST.resolveAt(declaredCode)(schema.ast)
  return problemCodes.filter((code) => code === declared)
}
