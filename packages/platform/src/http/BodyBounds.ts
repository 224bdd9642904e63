/**
 * Limits the values, the names of an object and the nesting of JSON bodies, and the fields of forms, before they are parsed. One MiB
 * holds up to 500,000 of them; decoding them would block the event loop for most of a second.
 */
import { invalid, type Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { isRead } from "./RequestInfo.ts"

const maxValues = 10_000
/** The maximum of names in a body, above any object of the contract. Schemas look at each name many times. */
const maxNames = 1_000
/** Well above any valid body, so that schemas report small excesses with the field's name. */
const maxLevels = 500

/** The exceeded limit of a JSON text, in words; undefined if there is none. Scans the text once. */
export const objection = (text: string, most = maxValues): string | undefined => {
  if (text.length <= maxLevels) return undefined
  let values = 1
  /** How many names the objects around the index have so far; 0 for lists, in which nothing is counted. */
  const around: Array<number> = []
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index)
        break
      case ",":
        if (++values > most) return `Expected at most ${most} values in total`
        if (around.at(-1)! > 0 && ++around[around.length - 1]! > maxNames)
          return `Expected at most ${maxNames} names in an object`
        break
      case "[":
      case "{":
        if (around.push(text[index] === "{" ? 1 : 0) > maxLevels)
          return `Expected at most ${maxLevels} levels of nesting`
        break
      case "]":
      case "}":
        around.pop()
    }
  }
  return undefined
}

/** The exceeded limit of a form's text, in words; undefined if there is none. */
export const formObjection = (text: string): string | undefined => {
  let fields = 1
  for (let index = text.indexOf("&"); index >= 0; index = text.indexOf("&", index + 1))
    if (++fields > maxNames) return `Expected at most ${maxNames} fields in a form`
  return undefined
}

/** The index of the closing quotation mark; the length of the text if the string is not closed. */
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

const refusing = (message: string | undefined): Effect.Effect<void, Problem<"validation_failed">> =>
  message === undefined ? Effect.void : Effect.fail(invalid([{ path: "", message }]))

/** Fails if the JSON text exceeds the limits. */
export const check = (text: string, most?: number) => refusing(objection(text, most))

/** Fails if the text of a form exceeds the limits. */
export const checkForm = (text: string) => refusing(formObjection(text))

/** Fails if the request's body exceeds the limits; `most`: how many values it may have, if not as many as usual. */
export const checkRequest = Effect.fnUntraced(function* (
  most?: number
): Effect.fn.Return<void, Problem<"validation_failed">, HttpServerRequest.HttpServerRequest> {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isRead(request.method)) yield* check(yield* Effect.orDie(request.text), most)
})
