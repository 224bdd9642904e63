import { assert, describe, it } from "@effect/vitest"
import { type LoopStall, requestsHeldMillis } from "@kanmon/core/LoopStall"
import * as Quarantine from "@kanmon/core/Quarantine"
import { UserId } from "@kanmon/domain/Ids"
import type { Principal } from "@kanmon/domain/Principal"
import type { Problem } from "@kanmon/protocol/Problem"
import { Cause, Effect, Exit } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import * as RequestActivity from "../../src/http/RequestActivity.ts"

const request = (path: string, headers: Record<string, string> = {}) =>
  HttpServerRequest.fromWeb(new Request(`http://kanmon.example${path}`, { method: "PUT", headers, body: "{}" }))

const user = (id: string): Principal => ({
  _tag: "User",
  userId: UserId.make(id),
  email: "ada@example.org",
  name: "Ada",
  isAdmin: false
})

const ada = user("usr_ada")
const ben = user("usr_ben")
const path = "/api/v1/monitors/mon_1"

/** A request of a caller, as it is described. */
const of = (caller: Principal, at = path) => {
  const activity = RequestActivity.make(request(at), false)
  Effect.runSync(Effect.provideService(RequestActivity.identified(caller), RequestActivity.CurrentRequest, activity))
  return activity.describe()
}

const stallIn = (activity: LoopStall["activity"]): LoopStall => ({
  at: 0,
  release: "1.0.0",
  stalledMillis: 5000,
  activity,
  plugin: null,
  stack: [],
  inFlight: []
})

/** The response to a caller; undefined if the request continues. */
const answer = (caller: Principal, stalls: ReadonlyArray<LoopStall>, at = path) =>
  Effect.gen(function* () {
    const { holds } = yield* Effect.provideService(Quarantine.decisions, Quarantine.Quarantine, {
      stalls,
      last: undefined
    })
    const exit = yield* Effect.exit(
      RequestActivity.identified(caller).pipe(
        Effect.provideService(RequestActivity.CurrentRequest, RequestActivity.make(request(at), false)),
        Effect.provideService(RequestActivity.Held, holds)
      )
    )
    return Exit.isSuccess(exit) ? undefined : (Cause.squash(exit.cause) as Problem)
  })

describe("RequestActivity", () => {
  it("names the route and who asks: the network, until the caller is known", () => {
    const headers = { "x-forwarded-for": "192.0.2.7", "content-length": "2" }
    const activity = RequestActivity.make(request(`${path}?a=1`, headers), true)
    assert.deepStrictEqual(activity.describe(), {
      kind: "request",
      key: "PUT /api/v1/monitors/{monitorId} network 192.0.2.7",
      version: "",
      label: "PUT /api/v1/monitors/{monitorId}",
      size: 2
    })
    assert.strictEqual(of(ada).key, "PUT /api/v1/monitors/{monitorId} usr_ada")
    assert.strictEqual(of(ada, "/status/shop/feed").label, "PUT /status")
  })

  it.effect("refuses only the caller with requests that stalled it twice on that route", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* answer(ada, [stallIn(of(ada))]))
      const twice = [stallIn(of(ada)), stallIn(of(ada, "/api/v1/monitors/mon_2"))]
      const refused = yield* answer(ada, twice)
      assert.strictEqual(refused?.status, 503)
      assert.strictEqual(refused?.code, "unavailable")
      assert.isUndefined(yield* answer(ben, twice))
      assert.isUndefined(yield* answer(ada, twice, "/api/v1/projects"))
    })
  )

  it.effect("answers the caller again after an hour", () =>
    Effect.gen(function* () {
      const twice = [stallIn(of(ada)), stallIn(of(ada))]
      assert.isDefined(yield* answer(ada, twice))
      yield* TestClock.adjust(requestsHeldMillis)
      assert.isUndefined(yield* answer(ada, twice))
    })
  )
})
