/** One check of a URL: follows redirects, then holds the last response against what the monitor expects. */
import { type Attempt, CheckFailed, type Passed } from "@kanmon/core/Check"
import type { Connection, Dialer, DialFailed } from "@kanmon/core/Dialer"
import type { Facts, Timing } from "@kanmon/domain/Observation"
import { Effect, type Schema } from "effect"
import * as Certificate from "./Certificate.ts"
import { exchange, type ExchangeFailed, type Request, type Response } from "./Exchange.ts"
import { mismatch } from "./Expectations.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import * as StatusCodes from "./StatusCodes.ts"

const mostRedirects = 10
const redirectCodes = new Set([301, 302, 303, 307, 308])
const userAgent = "Kanmon/0.1"
const round = (millis: number): number => Math.round(millis * 100) / 100

export const run = (config: HttpConfig, attempt: Attempt): Effect.Effect<Passed, CheckFailed, Dialer> =>
  Effect.scoped(
    Effect.gen(function* () {
      let request = first(config)
      let spent = 0
      for (let redirects = 0; ; redirects++) {
        const readsBody =
          config.bodyContains !== undefined || config.bodyMatches !== undefined || config.jsonPath !== undefined
        const response = yield* Effect.mapError(exchange(request, attempt, readsBody), failed)
        const took = elapsed(response)
        const next = config.followRedirects ? redirected(config, request, response) : undefined
        if (next === undefined) return yield* judge(config, request.url, response, round(spent + took), redirects)
        spent += took
        if (next instanceof CheckFailed) return yield* next
        if (redirects === mostRedirects) {
          return yield* down(
            "too_many_redirects",
            `${host(config)} redirects more than ${mostRedirects} times`,
            describe(request.url, response, redirects)
          )
        }
        request = next
      }
    })
  )

const host = (config: HttpConfig): string => new URL(config.url).host

const first = (config: HttpConfig): Request => {
  const url = new URL(config.url)
  const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*" }
  if (url.username !== "" || url.password !== "") {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`
  }
  for (const [name, value] of Object.entries<string>(config.headers ?? {})) headers[name.toLowerCase()] = value
  return {
    url,
    method: config.method,
    headers,
    body: config.body,
    objection: (connection) => objection(config, url, connection)
  }
}

/** Nothing is told to a server whose certificate is not good. */
const objection = (config: HttpConfig, url: URL, { peer }: Connection) =>
  config.verifyTls && peer !== null ? Certificate.verdict(peer, url.hostname) : null

/** The request that a redirect leads to (RFC 9110, section 15.4); none when the response is no redirect. */
const redirected = (config: HttpConfig, request: Request, response: Response): Request | CheckFailed | undefined => {
  if (!redirectCodes.has(response.status) || response.location === undefined) return undefined
  if (!URL.canParse(response.location, request.url.href)) {
    return down(
      "redirect_invalid",
      `${request.url.host} redirects to something that is no address`,
      describe(request.url, response, 0)
    )
  }
  const url = new URL(response.location, request.url.href)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return down(
      "redirect_invalid",
      `${request.url.host} redirects to an address that is not http(s)`,
      describe(request.url, response, 0)
    )
  }
  const becomesGet =
    response.status === 303 ? request.method !== "HEAD" : response.status < 303 && request.method === "POST"
  const sameOrigin = url.origin === request.url.origin
  return {
    url,
    method: becomesGet ? "GET" : request.method,
    // What the user set for one server is not told to another.
    headers: sameOrigin ? request.headers : { "user-agent": request.headers["user-agent"]!, accept: "*/*" },
    body: becomesGet ? undefined : request.body,
    objection: (connection) => objection(config, url, connection)
  }
}

const judge = (
  config: HttpConfig,
  url: URL,
  response: Response,
  responseTime: number,
  redirects: number
): Effect.Effect<Passed, CheckFailed> => {
  const facts = describe(url, response, redirects)
  const measured = { responseTime, timing: timing(response), facts }
  if (!StatusCodes.includes(config.expectedStatus, response.status)) {
    return Effect.fail(
      new CheckFailed({
        status: "down",
        code: "status_mismatch",
        message: `${url.host} answered ${response.status}; expected ${StatusCodes.words(config.expectedStatus)}`,
        ...measured
      })
    )
  }
  const problem = mismatch(config, response.body)
  if (problem !== null) return Effect.fail(new CheckFailed({ status: "down", ...problem, ...measured }))
  const slow = config.degradedThreshold !== undefined && responseTime > config.degradedThreshold
  return Effect.succeed(
    slow
      ? {
          ...measured,
          degraded: {
            code: "slow",
            message: `${url.host} took ${Math.round(responseTime)} ms; more than ${config.degradedThreshold} ms counts as degraded`
          }
        }
      : measured
  )
}

/** Connect to last byte: the name's resolution is ours, not the target's. */
const elapsed = ({ connection, download, firstByte }: Response): number =>
  connection.timing.connect + (connection.timing.tls ?? 0) + firstByte + download

const timing = ({ connection, download, firstByte }: Response): Timing => ({
  ...connection.timing,
  firstByte,
  download
})

const describe = (url: URL, response: Response, redirects: number): Facts => {
  const facts: Record<string, Schema.Json> = { statusCode: response.status, address: response.connection.address }
  if (redirects > 0) {
    facts["redirects"] = redirects
    facts["finalUrl"] = `${url.origin}${url.pathname}`
  }
  if (response.connection.peer !== null) facts["certificate"] = Certificate.facts(response.connection.peer)
  return facts
}

const down = (code: string, message: string, facts: Facts): CheckFailed =>
  new CheckFailed({ status: "down", code, message, facts })

const failed = (error: DialFailed | ExchangeFailed): CheckFailed => {
  switch (error._tag) {
    case "DialFailed":
      return new CheckFailed({
        status: error.reason === "egress_unavailable" ? "unknown" : "down",
        code: error.reason,
        message: error.message,
        timing: error.timing
      })
    case "ExchangeFailed":
      return new CheckFailed({
        status: "down",
        code: error.code,
        message: error.message,
        timing: error.connection.timing,
        facts: {
          address: error.connection.address,
          ...(error.connection.peer === null ? {} : { certificate: Certificate.facts(error.connection.peer) })
        }
      })
  }
}
