/** The schemas of assertions, and the rules that their JSON Schema does not express. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { boundedText, patternText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import * as Assertions from "./Assertions.ts"

const maxAssertions = 20

const operator = Schema.Literals(Assertions.operators).annotate({
  description:
    "How the value is compared. `greaterThan`, `greaterThanOrEqual`, `lessThan` and `lessThanOrEqual` take a number, `matches` a regular expression (RE2 syntax), `exists` and `notExists` no value"
})

const few = Schema.isMaxLength(maxAssertions, { message: `Expected at most ${maxAssertions} assertions` })

export const JsonAssertions = Schema.Array(
  Schema.Struct({
    jsonPath: boundedText(2000).annotate({
      description: "JSONPath (RFC 9535) of the values in the response body"
    }),
    operator,
    value: Schema.optionalKey(Schema.Json.annotate({ description: "The value or values to compare with" }))
  })
)
  .check(few)
  .annotate({
    description:
      "The condition on the JSON of the response body. If the path selects several values, one must fulfil the assertion; for `notEquals` and `notContains`, all must"
  })

export const HeaderAssertions = Schema.Array(
  Schema.Struct({
    header: patternText(200, /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/, "Expected a valid header name").annotate({
      description: "Name of the response header; case is ignored"
    }),
    operator,
    value: Schema.optionalKey(
      Schema.Union([boundedText(8192), Schema.Finite]).annotate({
        description: "What the header's values are compared with"
      })
    )
  })
)
  .check(few)
  .annotate({
    description:
      "What the headers of the response must fulfil. A header that is sent several times has several values: one must fulfil the assertion; for `notEquals` and `notContains`, all of them"
  })

export type JsonAssertion = (typeof JsonAssertions.Type)[number]
export type HeaderAssertion = (typeof HeaderAssertions.Type)[number]

/** The fields of assertions that are not valid. Whether expressions compile is examined in another process: see `Expressions`. */
export const problems = (
  json: ReadonlyArray<JsonAssertion>,
  headers: ReadonlyArray<HeaderAssertion>
): ReadonlyArray<FieldError> => [
  ...json.flatMap((assertion, index) => valueProblem(assertion, `jsonAssertions[${index}]`)),
  ...headers.flatMap((assertion, index) => valueProblem(assertion, `headerAssertions[${index}]`))
]

const valueProblem = (assertion: Assertions.Assertion, path: string): ReadonlyArray<FieldError> => {
  const message = Assertions.unfit(assertion)
  return message === undefined ? [] : [{ path: `${path}.value`, message }]
}
