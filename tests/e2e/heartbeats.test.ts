/** Jobs that send signals, and one that stops: through the running product, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hasStatus } from "../support/Checks.ts"
import { eventually } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as SharedProduct from "../support/SharedProduct.ts"

describe("heartbeats", () => {
  it.live("accepts every form of signal, detects a miss, and recovers", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url }
      })
      yield* ada.call("POST", "/alert-rules", { name: "Missed", trigger: "monitor_down" })
      const made = yield* ada.call("POST", "/monitors", {
        name: "Backup",
        type: "heartbeat",
        interval: 3600,
        metricRules: [{ metric: "rows", op: ">", value: 0 }]
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { heartbeatUrl: url, id } = made.body as { readonly heartbeatUrl: string; readonly id: string }
      assert.match(url, /\/api\/v1\/heartbeat\/[0-9A-Za-z]{43}$/)
      const look = Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
      const becomes = (status: string) => hasStatus(ada, id, status)
      const change = (body: object) =>
        Effect.map(ada.call("PATCH", `/monitors/${id}`, body), (answer) => {
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
          return answer.body
        })
      const send = (suffix: string, method = "GET", body?: unknown) =>
        product.call(method, `${url}${suffix}`, body, typeof body === "string" ? { "content-type": "text/plain" } : {})
      assert.strictEqual((yield* look).status, "pending")

      yield* send("/start?rid=run-1")
      const done = yield* send("?rid=run-1", "POST", { metrics: { rows: 12 }, message: "12 rows" })
      assert.deepStrictEqual([done.status, done.body], [200, { ok: true }])
      assert.strictEqual(done.headers.get("access-control-allow-origin"), "*")
      yield* becomes("up")
      // The time from the start to the end of the run.
      const [time, ...others] = (yield* ada.call("GET", `/monitors/${id}/response-times`)).body
      assert.isNumber(time.responseTime)
      assert.isEmpty(others)

      assert.strictEqual((yield* send("?m.rows=0", "HEAD")).status, 200)
      yield* becomes("degraded")
      assert.strictEqual((yield* send("/3", "POST", "disk full\nmore")).status, 200)
      yield* becomes("down")
      yield* eventually(
        Effect.sync(() => receiver.received.map(({ body }) => body.reason as string)),
        (reasons) =>
          reasons.some(
            (reason) => reason.includes('exit code 3: "disk full') || reason.includes("exit code 3: disk full")
          )
      )
      assert.strictEqual((yield* send("/0")).status, 200)
      yield* becomes("up")
      const metrics = yield* ada.call("GET", `/monitors/${id}/heartbeat-metrics`)
      assert.deepStrictEqual(
        metrics.body.map((row: any) => row.metrics),
        [{ rows: 12 }, { rows: 0 }]
      )

      const { lastCheckedAt: signalled } = yield* look
      // Signals are expected more often now, and none arrives.
      yield* change({ interval: 10, grace: 2 })
      const [missed] = yield* eventually(
        Effect.sync(() => receiver.received.filter(({ body }) => body.reason.startsWith("No signal arrived"))),
        (all) => all.length > 0
      )
      // Ten seconds and two of grace after the last one.
      assert.strictEqual(Date.parse(missed!.body.startedAt) - Date.parse(signalled), 12_000)
      yield* change({ interval: 3600 })
      yield* send("/log", "POST", "still here")
      assert.strictEqual((yield* look).status, "down")
      yield* send("")
      yield* becomes("up")
      yield* eventually(
        Effect.sync(() => receiver.received.map(({ body }) => body.event)),
        (events) => events.at(-1) === "monitor_up"
      )

      assert.strictEqual((yield* change({ paused: true })).status, "paused")
      assert.strictEqual((yield* send("")).status, 200)

      const rotated = yield* ada.call("POST", `/monitors/${id}/heartbeat-token`)
      assert.notStrictEqual(rotated.body.heartbeatUrl, url)
      for (const suffix of ["", "/start", "/fail"]) assert.strictEqual((yield* send(suffix)).status, 404)
      assert.strictEqual((yield* product.call("GET", `${rotated.body.heartbeatUrl}/nonsense`)).status, 404)
      assert.strictEqual((yield* product.call("GET", `${rotated.body.heartbeatUrl}/256`)).status, 404)
      const text = { "content-type": "text/plain" }
      const long = yield* product.call("POST", rotated.body.heartbeatUrl, "x".repeat(101 * 1024), text)
      assert.deepStrictEqual([long.status, long.body], [200, { ok: true, truncated: true }])
      const notJson = yield* product.call("POST", rotated.body.heartbeatUrl, "x".repeat(101 * 1024))
      assert.deepInclude(notJson.body, { status: 422, recorded: true })
      const tooLong = yield* product.call("POST", rotated.body.heartbeatUrl, "x".repeat(1024 * 1024 + 1), text)
      assert.strictEqual(tooLong.status, 413)

      // What a signal brings may be wrong; the job has run all the same.
      const late = yield* ada.call("POST", "/monitors", { name: "Report", type: "heartbeat", interval: 3600 })
      const odd = yield* product.call("POST", late.body.heartbeatUrl, { metrics: 5 })
      assert.strictEqual(odd.status, 422)
      assert.deepInclude(odd.body, {
        code: "validation_failed",
        recorded: true,
        errors: [{ path: "metrics", message: "Expected an object of names and numbers" }]
      })
      assert.strictEqual(odd.headers.get("access-control-allow-origin"), "*")
      assert.isNotNull((yield* hasStatus(ada, late.body.id, "up")).lastCheckedAt)
      assert.strictEqual((yield* product.call("POST", `${url}/fail`, { metrics: 5 })).status, 404)
      assert.notInclude(product.output(), url.slice(-43))
    }).pipe(Effect.scoped)
  )
})
