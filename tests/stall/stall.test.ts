/**
 * No single request holds the event loop for long, whatever it contains. The requests are derived from the contract, so that a
 * new route is covered when it is described. Counted is CPU time of the server's thread, which other load does not change.
 */
import { Worker } from "node:worker_threads"
import { assert, layer } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { Effect } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import { tenant } from "../integration/http/ScimStage.ts"
import { cookieOf, layer as server, password, person, port, shop } from "../integration/http/Server.ts"
import { inPlace } from "../support/ReadableDocument.ts"
import { Contract, type Hostile } from "./HostileRequests.ts"
import { limitMillis, longestTurn } from "./LongestTurn.ts"
import type { Sending } from "./Sender.ts"
import { layerOf } from "../support/OnCallBodies.ts"

const sender = Effect.acquireRelease(
  Effect.sync(() => new Worker(new URL("./Sender.ts", import.meta.url))),
  (worker) => Effect.promise(() => worker.terminate())
)

/** Sends a request; returns the status and the CPU of this thread meanwhile, in milliseconds. */
const cost = (worker: Worker, sending: Sending) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number; readonly millis: number }>((resolve) => {
        const before = process.threadCpuUsage()
        worker.once("message", (status: number) => {
          const { system, user } = process.threadCpuUsage(before)
          resolve({ status, millis: (system + user) / 1_000 })
        })
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
        worker.postMessage(sending)
      })
  )

layer(server(), { excludeTestServices: true, timeout: "10 minutes" })("the event loop", (it) => {
  it.effect(
    "is never held for long by one request",
    () =>
      Effect.gen(function* () {
        const at = yield* port
        const worker = yield* sender
        const document = OpenApiDocument.make(yield* load(bundled), "http://kanmon.example", "1")
        const ada = yield* person
        const { scimToken } = yield* scimOf
        const made = (route: string, body: unknown) =>
          Effect.map(ada.withKey("POST", route, body), (answer) => answer.body)
        const monitor = yield* made("/monitors", shop)
        const job = yield* made("/monitors", { name: "Job", type: "heartbeat" })
        const channel = yield* made("/notification-channels", {
          name: "Hook",
          type: "webhook",
          config: { url: "https://example.org/hook" }
        })
        const page = yield* made("/status-pages", { name: "Acme", slug: "acme" })
        const incident = yield* made("/incidents", {
          title: "Slow",
          status: "investigating",
          message: "x",
          monitorIds: []
        })
        const [rule] = (yield* ada.withKey("GET", "/alert-rules")).body
        const [organization] = (yield* ada.withSession("GET", "/organizations")).body
        const hourly = layerOf("Hourly", [ada.userId], {
          rotation: { every: 1, unit: "hour" },
          startsOn: "2026-01-01"
        })
        const schedules = `/organizations/${organization.id}/schedules`
        const draft = { name: "Hourly", timezone: "America/Havana", layers: [hourly, { ...hourly, name: "Second" }] }
        const schedule = (yield* ada.withSession("POST", schedules, draft)).body
        const steps = Array.from({ length: 20 }, () => ({
          afterMinutes: 1,
          notify: [{ scheduleId: schedule.id }, { scheduleId: schedule.id, position: "next" }]
        }))
        const policies = `/organizations/${organization.id}/escalation-policies`
        const policy = (yield* ada.withSession("POST", policies, { name: "Hourly", steps, repeat: 9 })).body
        const contract = new Contract(inPlace(document), {
          policyId: policy.id,
          scheduleId: schedule.id,
          monitorId: monitor.id,
          channelId: channel.id,
          statusPageId: page.id,
          incidentId: incident.id,
          ruleId: rule.id,
          projectId: ada.projectId,
          organizationId: organization.id,
          slug: page.slug,
          token: job.heartbeatUrl.split("/").at(-1),
          action: "start"
        })
        let session = ada.cookie
        const renewed = Effect.gen(function* () {
          const answer = yield* ada.withSession("POST", "/auth/sign-in/email", { email: ada.email, password })
          if (answer.status === 200) session = cookieOf(answer)
        })

        const sendingOf = ({ body, bytewise, headers, method, path }: Hostile): Sending => {
          const credentials: Record<string, string> = path.includes("/scim/")
            ? { authorization: `Bearer ${scimToken}` }
            : { "x-api-key": ada.key, cookie: session }
          const all = Object.entries({ host: "kanmon.example", ...credentials, ...headers })
          const head = `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}`
          return { port: at, head, body, bytewise }
        }

        const only = process.env["KANMON_STALL"]
        const slow: Array<string> = []
        const statuses = new Map<number, number>()
        let sent = 0
        for (const [turn, [method, path, operation]] of contract.operations.entries()) {
          if (only !== undefined && !`${method} ${path}`.includes(only)) continue
          yield* renewed
          for (const hostile of contract.requests(method, path, operation, turn)) {
            const sending = sendingOf(hostile)
            sent++
            const { millis, status } = yield* cost(worker, sending)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            if (millis < limitMillis) continue
            // Compiling and collecting garbage take time once; what is left of three more is what the request costs.
            const again = yield* Effect.replicateEffect(longestTurn(cost(worker, sending)), 3)
            const longest = Math.min(...again)
            if (longest >= limitMillis)
              slow.push(`${method} ${path}, ${hostile.name.slice(0, 100)}: ${Math.round(longest)} ms, status ${status}`)
          }
        }
        process.stdout.write(`${sent} hostile requests: ${JSON.stringify(Object.fromEntries(statuses))}\n`)
        assert.deepStrictEqual(slow, [])
      }).pipe(Effect.scoped),
    3_600_000
  )
})

const scimOf = Effect.map(tenant, ({ token }) => ({ scimToken: token }))
