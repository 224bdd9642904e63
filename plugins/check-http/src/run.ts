/** One check of a URL: follows redirects, then compares the last response with the monitor's expectations. */
import { type Attempt, CheckFailed, type Passed } from "@kanmon/core/Check"
import { type BoundedEvaluator, type EvaluationFailed, limitMillis } from "@kanmon/core/BoundedEvaluator"
import type { Connection, Dialer, DialFailed, TlsIdentity } from "@kanmon/core/Dialer"
import type { Explanation } from "@kanmon/domain/Explanation"
import { mapTexts, reason as why, worded as reworded } from "@kanmon/domain/Reason"
import type { Facts, Failure, Timing } from "@kanmon/domain/Observation"
import { randomBytes } from "node:crypto"
import { Clock, Effect, type Schema, type Scope } from "effect"
import * as Authentication from "./Authentication.ts"
import * as BodyText from "./BodyText.ts"
import * as Capture from "./Capture.ts"
import * as Certificate from "./Certificate.ts"
import * as Cookies from "./Cookies.ts"
import * as Digest from "./Digest.ts"
import { type Decision, exchange, type ExchangeFailed, notKept, type Request, type Response } from "./Exchange.ts"
import { type Expectation, expectationOf, headerExpectationOf } from "./Expectations.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import * as Identity from "./Identity.ts"
import * as Redirect from "./Redirect.ts"
import * as RequestBody from "./RequestBody.ts"
import * as StatusCodes from "./StatusCodes.ts"

const maxRedirects = 10
const userAgent = "Kanmon/0.1"
const round = (millis: number): number => Math.round(millis * 100) / 100

/** Shared by all attempts of a monitor. */
interface PreparedRequest {
  readonly first: Redirect.Hop
  /** The headers that any server may receive. */
  readonly anonymous: Readonly<Record<string, string>>
  /** How the user wrote the names of headers, by name in lower case. */
  readonly headerNames: ReadonlyMap<string, string>
  readonly expectation: Expectation | undefined
  readonly headerExpectation: Expectation | undefined
}

const prepared = new WeakMap<HttpConfig, PreparedRequest>()

const preparedOf = (config: HttpConfig): PreparedRequest => {
  let request = prepared.get(config)
  if (request === undefined) prepared.set(config, (request = prepare(config)))
  return request
}

const prepare = (config: HttpConfig): PreparedRequest => {
  const url = new URL(config.url)
  const own = Object.entries<string>(config.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*" }
  if (url.username !== "" || url.password !== "") {
    const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`
  }
  const body = RequestBody.encode(config.body, config.bodyType)
  if (body.contentType !== undefined) headers["content-type"] = body.contentType
  const authorization = Authentication.headerOf(config)
  if (authorization !== undefined) headers["authorization"] = authorization
  Object.assign(headers, Object.fromEntries(own))
  return {
    first: { url, method: config.method, headers, body: body.text },
    anonymous: { "user-agent": headers["user-agent"]!, accept: "*/*" },
    headerNames: new Map(Object.keys(config.headers ?? {}).map((name) => [name.toLowerCase(), name])),
    expectation: expectationOf(config),
    headerExpectation: headerExpectationOf(config)
  }
}

/** A stray percent sign in a password is taken literally. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text.slice(0, 2048))
  } catch {
    return text
  }
}

export const run = Effect.fnUntraced(function* (
  config: HttpConfig,
  attempt: Attempt
): Effect.fn.Return<Passed, CheckFailed, Dialer | BoundedEvaluator | Scope.Scope> {
  const prepared = preparedOf(config)
  const { anonymous, first } = prepared
  const identity = yield* Identity.of(config, attempt)
  const send = (request: Request) =>
    Effect.tap(
      Effect.catch(
        exchange({ ...request, headers: Cookies.sent(jar, request.url, request.headers) }, attempt),
        (error) => failed(config, prepared, request.url, error)
      ),
      (response) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          spent += elapsed(response)
          jar = Cookies.received(jar, request.url, response.headers["set-cookie"] ?? [], now)
        })
    )
  let hop = first
  let spent = 0
  let jar = Cookies.none
  for (let redirects = 0; ; redirects++) {
    const request = requestOf(config, hop, prepared, identity, attempt)
    let response = yield* send(request)
    if (config.authentication === "digest" && hop.url.origin === first.url.origin)
      response = yield* authenticated(config, request, response, send)
    const { location, status } = response
    if (!config.followRedirects || !Redirect.leadsOn(status, location)) {
      return yield* compare(config, prepared, hop.url, response, round(spent), redirects, attempt)
    }
    const next =
      redirects === maxRedirects
        ? { code: "too_many_redirects", ...why("too_many_redirects", { host: first.url.host, limit: maxRedirects }) }
        : Redirect.next(hop, status, location, anonymous)
    if ("code" in next) {
      const facts = describe(hop.url, response, redirects)
      return yield* down(next, { facts }, Capture.of(config, first, hop.url, response))
    }
    hop = next
  }
}, Effect.scoped)

/** Answers a digest challenge; twice when the server says that the first answer's nonce was too old. */
const authenticated = Effect.fnUntraced(function* <E, R>(
  { password = "", username = "" }: HttpConfig,
  request: Request,
  first: Response,
  send: (request: Request) => Effect.Effect<Response, E, R>
): Effect.fn.Return<Response, E, R> {
  let response = first
  for (let tries = 0; tries < 2 && response.status === 401; tries++) {
    const challenge = Digest.challengeOf(response.rawHeaders["www-authenticate"] ?? [])
    if (challenge === undefined || (tries > 0 && !challenge.stale)) return response
    const authorization = Digest.authorization(challenge, {
      method: request.method,
      uri: `${request.url.pathname}${request.url.search}`,
      username,
      password,
      cnonce: randomBytes(16).toString("hex"),
      count: 1
    })
    response = yield* send({ ...request, headers: { ...request.headers, authorization } })
  }
  return response
})

const requestOf = (
  config: HttpConfig,
  hop: Redirect.Hop,
  prepared: PreparedRequest,
  identity: TlsIdentity | undefined,
  attempt: Attempt
): Request => ({
  ...hop,
  headerNames: prepared.headerNames,
  // Other origins get neither credentials nor the certificate; other hosts have addresses of their own.
  identity: hop.url.origin === prepared.first.url.origin ? identity : undefined,
  address: hop.url.hostname === prepared.first.url.hostname ? config.dnsOverride : undefined,
  minVersion: config.tlsMinVersion,
  allowHttp2: config.httpVersion === "auto",
  keep: (status) =>
    !StatusCodes.includes(config.expectedStatus, status)
      ? Capture.receivedBytes
      : prepared.expectation !== undefined
        ? BodyText.bodyLimit
        : prepared.headerExpectation !== undefined
          ? Capture.receivedBytes
          : 0,
  keepBroken: Capture.receivedBytes,
  decided: (status) =>
    prepared.expectation === undefined || !StatusCodes.includes(config.expectedStatus, status)
      ? undefined
      : decisionOf(prepared.expectation),
  answered: (received) =>
    attempt.answered?.(
      received === undefined ? undefined : Effect.suspend(() => Capture.of(config, prepared.first, hop.url, received()))
    ),
  leadsOn: (status, location) => config.followRedirects && Redirect.leadsOn(status, location),
  // A server without a valid certificate receives no request.
  objection: ({ peer }: Connection) =>
    config.verifyTls && peer !== null ? Certificate.verdict(peer, hop.url.hostname) : null
})

/** The rules are decided when they hold, cannot hold any more, or cannot be evaluated. */
const decisionOf = ({ broken, costly, forbids, isFinal }: Expectation): Decision => ({
  // Forbidden text gets a second to appear.
  firstLook: forbids ? 1000 : 50,
  isExpensive: costly !== "",
  isMade: (received) =>
    Effect.matchEffect(BodyText.read(received), {
      onFailure: () => Effect.succeed(true),
      onSuccess: (text) =>
        Effect.match(broken(text), {
          onFailure: () => true,
          onSuccess: (problem) => problem === null || isFinal(text)
        })
    })
})

const compare = Effect.fnUntraced(function* (
  config: HttpConfig,
  { expectation, first, headerExpectation }: PreparedRequest,
  url: URL,
  response: Response,
  responseTime: number,
  redirects: number,
  attempt: Attempt
): Effect.fn.Return<Passed, CheckFailed, BoundedEvaluator> {
  const facts = describe(url, response, redirects)
  const measured = { responseTime, timing: timing(response), facts }
  const captured = Capture.of(config, first, url, response)
  if (!StatusCodes.includes(config.expectedStatus, response.status)) {
    const words = why("status_mismatch", {
      host: url.host,
      status: response.status,
      expected: StatusCodes.words(config.expectedStatus),
      hint: unanswerable(config, response)
    })
    return yield* down({ code: "status_mismatch", ...words }, measured, captured)
  }
  if (headerExpectation !== undefined) {
    attempt.stage("evaluate")
    const text = JSON.stringify(response.headers)
    const problem = yield* Effect.mapError(headerExpectation.broken(text), (error) =>
      notEvaluated(error, headerExpectation, "headers", text, measured)
    )
    if (problem !== null) return yield* down(problem, measured, captured)
  }
  if (expectation !== undefined) {
    attempt.stage("evaluate")
    const text = yield* Effect.catch(BodyText.read(response), (why) => down(why, measured, captured))
    response.holding.count(text.length)
    const problem = yield* Effect.raceFirst(
      Effect.mapError(expectation.broken(text), (error) => notEvaluated(error, expectation, "body", text, measured)),
      lost(response, measured)
    )
    if (problem !== null) return yield* down(problem, measured, captured)
  }
  const slow = config.degradedThreshold !== undefined && responseTime > config.degradedThreshold
  return slow
    ? {
        ...measured,
        degraded: {
          code: "slow",
          ...why("slow", { host: url.host, took: Math.round(responseTime), limit: config.degradedThreshold! })
        }
      }
    : measured
})

/** Whether a 401 asks for a digest that cannot be answered. */
const unanswerable = ({ authentication }: HttpConfig, { rawHeaders, status }: Response): "no_digest" | undefined =>
  authentication === "digest" &&
  status === 401 &&
  Digest.challengeOf(rawHeaders["www-authenticate"] ?? []) === undefined
    ? "no_digest"
    : undefined

/** Rules that are too expensive for this body are the monitor's failure; a lack of capacity is not. */
const notEvaluated = (
  { reason }: EvaluationFailed,
  { costly }: Expectation,
  what: "body" | "headers",
  text: string,
  measured: Partial<Passed>
): CheckFailed =>
  reason === "too_expensive"
    ? new CheckFailed({
        status: "down",
        code: "evaluation_too_expensive",
        ...why("too_expensive", {
          settings: costly,
          seconds: limitMillis / 1000,
          text: what,
          kilobytes: Math.ceil(text.length / 1000)
        }),
        ...measured
      })
    : new CheckFailed({
        status: "unknown",
        code: "evaluation_unavailable",
        ...why("no_capacity_for", { settings: costly }),
        ...measured
      })

/** Fails when this probe needs the memory of the response for other checks. */
const lost = ({ holding }: Response, measured: Partial<Passed>): Effect.Effect<never, CheckFailed> =>
  Effect.callback((resume) => {
    holding.onLost(() => resume(Effect.fail(new CheckFailed({ status: "unknown", ...notKept, ...measured }))))
    return Effect.sync(() => holding.onLost(undefined))
  })

/** Connect to last byte, summed over the hops, without name resolution, which is not the target's. */
const elapsed = ({ connection, download, firstByte }: Response): number =>
  connection.timing.connect + (connection.timing.tls ?? 0) + firstByte + download

const timing = ({ connection, download, firstByte }: Response): Timing => ({
  ...connection.timing,
  firstByte,
  download
})

const describe = (url: URL, response: Response, redirects: number): Facts => {
  const { connection, httpVersion } = response
  const facts: Record<string, Schema.Json> = { statusCode: response.status, address: connection.address, httpVersion }
  if (redirects > 0) {
    facts["redirects"] = redirects
    facts["finalUrl"] = `${url.origin}${url.pathname}`
  }
  if (connection.peer !== null) facts["certificate"] = Certificate.facts(connection.peer)
  return facts
}

/** The failure with what the target answered, which is read only now. */
const down = (
  failure: Failure,
  measured: Partial<Passed>,
  captured: Effect.Effect<Capture.Capture>
): Effect.Effect<never, CheckFailed> =>
  Effect.flatMap(captured, (capture) =>
    Effect.fail(new CheckFailed({ status: "down", ...failure, ...measured, capture }))
  )

/** Names the setting that accepts a server with only old versions of TLS. */
const withOlderTls = (
  { tlsMinVersion }: HttpConfig,
  { cause = "", explanation, message }: DialFailed
): { readonly message: string; readonly explanation?: Explanation | undefined } =>
  tlsMinVersion !== "1.0" &&
  explanation !== undefined &&
  /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(cause.slice(0, 1000))
    ? reworded({ ...explanation, parameters: { ...explanation.parameters, hint: "tls_min_version" } })
    : { message, explanation }

const failed = (
  config: HttpConfig,
  { first }: PreparedRequest,
  url: URL,
  error: DialFailed | ExchangeFailed
): Effect.Effect<never, CheckFailed> => {
  switch (error._tag) {
    case "DialFailed":
      return Effect.fail(
        new CheckFailed({
          status: error.reason === "egress_unavailable" ? "unknown" : "down",
          code: error.reason,
          ...withOlderTls(config, error),
          timing: error.timing
        })
      )
    case "ExchangeFailed": {
      const { code, connection, explanation, message, response } = error
      const measured = {
        timing: connection.timing,
        facts: {
          address: connection.address,
          ...(connection.peer === null ? {} : { certificate: Certificate.facts(connection.peer) })
        }
      }
      if (code === notKept.code)
        return Effect.fail(new CheckFailed({ status: "unknown", code, message, explanation, ...measured }))
      // The message may quote a line of the response, and that the request.
      const hide = (text: string) => Capture.hidden(config, first, text)
      const shown = {
        code,
        message: hide(message),
        ...(explanation === undefined ? {} : { explanation: mapTexts(explanation, hide) })
      }
      return down(shown, measured, Capture.of(config, first, url, response, connection.address))
    }
  }
}
