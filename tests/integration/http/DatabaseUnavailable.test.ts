/** Requests while the database is unavailable, and their effects after it recovers. */
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { HeldTimeout } from "./HeldTimeout.ts"
import { call, cookieOf, layerOverWire as server, Logs, password, person, refused, shop, Wire } from "./Server.ts"

const during = <A, E, R>(state: "cut" | "stall", use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const wire = yield* Wire
    yield* wire[state]
    const result = yield* Effect.ensuring(use, wire.mend)
    yield* eventually(call("GET", "/health"), ({ status }) => status === 200)
    return result
  })

layer(server({ holdsTimeout: true }), { excludeTestServices: true })("while the database is away", (it) => {
  it.effect.each(["cut", "stall"] as const)("answers 503 and Retry-After, and recovers (%s)", (state) =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* during(
        state,
        Effect.gen(function* () {
          const credentials = { email: ada.email, password }
          const asking = yield* Effect.all(
            [
              ada.withKey("GET", "/monitors"),
              ada.withKey("POST", "/monitors", shop),
              ada.withKey("POST", "/monitors", shop, { "idempotency-key": "k" }),
              ada.withSession("GET", "/projects"),
              ada.withSession("GET", "/auth/get-session"),
              call("POST", "/auth/sign-in/email", credentials),
              call("POST", "/auth/sign-up/email", { ...credentials, name: "Ada", email: "later@example.org" })
            ],
            { concurrency: "unbounded" }
          ).pipe(Effect.forkChild)
          const { pass, running } = yield* HeldTimeout
          yield* eventually(running, (count) => count === 7 || asking.pollUnsafe() !== undefined)
          yield* delivered
          yield* eventually(
            Effect.andThen(pass, Effect.sync(asking.pollUnsafe.bind(asking))),
            (exit) => exit !== undefined
          )
          for (const answer of yield* Fiber.join(asking)) {
            refused(answer, 503, "unavailable")
            assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
            assert.notInclude(JSON.stringify(answer.body), "Pg")
          }
          const health = yield* call("GET", "/health")
          assert.deepInclude({ ...health.body, http: health.status }, { http: 503, database: "down", bus: "ok" })
          assert.strictEqual((yield* call("GET", "/health/live")).status, 200)
        })
      )
      const list = yield* ada.withKey("GET", "/monitors")
      assert.deepStrictEqual([list.status, list.body], [200, []])
      const made = yield* ada.withKey("POST", "/monitors", shop)
      assert.strictEqual(made.status, 201)
    })
  )

  it.effect("logs an outage in one line for each request, and no stack", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const logs = yield* Logs
      const answer = yield* during("cut", ada.withKey("GET", "/monitors"))
      const lines = logs.filter(({ annotations }) => annotations.requestId === answer.body.requestId)
      assert.deepStrictEqual(
        lines.map(({ level, message }) => [level, message]),
        [
          ["WARN", "Request failed: a dependency is unavailable"],
          ["INFO", "Request"]
        ]
      )
      assert.isUndefined(lines[0]!["cause"])
    })
  )
})

layer(server(), { excludeTestServices: true })("a caller who hangs up", (it) => {
  it.effect("finds the result under the same Idempotency-Key, with one effect", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "idempotency-key": "hung-up" }
      for (const millis of [0, 1, 2, 3, 5, 8]) {
        const fiber = yield* Effect.forkChild(ada.withKey("POST", "/monitors", shop, headers))
        yield* Effect.sleep(millis)
        yield* Fiber.interrupt(fiber)
      }
      const answer = yield* eventually(ada.withKey("POST", "/monitors", shop, headers), ({ status }) => status !== 409)
      assert.strictEqual(answer.status, 201)
      const list = yield* ada.withKey("GET", "/monitors")
      assert.deepStrictEqual(
        list.body.map(({ id }: { readonly id: string }) => id),
        [answer.body.id]
      )
    })
  )

  it.effect("can sign up after interrupted sign-ups", () =>
    Effect.gen(function* () {
      const credentials = { name: "Dora", email: "dora@example.org", password }
      for (const millis of [0, 20, 40, 60]) {
        const fiber = yield* Effect.forkChild(call("POST", "/auth/sign-up/email", credentials))
        yield* Effect.sleep(millis)
        yield* Fiber.interrupt(fiber)
      }
      yield* call("POST", "/auth/sign-up/email", credentials)
      const inside = yield* call("POST", "/auth/sign-in/email", { email: credentials.email, password })
      assert.strictEqual(inside.status, 200, JSON.stringify(inside.body))
      const projects = yield* call("GET", "/projects", undefined, { cookie: cookieOf(inside) })
      assert.lengthOf(projects.body, 1)
    })
  )
})
