/**
 * Limits the length of everything in a request except its body. Checked before the log, the router, the compression or a
 * handler reads the request, so that no expression, parser or hash sees more. Node limits the total: 16 KiB.
 */
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import { Problem } from "@kanmon/protocol/Problem"

/** The checked parts of a request: its target as sent, and its headers by their lower-case names. */
export interface Head {
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const maxPath = 2_048
const maxQuery = 12_288
const maxParameters = 200
const maxHeaders = 128
/** For headers that are not in the table, such as those that proxies add. */
const maxHeader = 8_192

/** Characters of a header's value. Every value that is in use is shorter. */
const maxOf: Readonly<Record<string, number>> = {
  accept: 1_024,
  "accept-encoding": 256,
  "accept-language": 512,
  "content-encoding": 64,
  "content-length": 32,
  "content-type": 512,
  // Browsers send the cookies of every service on this host.
  cookie: 14_336,
  forwarded: 2_048,
  host: 320,
  "idempotency-key": 1_024,
  "if-match": 2_048,
  "if-modified-since": 128,
  "if-none-match": 2_048,
  "kanmon-organization": 256,
  "kanmon-project": 256,
  "last-event-id": 256,
  origin: 512,
  prefer: 256,
  range: 256,
  referer: 8_192,
  traceparent: 256,
  tracestate: 2_048,
  "user-agent": 2_048,
  "x-api-key": 512,
  "x-forwarded-for": 2_048,
  "x-forwarded-host": 512,
  "x-forwarded-proto": 256,
  "x-request-id": 512
}

type Refusal = Problem<Extract<ProblemCode, "uri_too_long" | "headers_too_large">>

const tooLong = (detail: string): Refusal => new Problem({ code: "uri_too_long", detail })

const tooLarge = (detail: string): Refusal => new Problem({ code: "headers_too_large", detail })

const ofUrl = (url: string): Refusal | undefined => {
  const mark = url.indexOf("?")
  const path = mark < 0 ? url.length : mark
  if (path > maxPath) return tooLong(`The path may have ${maxPath} characters; this one has ${path}`)
  const query = url.length - path - 1
  if (query > maxQuery) return tooLong(`The query may have ${maxQuery} characters; this one has ${query}`)
  let parameters = 1
  for (let at = url.indexOf("&", path); at >= 0; at = url.indexOf("&", at + 1)) parameters++
  return parameters > maxParameters ? tooLong(`The query may have ${maxParameters} parameters`) : undefined
}

/** The longest value of a header, by its lower-case name. */
export const limitOf = (name: string): number => (Object.hasOwn(maxOf, name) ? maxOf[name]! : maxHeader)

const lengthOf = (value: string | ReadonlyArray<string> | undefined): number =>
  typeof value === "string" ? value.length : (value ?? []).reduce((sum, { length }) => sum + length, 0)

const ofHeaders = (headers: Head["headers"]): Refusal | undefined => {
  const names = Object.keys(headers)
  if (names.length > maxHeaders)
    return tooLarge(`A request may have ${maxHeaders} headers; this one has ${names.length}`)
  for (const name of names) {
    const limit = limitOf(name)
    const length = lengthOf(headers[name])
    if (name.length > 256) return tooLarge("The name of a header may have 256 characters")
    if (length > limit) return tooLarge(`${name}: expected at most ${limit} characters; this value has ${length}`)
  }
  return undefined
}

/** The problem of a request with a target (414) or headers (431) above a limit; undefined within the limits. */
export const refusal = ({ headers, url }: Head): Refusal | undefined => ofUrl(url) ?? ofHeaders(headers)

/** The target of a request that was refused, short enough for the log. */
export const shortened = (url: string): string => {
  const mark = url.indexOf("?")
  return url.slice(0, Math.min(mark < 0 ? url.length : mark, maxPath))
}
