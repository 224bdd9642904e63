/**
 * The contract of an auth plugin: it names the caller of a request by what the host knows, leaves other requests to other plugins,
 * and is not upset by hostile ones.
 */
import { AsyncLocalStorage, createHook } from "node:async_hooks"
import { assert, describe, it } from "@effect/vitest"
import {
  type Auth,
  AuthError,
  type AuthRequest,
  type Authenticate,
  type Capabilities,
  type Principal
} from "@kanmon/core/Auth"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { Sessions } from "@kanmon/core/Sessions"
import { Context, Effect, Exit, Option, Result } from "effect"

/** A valid request of the plugin's kind, for the laws about valid credentials. */
export interface AuthWorld {
  /** The operator's settings with which the plugin is on. */
  readonly settings?: Readonly<Record<string, string>>
  /** A request with a credential. */
  readonly request: AuthRequest
  /** The caller that the host knows by it. */
  readonly caller: Principal
}

/** A text longer than any credential, which a server still accepts in a header. */
const longest = 64 * 1024
/** Questions to the host for one request; each costs a query. */
const mostQuestions = 2

/** A host that knows one caller or none, and counts the questions. */
const host = (caller: Principal | undefined) => {
  let questions = 0
  const answer = <Tag extends Principal["_tag"]>(tag: Tag) =>
    Effect.sync(() => {
      questions++
      return caller?._tag === tag ? Option.some(caller as Extract<Principal, { readonly _tag: Tag }>) : Option.none()
    })
  const services: Context.Context<Capabilities> = Context.empty().pipe(
    Context.add(
      ProjectKeys,
      ProjectKeys.of({
        find: () => answer("ProjectKey"),
        projectOf: () =>
          Effect.map(
            answer("ProjectKey"),
            Option.map(({ projectId }) => projectId)
          )
      })
    ),
    Context.add(
      Sessions,
      Sessions.of({
        ofCookies: () => answer("User"),
        ofToken: () =>
          Effect.flatMap(
            answer("User"),
            Option.match({
              onNone: () => Effect.fail(new AuthError({ detail: "The login has ended" })),
              onSome: (user) => Effect.succeed(user)
            })
          )
      })
    ),
    Context.add(ProvenAccounts, ProvenAccounts.of({ find: () => answer("User") }))
  )
  return {
    ask: (authenticate: Authenticate, request: AuthRequest) =>
      Effect.suspend(() => authenticate(request)).pipe(Effect.provideContext(services), Effect.exit),
    questions: () => questions
  }
}

/** Resources of the event loop that reach beyond the host. */
const reaching = /^(TCP|UDP|PIPE|TLS|GETADDRINFO|GETNAMEINFO|QUERY|FS|PROCESS|HTTP|WORKER|Timeout|FILEHANDLE)/

/** The resources that an effect asks the event loop for. */
const resourcesOf = async (run: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const within = new AsyncLocalStorage<true>()
  const found: Array<string> = []
  const hook = createHook({
    init: (_, type) => void (within.getStore() === true && reaching.test(type) && found.push(type))
  }).enable()
  try {
    await within.run(true, run)
    return found
  } finally {
    hook.disable()
  }
}

/** Headers of other clients, without a credential of any plugin of the product. */
const foreign: ReadonlyArray<Readonly<Record<string, string | undefined>>> = [
  {},
  { accept: "*/*", "user-agent": "curl/8.5.0", host: "kanmon.example" },
  { authorization: "Basic YTpi", "x-request-id": "1", accept: undefined },
  { "content-type": "application/json", origin: "https://elsewhere.example", referer: "https://elsewhere.example/" }
]

const hostile: ReadonlyArray<string> = [
  "",
  " ",
  ",",
  "\u0000",
  "\r\nx-api-key: a",
  "__proto__",
  "' OR 1=1 --",
  "%",
  "é".repeat(100),
  "\uD800",
  "Bearer ",
  `Bearer ${"kmu_".repeat(1000)}`,
  "=".repeat(longest),
  "a=b;".repeat(longest / 4),
  `${"a".repeat(longest / 2)}@${"b.".repeat(longest / 4)}`,
  "(".repeat(longest)
]

const usual = [
  "authorization",
  "cookie",
  "x-api-key",
  "x-forwarded-for",
  "x-forwarded-user",
  "remote-user",
  "__proto__"
]

/** Runs the suite for one auth. Without a world, the laws about its own credential do not apply. */
export const suite = (auth: Auth, world?: AuthWorld): void => {
  describe(`the auth ${auth.name}`, () => {
    const start = () => Result.getOrThrow(auth.start(world?.settings))
    const request = (headers: AuthRequest["headers"]): AuthRequest => ({
      method: "GET",
      url: "/api/v1/projects",
      peer: world?.request.peer ?? "192.0.2.1",
      headers
    })
    const ofWorld = (sentence: string, body: (world: AuthWorld) => Effect.Effect<void>) =>
      world === undefined
        ? it.skip(`${sentence} (does not apply: no request with its credential is given)`)
        : it.live(sentence, () => body(world), 30_000)

    it("has a name and a summary, and refuses settings that it does not know or that are no texts", () => {
      assert.match(auth.name, /^[a-z][a-z0-9-]{0,31}$/)
      assert.isNotEmpty(auth.summary)
      // The host reads the names that are declared, so without any there is nothing to refuse.
      if (Object.keys(auth.settings.fields).length > 0)
        assert.isTrue(Result.isFailure(auth.start({ ...world?.settings, SURELY_NO_SETTING: "x" })))
      for (const name of Object.keys(auth.settings.fields))
        assert.isTrue(Result.isFailure(auth.start({ ...world?.settings, [name]: 42 })), name)
    })

    it.live("leaves requests without a credential of its kind to other plugins", () =>
      Effect.gen(function* () {
        for (const headers of foreign)
          assert.deepStrictEqual(yield* host(undefined).ask(start(), request(headers)), Exit.succeed(Option.none()))
      })
    )

    it.live(
      "answers hostile headers with none or an AuthError, which does not repeat them, after few questions",
      () =>
        Effect.gen(function* () {
          const authenticate = start()
          for (const name of [...usual, ...Object.keys(world?.request.headers ?? {})])
            for (const value of hostile) {
              const headers = Object.assign(Object.create(null), world?.request.headers, { [name]: value })
              const { ask, questions } = host(undefined)
              refusing(yield* ask(authenticate, request(headers)), value)
              assert.isAtMost(questions(), mostQuestions, name)
            }
        }),
      30_000
    )

    it.live("takes no peer for granted", () =>
      Effect.gen(function* () {
        for (const peer of ["", "unknown", "::1%lo", "fe80::1%eth0", "1.2.3", "::ffff:999.1.1.1", "/run/kanmon.sock"])
          refusing(yield* host(undefined).ask(start(), { ...request(world?.request.headers ?? {}), peer }), "")
      })
    )

    ofWorld(
      "names the caller of a request with its credential, as the host knows the caller",
      ({ caller, request: own }) =>
        Effect.gen(function* () {
          const { ask, questions } = host(caller)
          assert.deepStrictEqual(yield* ask(start(), own), Exit.succeed(Option.some(caller)))
          assert.isAtMost(questions(), mostQuestions)
        })
    )

    ofWorld("names no caller that the host does not know", ({ request: own }) =>
      Effect.map(host(undefined).ask(start(), own), (exit) => refusing(exit, ""))
    )

    ofWorld("needs no more than the request and the host: no file, no network, no timer", ({ caller, request: own }) =>
      Effect.map(
        Effect.promise(() => resourcesOf(() => Effect.runPromise(host(caller).ask(start(), own)))),
        (found) => assert.deepStrictEqual(found, [])
      )
    )
  })
}

const longestReason = 300

/** Fails when a caller is named, or in a way that the contract does not allow. */
const refusing = (exit: Exit.Exit<Option.Option<Principal>, AuthError>, value: string): void => {
  if (Exit.isSuccess(exit)) return assert.isTrue(Option.isNone(exit.value), "somebody is named")
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  assert.instanceOf(error, AuthError, "it throws, or fails with something else")
  assert.match(error.detail, /^[^\r\n]+$/)
  assert.isAtMost(error.detail.length, longestReason)
  if (value.length > 8) assert.notInclude(error.detail, value, "the credential is repeated")
}
