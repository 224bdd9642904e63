/** One check of a URL: follows redirects, then holds the last response against what the monitor expects. */
import { type Attempt, CheckFailed, type Passed } from "@kanmon/core/Check"
import { type BoundedEvaluator, type EvaluationFailed, limitMillis } from "@kanmon/core/BoundedEvaluator"
import type { Connection, Dialer, DialFailed } from "@kanmon/core/Dialer"
import type { Facts, Failure, Timing } from "@kanmon/domain/Observation"
import { Effect, type Schema } from "effect"
import * as BodyText from "./BodyText.ts"
import * as Certificate from "./Certificate.ts"
import { exchange, type ExchangeFailed, type Request, type Response } from "./Exchange.ts"
import { type Expectation, expectationOf } from "./Expectations.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import * as Redirect from "./Redirect.ts"
import * as StatusCodes from "./StatusCodes.ts"

const mostRedirects = 10
const userAgent = "Kanmon/0.1"
const round = (millis: number): number => Math.round(millis * 100) / 100

/** What is the same for every attempt of a monitor. */
interface Plan {
  readonly first: Redirect.Hop
  /** The headers that any server may see. */
  readonly anonymous: Readonly<Record<string, string>>
  readonly expectation: Expectation | undefined
}

const plans = new WeakMap<HttpConfig, Plan>()

const planOf = (config: HttpConfig): Plan => {
  let plan = plans.get(config)
  if (plan === undefined) plans.set(config, (plan = makePlan(config)))
  return plan
}

const makePlan = (config: HttpConfig): Plan => {
  const url = new URL(config.url)
  const own = Object.entries<string>(config.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*" }
  if (url.username !== "" || url.password !== "") {
    const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`
  }
  Object.assign(headers, Object.fromEntries(own))
  return {
    first: { url, method: config.method, headers, body: config.body },
    anonymous: { "user-agent": headers["user-agent"]!, accept: "*/*" },
    expectation: expectationOf(config)
  }
}

/** A stray percent sign in a password stands for itself. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const run = (
  config: HttpConfig,
  attempt: Attempt
): Effect.Effect<Passed, CheckFailed, Dialer | BoundedEvaluator> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anonymous, expectation, first } = planOf(config)
      let hop = first
      let spent = 0
      for (let redirects = 0; ; redirects++) {
        const request = requestOf(config, hop, expectation !== undefined)
        const response = yield* Effect.mapError(exchange(request, attempt), failed)
        spent += elapsed(response)
        const { location, status } = response
        if (!config.followRedirects || !Redirect.leadsOn(status, location)) {
          return yield* judge(config, expectation, hop.url, response, round(spent), redirects, attempt)
        }
        const next =
          redirects === mostRedirects
            ? { code: "too_many_redirects", message: `${first.url.host} redirects more than ${mostRedirects} times` }
            : Redirect.next(hop, status, location, anonymous)
        if ("code" in next) return yield* down(next, { facts: describe(hop.url, response, redirects) })
        hop = next
      }
    })
  )

const requestOf = (config: HttpConfig, hop: Redirect.Hop, keepBody: boolean): Request => ({
  ...hop,
  keepBody,
  leadsOn: (status, location) => config.followRedirects && Redirect.leadsOn(status, location),
  // Nothing is told to a server whose certificate is not good.
  objection: ({ peer }: Connection) =>
    config.verifyTls && peer !== null ? Certificate.verdict(peer, hop.url.hostname) : null
})

const judge = Effect.fnUntraced(function* (
  config: HttpConfig,
  expectation: Expectation | undefined,
  url: URL,
  response: Response,
  responseTime: number,
  redirects: number,
  attempt: Attempt
): Effect.fn.Return<Passed, CheckFailed, BoundedEvaluator> {
  const facts = describe(url, response, redirects)
  const measured = { responseTime, timing: timing(response), facts }
  if (!StatusCodes.includes(config.expectedStatus, response.status)) {
    const expected = StatusCodes.words(config.expectedStatus)
    const message = `${url.host} answered ${response.status}; expected ${expected}`
    return yield* down({ code: "status_mismatch", message }, measured)
  }
  if (expectation !== undefined) {
    attempt.stage("evaluate")
    const text = yield* Effect.mapError(
      BodyText.read(response),
      (why) => new CheckFailed({ status: "down", ...why, ...measured })
    )
    const problem = yield* Effect.mapError(expectation.broken(text), (error) =>
      notEvaluated(error, expectation, text, measured)
    )
    if (problem !== null) return yield* down(problem, measured)
  }
  const slow = config.degradedThreshold !== undefined && responseTime > config.degradedThreshold
  return slow
    ? {
        ...measured,
        degraded: {
          code: "slow",
          message: `${url.host} took ${Math.round(responseTime)} ms; more than ${config.degradedThreshold} ms counts as degraded`
        }
      }
    : measured
})

/** Rules that cost too much on this body are the monitor's own failure; that there was no room for them is not. */
const notEvaluated = (
  { reason }: EvaluationFailed,
  { costly }: Expectation,
  text: string,
  measured: Partial<Passed>
): CheckFailed =>
  reason === "too_expensive"
    ? new CheckFailed({
        status: "down",
        code: "evaluation_too_expensive",
        message: `${costly} takes more than ${limitMillis / 1000} s of CPU time, or too much memory, on this body of ${Math.ceil(text.length / 1000)} kB: simplify it, or let it look at less`,
        ...measured
      })
    : new CheckFailed({
        status: "unknown",
        code: "evaluation_unavailable",
        message: `The target answered, but this probe had no capacity to evaluate ${costly}`,
        ...measured
      })

/** Connect to last byte, summed over the hops: a name's resolution is ours, not the target's. */
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

const down = (failure: Failure, measured: Partial<Passed>): Effect.Effect<never, CheckFailed> =>
  Effect.fail(new CheckFailed({ status: "down", ...failure, ...measured }))

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
