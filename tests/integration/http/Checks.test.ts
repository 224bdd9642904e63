/** Checks on demand over HTTP: permissions, results and errors. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import * as BusRpc from "@kanmon/core/BusRpc"
import { EventBus } from "@kanmon/core/EventBus"
import { ProbeCalls, type TestOutcome } from "@kanmon/core/ProbeCalls"
import type { CheckOutcome } from "@kanmon/domain/Observation"
import { probeBucket, probeCalls } from "@kanmon/domain/Subjects"
import { Effect, Fiber, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RpcServer } from "effect/rpc"
import { maxTrials } from "@kanmon/monitoring/testing/checks/Trials.ts"
import { call, layer as server, Logs, person, refused, shop } from "./Server.ts"
import { streamed } from "./TrialReader.ts"

const live = { excludeTestServices: true } as const
const checkedAt = Date.UTC(2026, 10, 20, 12)

const up: CheckOutcome = {
  status: "up",
  responseTime: 20,
  timing: { connect: 5 },
  failure: null,
  facts: {
    statusCode: 200,
    certificate: {
      fingerprint256: "AB:CD",
      issuer: "An authority",
      subject: "shop.example",
      validFrom: "2026-01-01T00:00:00.000Z",
      validTo: "2026-11-30T12:00:00.000Z",
      problem: null,
      nameMatches: true
    }
  },
  checkedAt
}

/** A probe in a region that returns a given outcome when released. */
const probeIn = (region: string, outcome: TestOutcome, open: Effect.Effect<unknown> = Effect.void) =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const bucket = yield* bus.bucket(probeBucket)
    const asked: Array<unknown> = []
    const answer = (payload: unknown) =>
      Effect.sync(() => asked.push(payload)).pipe(Effect.andThen(open), Effect.as(outcome))
    const calls = ProbeCalls.toLayer({ CheckNow: answer, RunCheck: answer, ProbeInfo: () => Effect.never })
    yield* Layer.build(
      RpcServer.layer(ProbeCalls).pipe(Layer.provide([calls, BusRpc.layerServer(probeCalls(region, "fake"))]))
    )
    yield* Effect.acquireRelease(bucket.put(`${region}.fake`, "{}"), () =>
      Effect.orDie(bucket.remove(`${region}.fake`))
    )
    return asked
  })

layer(server(), live)("checks on demand", (it) => {
  it.effect("refuses if there is nothing to check, or no probe", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: made } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: job } = yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat" })
      const check = (id: string) => ada.withKey("POST", `/monitors/${id}/check`)

      const nobody = yield* check(made.id)
      refused(nobody, 503, "unavailable")
      assert.include(nobody.body.detail, "eu-west: No probe of this region is alive; us-east: ")
      assert.isNotNull(nobody.headers.get("retry-after"))
      refused(yield* ada.withKey("POST", "/monitors/test", shop), 503, "unavailable")

      const passive = yield* check(job.id)
      refused(passive, 409, "conflict")
      assert.match(passive.body.detail, /waits for signals.*heartbeatUrl/)
      yield* ada.withKey("PATCH", `/monitors/${made.id}`, { paused: true })
      const paused = yield* check(made.id)
      refused(paused, 409, "conflict")
      assert.include(paused.body.detail, 'PATCH with {"paused": false}')

      refused(yield* check("mon_nobodys"), 404, "not_found")
      refused(yield* check("nonsense"), 404, "not_found")
      const cleo = yield* person
      refused(yield* cleo.withKey("POST", `/monitors/${made.id}/check`), 404, "not_found")
      refused(yield* cleo.withSession("POST", `/monitors/${made.id}/check`), 403, "forbidden")
    })
  )

  it.effect("refuses a body that could not be saved", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const trial = (body: unknown) => ada.withKey("POST", "/monitors/test", body)
      refused(yield* trial("{"), 400, "malformed_request")
      refused(
        yield* trial({ type: "http", url: "nowhere", interval: 1 }),
        422,
        "validation_failed",
        "interval",
        "name",
        "url"
      )
      refused(yield* trial({ ...shop, regions: ["mars-north"] }), 422, "validation_failed", "regions[0]")
      refused(yield* trial({ ...shop, id: "mon_1" }), 422, "validation_failed", "id")
      refused(yield* trial({ name: "Job", type: "heartbeat" }), 422, "validation_failed", "type")
      const tooMuch = { ...shop, jsonPath: "$", jsonEquals: Array.from({ length: 16 }, () => "ü".repeat(32_000)) }
      refused(yield* trial(tooMuch), 422, "validation_failed", "")
      refused(yield* ada.withKey("POST", "/monitors", tooMuch), 422, "validation_failed", "")
    }).pipe(Effect.scoped)
  )

  it.effect("returns the result of each region, and the resulting status", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const asked = yield* probeIn("eu-west", up)
      const body = { ...shop, sslExpiryThreshold: 30, headers: { authorization: "Bearer top-secret" } }
      const row = { region: "eu-west", probeId: "fake", ...up, checkedAt: "2026-11-20T12:00:00.000Z" }
      const nobody = {
        region: "us-east",
        probeId: null,
        status: "unknown",
        responseTime: null,
        timing: {},
        failure: {
          code: "no_probe",
          message: "No probe of this region is alive",
          explanation: { code: "no_probe", parameters: {} }
        },
        facts: {},
        checkedAt: null
      }

      const trial = yield* ada.withKey("POST", "/monitors/test", body)
      assert.strictEqual(trial.status, 200, JSON.stringify(trial.body))
      const { certificate, ...rest } = trial.body
      assert.deepStrictEqual(rest, { status: "up", failure: null, triggers: ["ssl_expiring"], regions: [row, nobody] })
      assert.deepInclude(certificate, { daysLeft: 10, valid: true })
      assert.deepInclude(asked[0] as object, { type: "http", timeout: 30 })
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [])

      const { body: made } = yield* ada.withKey("POST", "/monitors", { ...body, regions: ["eu-west"] })
      const checked = yield* ada.withKey("POST", `/monitors/${made.id}/check`)
      assert.strictEqual(checked.status, 200, JSON.stringify(checked.body))
      assert.deepStrictEqual(checked.body, { monitorId: made.id, regions: [row] })
      assert.deepInclude(asked[1] as object, { monitorId: made.id })
      assert.notInclude(JSON.stringify(yield* Logs), "top-secret")
    }).pipe(Effect.scoped)
  )

  it.effect("limits concurrent tests of a project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const gate = Latch.makeUnsafe(false)
      const asked = yield* probeIn("eu-west", up, gate.await)
      const body = { ...shop, regions: ["eu-west"] }
      const trial = ada.withKey("POST", "/monitors/test", body)
      const first = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: maxTrials }, () => trial),
          { concurrency: "unbounded" }
        )
      )
      yield* eventually(
        Effect.sync(() => asked.length),
        (count) => count >= maxTrials
      )
      const onTop = yield* trial
      refused(onTop, 429, "rate_limited")
      assert.include(onTop.body.detail, `already runs ${maxTrials} tests`)
      assert.isNotNull(onTop.headers.get("retry-after"))
      // Others have places of their own, and saved monitors need none.
      const ben = yield* person
      const others = yield* Effect.forkChild(ben.withKey("POST", "/monitors/test", body))
      const { body: made } = yield* ada.withKey("POST", "/monitors", body)
      const saved = yield* Effect.forkChild(ada.withKey("POST", `/monitors/${made.id}/check`))
      yield* eventually(
        Effect.sync(() => asked.length),
        (count) => count >= maxTrials + 2
      )
      gate.openUnsafe()
      for (const { status } of [...(yield* Fiber.join(first)), yield* Fiber.join(others), yield* Fiber.join(saved)]) {
        assert.strictEqual(status, 200)
      }
      assert.strictEqual((yield* trial).status, 200)
    }).pipe(Effect.scoped)
  )

  it.effect("streams each result of a test as it arrives", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const west = yield* probeIn("eu-west", up)
      const east = Latch.makeUnsafe(false)
      const capture = {
        finalUrl: "https://shop.example/",
        statusLine: "503 Service Unavailable",
        headers: [],
        body: "closed",
        bodyTruncated: false,
        remoteAddress: "192.0.2.1"
      }
      const failure = { code: "unexpected_status", message: "The target answered 503" }
      const asked = yield* probeIn("us-east", { ...up, status: "down", failure, capture }, east.await)
      const trial = yield* streamed(ada, { ...shop, sslExpiryThreshold: 30 })
      assert.strictEqual(trial.status, 200)
      assert.match(trial.headers["content-type"] ?? "", /^text\/event-stream/)
      assert.strictEqual(trial.headers["cache-control"], "no-store")

      assert.deepStrictEqual(yield* trial.next, { event: "start", data: { regions: ["eu-west", "us-east"] } })
      const first = yield* trial.next
      assert.strictEqual(first?.event, "region")
      assert.deepInclude(first?.data, { region: "eu-west", probeId: "fake", status: "up", timing: { connect: 5 } })
      assert.strictEqual(first?.data.checkedAt, "2026-11-20T12:00:00.000Z")
      assert.deepStrictEqual([west.length, asked.length], [1, 1])
      // The other region answers only now.
      east.openUnsafe()
      const second = yield* trial.next
      assert.deepInclude(second?.data, { region: "us-east", status: "down", failure, capture })
      const end = yield* trial.next
      assert.strictEqual(end?.event, "end")
      assert.deepInclude(end?.data, { status: "up", failure: null, triggers: ["ssl_expiring"] })
      assert.deepInclude(end?.data.certificate, { daysLeft: 10 })
      assert.isUndefined(yield* trial.next)
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [])
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a streamed test like any other, before the stream", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const accept = { accept: "text/event-stream" }
      const trial = (body: unknown) => ada.withKey("POST", "/monitors/test", body, accept)
      refused(yield* trial({ ...shop, url: "nowhere" }), 422, "validation_failed", "url")
      refused(yield* trial({ name: "Job", type: "heartbeat" }), 422, "validation_failed", "type")
      refused(yield* call("POST", "/monitors/test", shop, accept), 401, "unauthorized")
      const viewer = yield* ada.withSession("POST", `/projects/${ada.projectId}/api-keys`, {
        name: "See",
        role: "viewer"
      })
      const seen = yield* call("POST", "/monitors/test", shop, { ...accept, "x-api-key": viewer.body.apiKey })
      refused(seen, 403, "forbidden")
    })
  )

  it.effect("runs a streamed test again although its Idempotency-Key is the same: there is no answer to keep", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const asked = yield* probeIn("eu-west", up)
      const headers = { accept: "text/event-stream", "idempotency-key": "one" }
      const trial = ada.withKey("POST", "/monitors/test", { ...shop, regions: ["eu-west"] }, headers)
      for (const count of [1, 2]) {
        const answer = yield* trial
        assert.match(String(answer.body), /^event: start\n[^]*\nevent: end\n/)
        assert.isNull(answer.headers.get("idempotency-replayed"))
        assert.lengthOf(asked, count)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("says of a region that never answers that it did not, and ends", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* probeIn("eu-west", up)
      // Neither checks nor says that it is alive.
      yield* probeIn("us-east", up, Effect.never)
      const trial = yield* streamed(ada, shop)
      yield* trial.next
      assert.deepInclude((yield* trial.next)?.data, { region: "eu-west", status: "up" })
      const silent = yield* trial.next
      assert.deepInclude(silent?.data, { region: "us-east", status: "unknown", checkedAt: null })
      assert.deepInclude(silent?.data.failure, { code: "no_answer", message: "No probe of this region answers" })
      assert.deepInclude((yield* trial.next)?.data, { status: "up" })
      assert.isUndefined(yield* trial.next)
    }).pipe(Effect.scoped)
  )

  it.effect("ends a streamed test whose client goes away, and gives its place to another", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const gate = Latch.makeUnsafe(false)
      const asked = yield* probeIn("eu-west", up, gate.await)
      const body = { ...shop, regions: ["eu-west"] }
      const open = yield* Effect.all(Array.from({ length: maxTrials }, () => streamed(ada, body)))
      yield* eventually(
        Effect.sync(() => asked.length),
        (count) => count >= maxTrials
      )
      refused(yield* ada.withKey("POST", "/monitors/test", body), 429, "rate_limited")
      yield* open[0]!.hangUp
      // The server learns of it a moment later.
      const next = yield* eventually(streamed(ada, body), ({ status }) => status !== 429)
      assert.strictEqual(next.status, 200)
      gate.openUnsafe()
      assert.strictEqual((yield* next.next)?.event, "start")
      assert.strictEqual((yield* next.next)?.event, "region")
      assert.strictEqual((yield* next.next)?.event, "end")
    }).pipe(Effect.scoped)
  )

  it.effect("lists the regions, and which are alive", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* probeIn("eu-west", up)
      const alive = Effect.map(ada.withKey("GET", "/regions"), ({ body }) => body)
      // Probes of other tests may still be announced for a moment.
      const found = yield* eventually(alive, ([west, east]) => west.alive === true && !east.alive)
      assert.deepStrictEqual(found, [
        { region: "eu-west", alive: true },
        { region: "us-east", alive: false }
      ])
      refused(yield* call("GET", "/regions"), 401, "unauthorized")
    }).pipe(Effect.scoped)
  )

  it.effect("shows administrators the probes of each region, and what depends on them", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const list = ada.withSession("GET", "/regions/probes")
      refused(yield* list, 403, "forbidden")
      refused(yield* ada.withKey("GET", "/regions/probes"), 403, "forbidden")
      refused(yield* call("GET", "/regions/probes"), 401, "unauthorized")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET is_admin = true WHERE email = ${ada.email}`
      const find = (region: string) =>
        Effect.map(list, ({ body }) => body.find((one: { readonly region: string }) => one.region === region))
      const before = yield* find("us-east")
      yield* ada.withKey("POST", "/monitors", { ...shop, regions: ["us-east"] })
      yield* ada.withKey("POST", "/monitors", { ...shop, regions: ["eu-west", "us-east"] })
      yield* ada.withKey("POST", "/monitors", { ...shop, regions: [] })
      yield* ada.withKey("POST", "/monitors", { ...shop, regions: ["eu-west"] })
      yield* ada.withKey("POST", "/monitors", { ...shop, regions: ["us-east"], paused: true })
      yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat" })
      const empty = yield* eventually(find("us-east"), ({ alive }) => !alive)
      assert.deepStrictEqual(
        [empty.monitors - before.monitors, empty.onlyHere - before.onlyHere, empty.probes],
        [3, 1, []]
      )

      const bus = yield* EventBus
      const never = () => Effect.never
      const clock = { offsetMillis: 40_000, status: "wrong" as const }
      const calls = ProbeCalls.toLayer({
        CheckNow: never,
        RunCheck: never,
        ProbeInfo: () =>
          Effect.succeed({
            probeId: "told",
            region: "us-east",
            version: "0.9.0",
            startedAt: checkedAt,
            monitors: 7,
            offline: true,
            clock
          })
      })
      yield* Layer.build(
        RpcServer.layer(ProbeCalls).pipe(Layer.provide([calls, BusRpc.layerServer(probeCalls("us-east", "told"))]))
      )
      const bucket = yield* bus.bucket(probeBucket)
      for (const id of ["gone", "told"])
        yield* Effect.acquireRelease(bucket.put(`us-east.${id}`, "{}"), () =>
          Effect.orDie(bucket.remove(`us-east.${id}`))
        )
      const full = yield* eventually(
        find("us-east"),
        ({ lastSeenAt, probes }) => probes.length === 2 && lastSeenAt !== null
      )
      assert.isTrue(full.alive)
      assert.isBelow(Date.now() - Date.parse(full.lastSeenAt), 60_000)
      const silent = { answers: false, version: null, startedAt: null, monitors: null, offline: null, clock: null }
      assert.deepStrictEqual(full.probes, [
        { id: "gone", ...silent },
        {
          id: "told",
          answers: true,
          version: "0.9.0",
          startedAt: "2026-11-20T12:00:00.000Z",
          monitors: 7,
          offline: true,
          clock
        }
      ])
    }).pipe(Effect.scoped)
  )
})
