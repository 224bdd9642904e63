/** Status codes that count as success: single codes, ranges such as `200-299`, or a list of both. */
import { filteredText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"

const Code = Schema.Int.check(
  Schema.isBetween({ minimum: 100, maximum: 599 }, { message: "Expected a status code from 100 to 599" })
)

const noRange = "Expected a status code such as 204, or a range such as 200-299"

const Range = filteredText(
  7,
  (text) => {
    const match = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(text)
    if (match === null) return noRange
    return match[2] === undefined || match[2] >= match[1]! ? undefined : "The range ends before it starts"
  },
  { message: noRange }
)

export const StatusCodes = Schema.Union([Code, Range, Schema.NonEmptyArray(Schema.Union([Code, Range]))]).annotate({
  description: 'Codes that count as success: 200, "200-299", or a list of those'
})
export type StatusCodes = typeof StatusCodes.Type

/** Whether a code is expected. */
export const includes = (expected: StatusCodes, status: number): boolean =>
  typeof expected === "number"
    ? status === expected
    : typeof expected === "string"
      ? within(expected, status)
      : expected.some((one) => (typeof one === "number" ? status === one : within(one, status)))

const within = (range: string, status: number): boolean => {
  const [first, last] = range.split("-").map(Number)
  return status >= first! && status <= (last ?? first!)
}

/** Describes the expectation. */
export const words = (expected: StatusCodes): string =>
  Array.isArray(expected) ? expected.join(", ") : String(expected)
