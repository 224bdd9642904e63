/** The person on call of the demo, with an API that answers too late at first, as on a slow machine. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { assert, it } from "@effect/vitest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { respond } from "@kanmon/demo/OnCall"

/** An API on which each POST hangs the first time. */
const slowApi = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly asked: Array<string>; readonly close: () => void }>((resume) => {
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const key = String(request.headers["idempotency-key"] ?? "")
        // As Kanmon does.
        if (!/^[\x21-\x7E]{0,255}$/.test(key)) return void response.writeHead(400).end()
        const what = `${request.method} ${request.url} ${key}`.trim()
        const isFirst = !asked.includes(what)
        asked.push(what)
        const signsIn = request.url!.endsWith("/sign-in/email")
        if (request.method === "POST" && isFirst && !signsIn) return
        if (signsIn) response.setHeader("set-cookie", "session=1; Path=/")
        if (request.method === "POST" && !signsIn) JSON.parse(body)
        response.end(request.method === "GET" ? '[{"id":"alt_1","monitorId":"mon_1","state":"open"}]' : '{"id":"ch_1"}')
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const network = NodeDialer.layer({ allowPrivate: true }).pipe(Layer.provide(NodeResolver.layer({ allowPrivate: true })))

it.effect("sets up its channel and its rules, and acknowledges, also where the API answers too late at first", () =>
  Effect.gen(function* () {
    const api = yield* slowApi
    const access = { api: api.url, email: "ada@example.org", password: "correct horse battery" }
    const work = yield* Effect.forkChild(respond(access, "prj_1", "mon_1", "http://127.0.0.1:1/shop", "pol_1"))
    yield* eventually(
      Effect.map(TestClock.adjust("1 second"), () => work.pollUnsafe()),
      (exit) => exit !== undefined
    )
    yield* Fiber.join(work)
    const posts = [
      "notification-channels demo-channel",
      "alert-rules demo-down",
      "alert-rules demo-slow",
      "alerts/alt_1/acknowledge demo-acknowledge"
    ]
    for (const post of posts) assert.isAbove(api.asked.filter((what) => what === `POST /${post}`).length, 1, post)
  }).pipe(Effect.provide(network))
)
