/** The target and method of a redirect (RFC 9110, section 15.4). */
import { type Reason, reason } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"

const codes = new Set([301, 302, 303, 307, 308])

/** Headers that describe a body, dropped together with it. */
const ofBody = new Set(["content-type", "content-language", "content-encoding", "content-location", "content-md5"])

/** The parts of a request that a redirect may change. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Longer ones are no address: browsers and servers refuse them, and reading a host name takes quadratic time. */
const longestLocation = 8192

export const leadsOn = (status: number, location: string | undefined): location is string =>
  location !== undefined && codes.has(status)

/** The next hop, or why there is none. `anonymous` are the headers that another origin may receive. */
export const next = (
  hop: Hop,
  status: number,
  location: string,
  anonymous: Readonly<Record<string, string>>
): Hop | Failure => {
  const { host } = hop.url
  if (location === "") return { code: "redirect_empty", ...reason("redirect_empty", { host, status }) }
  if (location.length > longestLocation) return invalid(reason("redirect_too_long", { host, limit: longestLocation }))
  if (!URL.canParse(location, hop.url.href)) return invalid(reason("redirect_invalid", { host }))
  const url = new URL(location, hop.url.href)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return invalid(reason("redirect_not_http", { host }))
  }
  if (url.port === "0") return invalid(reason("redirect_port_zero", { host }))
  const becomesGet = status === 303 ? hop.method !== "HEAD" : status < 303 && hop.method === "POST"
  const headers = url.origin === hop.url.origin ? hop.headers : anonymous
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    headers: becomesGet ? Object.fromEntries(Object.entries(headers).filter(([name]) => !ofBody.has(name))) : headers,
    body: becomesGet ? undefined : hop.body
  }
}

const invalid = (words: Reason): Failure => ({ code: "redirect_invalid", ...words })
