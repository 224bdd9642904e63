/**
 * The routes of single sign-on: the way to the identity provider, the way back, and tests. Every way back belongs to a sign-in
 * that this browser began, which is proven by a cookie, and is used once.
 */
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { cookiePath, cookiePrefix } from "@kanmon/domain/CookiePrefix"
import { filledText } from "@kanmon/domain/BoundedText"
import * as JsonText from "@kanmon/core/JsonText"
import {
  type Admitted,
  installationConnection,
  Protocols,
  type SignOnConnection,
  SingleSignOn
} from "../../sso/index.ts"
import { isEmailAddress, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { localeFor } from "@kanmon/domain/Locale"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { type Identity } from "@kanmon/domain/SingleSignOn"
import { Clock, Effect, Result, Schema } from "effect"
import { acceptedBy } from "./Desk.ts"
import { invalid, problem } from "./ProblemResponses.ts"
import * as SsoFlow from "./SsoFlow.ts"
import { asJson, recall, remember } from "./SsoMemory.ts"
import * as SsoPages from "./SsoPages.ts"

const connectRoute = "/auth/sign-in/sso/connect"
const startRoute = "/auth/sign-in/sso"
/** Answers of identity providers of SAML, which browsers post. */
const foreignForms = /^\/auth\/sso\/saml\/[0-9A-Za-z_]{1,80}\/acs$/

/** Which routes there are, and their methods. */
export const methodsOf = (route: string): ReadonlyArray<string> | undefined => {
  if (route === startRoute) return ["POST"]
  if (route === connectRoute) return ["GET", "POST"]
  if (foreignForms.test(route)) return ["POST"]
  return /^\/auth\/sso\/(start|finish|callback\/[0-9A-Za-z_]{1,80}|saml\/[0-9A-Za-z_]{1,80}\/metadata)$/.test(route)
    ? ["GET"]
    : undefined
}

const text = filledText(2048)
const decodeStart = decodeStrict(
  Schema.Struct({
    email: Schema.optionalKey(text),
    organization: Schema.optionalKey(text),
    callbackURL: Schema.optionalKey(text)
  })
)
const decodeConnect = decodeStrict(Schema.Struct({ email: text, code: text, password: text }))

export interface Needs {
  readonly apiUrl: string
  readonly baseUrl: string
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
  /** Starts a session: a response with its cookie. With an organization it reaches that one alone. */
  readonly startSession: (
    userId: string,
    headers: Headers,
    organizationId: string | undefined
  ) => Effect.Effect<Response>
  /** Tells the owner of an account that it was connected with an identity provider. */
  readonly connected: (userId: string, connection: string, request: Request) => Effect.Effect<void>
  readonly isPassword: (email: string, password: string) => Effect.Effect<boolean>
}

export const make = Effect.fnUntraced(function* ({ apiUrl, baseUrl, connected, isPassword, run, startSession }: Needs) {
  const signOn = yield* SingleSignOn
  const clock = yield* Clock.Clock
  const ownCookie = {
    name: `${cookiePrefix(baseUrl)}-sso`,
    path: cookiePath(baseUrl),
    secure: baseUrl.startsWith("https:")
  }
  const home = `${baseUrl}/`
  const protocolOidc = yield* Effect.cached(Protocols.openIdConnect(signOn, run, () => clock.currentTimeMillisUnsafe()))

  const redirectUri = (id: string): string => `${apiUrl}/auth/sso/callback/${id}`
  const serviceProvider = (id: string): Protocols.ServiceProvider => ({
    entityId: `${apiUrl}/auth/sso/saml/${id}/metadata`,
    consumerUrl: `${apiUrl}/auth/sso/saml/${id}/acs`
  })
  const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, Protocols.SignOnFailure> =>
    Effect.tryPromise({
      try: work,
      catch: (error) => (error instanceof Protocols.SignOnFailure ? error : new Unexpected({ cause: error }))
    }).pipe(Effect.catchTag("Unexpected", ({ cause }) => Effect.die(cause)))

  const page = (status: number, detail: string) => SsoPages.respond(status, SsoPages.refused(detail, home))
  /** A new one for each request: a response is read once. */
  const lost = () => SsoPages.respond(400, SsoPages.lost(home))
  const addressOf = (request: Request): string => request.headers.get("x-kanmon-client-ip") ?? "unknown"

  /** Begins a sign-in: the address of the identity provider, and the cookie of this browser. */
  const begin = Effect.fnUntraced(function* (
    connection: SignOnConnection,
    request: Request,
    {
      callbackPath,
      hint,
      test
    }: { readonly callbackPath: string; readonly hint?: string; readonly test: string | null }
  ) {
    const state = SsoFlow.randomValue()
    const browser = SsoFlow.browserOf(request.headers, ownCookie) ?? SsoFlow.randomValue()
    const pending = { connection: connection.id, callbackPath, test }
    if (connection.protocol === "oidc") {
      const oidc = yield* protocolOidc
      const { memory, url } = yield* attempt(() =>
        oidc.authorize(connection, { redirectUri: redirectUri(connection.id), state, hint })
      )
      yield* signOn.begin(
        { state, browser },
        { ...pending, payload: remember({ step: "oidc", ...memory }) },
        SsoFlow.patience
      )
      return { url, cookie: SsoFlow.browserCookie(browser, ownCookie) }
    }
    const saml = yield* Protocols.saml
    const { memory, url } = yield* attempt(() => saml.authorize(connection, serviceProvider(connection.id), state))
    // The answer is posted by another site, and comes without the cookie.
    yield* signOn.begin(
      { state, browser: undefined },
      { ...pending, payload: remember({ step: "saml", ...memory, browser }) },
      SsoFlow.patience
    )
    return { url, cookie: SsoFlow.browserCookie(browser, ownCookie) }
  })

  const connectionFor = (named: { readonly email?: string | undefined; readonly organization?: string | undefined }) =>
    named.email === undefined
      ? signOn.connection(named.organization ?? installationConnection, false)
      : signOn.connectionOf(named.email)

  const start = Effect.fnUntraced(function* (request: Request) {
    const decoded = decodeStart(JsonText.parse(yield* Effect.promise(() => request.text())) ?? {})
    if (Result.isFailure(decoded)) return problem(invalid(decoded.failure.errors))
    const { callbackURL = "/", email, organization } = decoded.success
    const callbackPath = BaseAddress.own(callbackURL, baseUrl)
    if (callbackPath === undefined)
      return problem(
        invalid([{ path: "callbackURL", message: "Expected a path of this installation, such as /monitors" }])
      )
    const connection = yield* connectionFor({ email, organization })
    if (connection === undefined)
      return problem({ code: "not_found", detail: "There is no single sign-on for this address or organization" })
    const begun = yield* Effect.result(
      begin(connection, request, { callbackPath, test: null, ...(email === undefined ? {} : { hint: email }) })
    )
    if (Result.isFailure(begun)) return problem({ code: "unavailable", detail: begun.failure.detail, retryAfter: 10 })
    const { cookie, url } = begun.success
    return Response.json({ url, redirect: true }, { headers: { "set-cookie": cookie, "cache-control": "no-store" } })
  })

  /**
   * The same for links: portals of identity providers, and tests. Another site could send its visitors here and sign
   * them in to an account of its own. So the person confirms first, on a page with a link that other sites cannot read.
   */
  const open = Effect.fnUntraced(function* (request: Request, query: URLSearchParams) {
    const ticket = query.get("ticket")
    const taken = ticket === null ? undefined : yield* signOn.takeTicket(ticket)
    if (ticket !== null && taken === undefined) return lost()
    const callbackPath = BaseAddress.own(query.get("callbackURL") ?? "/", baseUrl) ?? "/"
    const connection = yield* taken === undefined
      ? connectionFor({ organization: query.get("organization") ?? undefined })
      : signOn.connection(taken.connection, true)
    if (connection === undefined) return page(404, "There is no single sign-on for this organization.")
    const browser = SsoFlow.browserOf(request.headers, ownCookie)
    const isConfirmed = browser !== undefined && query.get("confirmed") === SsoFlow.confirmationOf(browser)
    if (taken === undefined && !isConfirmed) return confirmation(request, callbackPath, connection)
    const begun = yield* Effect.result(begin(connection, request, { callbackPath, test: taken?.test ?? null }))
    if (Result.isFailure(begun)) {
      if (taken !== undefined)
        return yield* showTest(taken.test, connection, { claims: {}, problem: begun.failure.detail })
      return page(503, begun.failure.detail)
    }
    return redirect(begun.success.url, [begun.success.cookie])
  })

  /** A link, because the policy of pages lets no form lead to another site. */
  const confirmation = (request: Request, callbackPath: string, { id, name }: SignOnConnection) => {
    const browser = SsoFlow.browserOf(request.headers, ownCookie) ?? SsoFlow.randomValue()
    const going = new URLSearchParams({
      ...(id === installationConnection ? {} : { organization: id }),
      callbackURL: callbackPath,
      confirmed: SsoFlow.confirmationOf(browser)
    })
    const locale = localeFor(undefined, acceptedBy(request))
    return SsoPages.respond(200, SsoPages.begin(locale, name, `?${going}`), {
      "set-cookie": SsoFlow.browserCookie(browser, ownCookie)
    })
  }

  const showTest = Effect.fnUntraced(function* (
    test: string,
    connection: SignOnConnection,
    outcome: Parameters<typeof signOn.finishTest>[2]
  ) {
    const conclusion = yield* signOn.finishTest(test, connection, outcome)
    return SsoPages.respond(outcome.problem === undefined ? 200 : 400, SsoPages.tested(outcome, conclusion))
  })

  const failed = Effect.fnUntraced(function* (
    connection: SignOnConnection,
    request: Request,
    test: string | null,
    { claims = {}, detail }: Protocols.SignOnFailure
  ) {
    if (test !== null) return yield* showTest(test, connection, { claims, problem: detail })
    yield* signOn.failed(connection, detail, addressOf(request))
    return page(400, detail)
  })

  const callback = Effect.fnUntraced(function* (request: Request, url: URL, id: string) {
    const state = url.searchParams.get("state") ?? ""
    const browser = SsoFlow.browserOf(request.headers, ownCookie)
    if (browser === undefined) return lost()
    const taken = yield* signOn.take({ state, browser })
    if (taken === undefined || taken.connection !== id) return lost()
    const memory = recall(taken.payload)
    const connection = yield* signOn.connection(id, taken.test !== null)
    if (connection?.protocol !== "oidc" || memory.step !== "oidc") return lost()
    // The address that the provider was given, because a proxy may have changed the host.
    const answered = new URL(`${redirectUri(id)}${url.search}`)
    const oidc = yield* protocolOidc
    const claimed = yield* Effect.result(attempt(() => oidc.claimed(connection, answered, { state, memory })))
    if (Result.isFailure(claimed)) return yield* failed(connection, request, taken.test, claimed.failure)
    const { claims, identity } = claimed.success
    if (taken.test !== null) return yield* showTest(taken.test, connection, { claims, identity })
    return yield* enter(request, connection, { claims, identity, callbackPath: taken.callbackPath, browser })
  })

  /** Verifies a posted assertion, and leads the browser to a page of our own, which gets the cookie. */
  const consume = Effect.fnUntraced(function* (request: Request, id: string) {
    const posted = (JsonText.parse(yield* Effect.promise(() => request.text())) ?? {}) as Readonly<
      Record<string, unknown>
    >
    const { RelayState: state, SAMLResponse: answer } = posted
    if (typeof state !== "string" || typeof answer !== "string") return lost()
    const taken = yield* signOn.take({ state, browser: undefined })
    if (taken === undefined || taken.connection !== id) return lost()
    const memory = recall(taken.payload)
    const connection = yield* signOn.connection(id, taken.test !== null)
    if (connection?.protocol !== "saml" || memory.step !== "saml") return lost()
    const now = yield* Clock.currentTimeMillis
    const saml = yield* Protocols.saml
    const claimed = yield* Effect.result(
      attempt(() => saml.claimed(connection, serviceProvider(id), answer, memory, now))
    )
    if (Result.isFailure(claimed)) return yield* failed(connection, request, taken.test, claimed.failure)
    const { assertion, claims, identity } = claimed.success
    const code = SsoFlow.randomValue()
    const payload = remember({ step: "finish", assertion, claims: asJson(claims), identity })
    yield* signOn.begin({ state: code, browser: memory.browser }, { ...taken, payload }, 60)
    return redirect(`${apiUrl}/auth/sso/finish?code=${code}`, [])
  })

  const finish = Effect.fnUntraced(function* (request: Request, url: URL) {
    const browser = SsoFlow.browserOf(request.headers, ownCookie)
    if (browser === undefined) return lost()
    const taken = yield* signOn.take({ state: url.searchParams.get("code") ?? "", browser })
    if (taken === undefined) return lost()
    const memory = recall(taken.payload)
    const connection = yield* signOn.connection(taken.connection, taken.test !== null)
    if (connection === undefined || memory.step !== "finish") return lost()
    const { assertion, claims, identity } = memory
    if (taken.test !== null) return yield* showTest(taken.test, connection, { claims, identity })
    return yield* enter(request, connection, { claims, identity, callbackPath: taken.callbackPath, browser, assertion })
  })

  /** Signs in, or says what is missing. */
  const enter = Effect.fnUntraced(function* (
    request: Request,
    connection: SignOnConnection,
    entry: {
      readonly claims: Readonly<Record<string, unknown>>
      readonly identity: Identity
      readonly callbackPath: string
      readonly browser: string
      readonly assertion?: string | undefined
      readonly proven?: boolean
    }
  ) {
    const { assertion, browser, callbackPath, claims, identity, proven = false } = entry
    const admitted: Admitted = yield* signOn.admit(connection, identity, {
      assertion,
      proven,
      address: addressOf(request)
    })
    if (admitted._tag === "Refused") return page(403, admitted.detail)
    if (admitted._tag === "PasswordNeeded") {
      const code = SsoFlow.randomValue()
      const payload = remember({ step: "connect", claims: asJson(claims), identity })
      yield* signOn.begin(
        { state: code, browser },
        { connection: connection.id, callbackPath, test: null, payload },
        SsoFlow.patience
      )
      return redirect(`${apiUrl}${connectRoute}?code=${code}&email=${encodeURIComponent(admitted.email)}`, [])
    }
    if (admitted.isConnected) yield* connected(admitted.userId, connection.name, request)
    const only = connection.id === installationConnection ? undefined : connection.id
    const session = yield* startSession(admitted.userId, request.headers, only)
    if (!session.ok) return page(403, "The account cannot be used.")
    return redirect(`${baseUrl}${callbackPath}`, session.headers.getSetCookie())
  })

  const connect = Effect.fnUntraced(function* (request: Request, url: URL) {
    if (request.method === "GET") {
      const [code, email] = [url.searchParams.get("code") ?? "", url.searchParams.get("email") ?? ""]
      // The page shows it, so that it must not be any text that a link can have.
      if (!isEmailAddress(email)) return lost()
      return SsoPages.respond(200, SsoPages.passwordQuestion(email, code))
    }
    const decoded = decodeConnect(JsonText.parse(yield* Effect.promise(() => request.text())))
    const browser = SsoFlow.browserOf(request.headers, ownCookie)
    if (Result.isFailure(decoded) || browser === undefined) return lost()
    const { code, email, password } = decoded.success
    const taken = yield* signOn.take({ state: code, browser })
    if (taken === undefined) return lost()
    const memory = recall(taken.payload)
    const connection = yield* signOn.connection(taken.connection, taken.test !== null)
    if (
      connection === undefined ||
      memory.step !== "connect" ||
      normalizeEmail(memory.identity.email ?? "") !== normalizeEmail(email)
    )
      return lost()
    if (!(yield* isPassword(email, password))) {
      yield* signOn.begin({ state: code, browser }, taken, SsoFlow.patience)
      const question = SsoPages.passwordQuestion(email, code)
      return SsoPages.respond(401, { ...question, paragraphs: ["The password is wrong.", ...question.paragraphs] })
    }
    const { claims, identity } = memory
    return yield* enter(request, connection, {
      claims,
      identity,
      callbackPath: taken.callbackPath,
      browser,
      proven: true
    })
  })

  const describe = Effect.fnUntraced(function* (id: string) {
    return new Response((yield* Protocols.saml).metadata(serviceProvider(id)), {
      headers: { "content-type": "application/samlmetadata+xml", "cache-control": "no-store" }
    })
  })

  /** Answers a request to one of the routes; undefined for every other route. */
  const handle = (route: string, request: Request): Effect.Effect<Response> | undefined => {
    const url = new URL(request.url)
    const parts = route.split("/").slice(2)
    if (route === startRoute) return start(request)
    if (route === connectRoute) return connect(request, url)
    if (parts[0] !== "sso") return undefined
    if (parts[1] === "start") return open(request, url.searchParams)
    if (parts[1] === "finish") return finish(request, url)
    if (parts[1] === "callback") return callback(request, url, parts[2]!)
    return parts[3] === "acs" ? consume(request, parts[2]!) : describe(parts[2]!)
  }

  return { handle }
})

class Unexpected extends Schema.TaggedError<Unexpected>()("Unexpected", { cause: Schema.Unknown }) {}

/** Found, not moved: the browser gets the answer with GET. */
const redirect = (location: string, cookies: ReadonlyArray<string>): Response => {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}
