/**
 * How much a JSON body may hold besides its bytes. One MiB has room for 500,000 values, or as many levels; decoding them would
 * keep every other request waiting for most of a second, so the body is refused before it is parsed.
 */
import { invalid, type Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { isRead } from "./RequestInfo.ts"

const maxValues = 10_000
/** Far more than any body has: those of a few levels too many are refused by name. */
const maxLevels = 500

/** What is too much in the text of a JSON document, in words. Reads it once. */
export const objection = (text: string): string | undefined => {
  if (text.length <= maxLevels) return undefined
  let values = 1
  let levels = 0
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index)
        break
      case ",":
        if (++values > maxValues) return `Expected at most ${maxValues} values in all`
        break
      case "[":
      case "{":
        if (++levels > maxLevels) return `Expected at most ${maxLevels} levels`
        break
      case "]":
      case "}":
        levels--
    }
  }
  return undefined
}

/** The index of the quotation mark that ends a string; the text's end when there is none. */
const endOfString = (text: string, start: number): number => {
  let end = start
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
  } while (isEscaped(text, end))
  return end
}

const isEscaped = (text: string, index: number): boolean => {
  let backslashes = 0
  while (text[index - 1 - backslashes] === "\\") backslashes++
  return backslashes % 2 === 1
}

/** Fails when the text is too much to parse. */
export const check = (text: string): Effect.Effect<void, Problem> => {
  const message = objection(text)
  return message === undefined ? Effect.void : Effect.fail(invalid([{ path: "", message }]))
}

/** Fails when the request's body is too much to parse. */
export const checkRequest: Effect.Effect<void, Problem, HttpServerRequest.HttpServerRequest> = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isRead(request.method)) yield* check(yield* Effect.orDie(request.text))
})
