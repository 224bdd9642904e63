/**
 * A cluster of last week's: the product was stopped for a week, or its copy was restored. It starts, alerts for nothing that happened
 * in the hole, sends no notice of then as a new one, and counts the hole as unknown.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hasStatus } from "../support/Checks.ts"
import * as MachineClock from "../support/MachineClock.ts"
import * as Product from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"

const week = 7 * 86_400_000
const iso = (at: number): string => new Date(at).toISOString()

describe.skipIf(MachineClock.skipped)(`a database of last week${MachineClock.note}`, () => {
  it.live("is taken over: its hole alerts nobody, and what was waiting is not told as new", () =>
    Effect.gen(function* () {
      const clock = yield* MachineClock.make(Date.parse("2027-05-12T09:30:00Z"))
      const [good, bad] = [yield* WebTarget.make, yield* WebTarget.make]
      const [hook, deaf] = [yield* Receiver.make, yield* Receiver.make]
      deaf.answer(503)
      const product = yield* Product.make({ ownDatabase: true, withoutNats: true, env: clock.env })
      yield* product.healthy
      const ada = yield* product.signUp
      const make = (route: string, body: object) =>
        Effect.map(ada.call("POST", route, body), (made) => {
          assert.strictEqual(made.status, 201, JSON.stringify(made.body))
          return made.body
        })
      for (const [name, { url }] of [["Hook", hook] as const, ["Deaf", deaf] as const])
        yield* make("/notification-channels", { name, type: "webhook", config: { url } })
      yield* make("/alert-rules", { name: "Down", trigger: "monitor_down", consecutiveFailures: 1 })
      const web = (name: string, { port }: WebTarget.WebTarget) =>
        make("/monitors", { name, type: "http", url: `http://127.0.0.1:${port}/`, interval: 10 })
      const [well, ill] = [yield* web("Well", good), yield* web("Ill", bad)]
      const job = yield* make("/monitors", { name: "Job", type: "heartbeat", interval: 60, grace: 60 })
      assert.strictEqual((yield* product.call("POST", job.heartbeatUrl)).status, 200)
      for (const { id } of [well, ill, job]) yield* hasStatus(ada, id, "up")
      bad.status = 500
      yield* hasStatus(ada, ill.id, "down")
      yield* Product.eventually(
        Effect.sync(() => hook.received.length),
        (count) => count === 1
      )
      assert.strictEqual(hook.received[0]!.body.event, "monitor_down")
      // Received is not yet noted: a stop in between leaves it open, and a week later it is given up.
      yield* Product.eventually(ada.call("GET", "/alert-history"), ({ body }) =>
        body.some(({ status }: any) => status === "delivered")
      )
      yield* product.stop()
      const stopped = clock.now()

      const told = hook.received.length
      deaf.answer(200)
      yield* clock.set(stopped + week)
      const before = product.output().length
      yield* product.start
      yield* product.healthy
      for (const [{ id }, status] of [
        [well, "up"],
        [ill, "down"]
      ] as const)
        yield* Product.eventually(
          ada.call("GET", `/monitors/${id}`),
          ({ body }) => body.status === status && Date.parse(body.lastCheckedAt) > stopped + week
        )
      // What was waiting is given up, and the outage that goes on is not told twice.
      const history = yield* Product.eventually(ada.call("GET", "/alert-history"), ({ body }) =>
        body.every(({ status }: any) => status !== "pending")
      )
      assert.sameMembers(
        history.body.map(({ error, status }: any) => `${status}: ${error}`),
        ["delivered: null", "failed: Not sent within 24 hours"]
      )
      assert.deepStrictEqual([hook.received.length, deaf.received.length], [told, 0])
      assert.strictEqual((yield* ada.call("GET", `/monitors/${job.id}`)).body.status, "up")

      const range = `from=${iso(stopped)}&to=${iso(stopped + week)}`
      const { body: uptime } = yield* ada.call("GET", `/monitors/${well.id}/uptime?${range}`)
      assert.deepStrictEqual(
        uptime.intervals.map(({ status }: any) => status),
        ["up", "unknown"]
      )
      assert.strictEqual(uptime.downSeconds, 0)
      const printed = product.output().slice(before)
      assert.include(printed, "No engine was running; missed heartbeats of that time do not count")
      assert.notInclude(printed, '"level":"ERROR"')

      // It goes on as before: days of now have their partitions, and ends are told.
      bad.status = 200
      yield* hasStatus(ada, ill.id, "up")
      yield* Product.eventually(
        Effect.sync(() => hook.received.at(-1)!.body.event as string),
        (event) => event === "monitor_up"
      )
    }).pipe(Effect.scoped)
  )
})
