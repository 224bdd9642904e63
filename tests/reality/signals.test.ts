/**
 * Signals exactly as the clients of other products send them: a job that moves to Kanmon changes its address and nothing else.
 * Each request is written to the socket byte by byte, so that no client of ours repairs it.
 */
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/Product.ts"
import * as SharedProduct from "../support/SharedProduct.ts"

interface Sent {
  readonly client: string
  readonly method?: string
  readonly suffix?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The status of the monitor afterwards; each monitor was the opposite before. */
  readonly becomes: "up" | "down"
  readonly warnings?: ReadonlyArray<string>
  /** A part of the reason of a failure. */
  readonly reason?: string
}

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json" }

const signals: ReadonlyArray<Sent> = [
  // Uptime Kuma: extra/push-examples and the address that its dashboard shows.
  { client: "Uptime Kuma, curl", suffix: "?status=up&msg=OK&ping=", becomes: "up" },
  { client: "Uptime Kuma, down", suffix: "?status=down&msg=disk%20full&ping=", becomes: "down", reason: "disk full" },
  { client: "Uptime Kuma, push.py", suffix: "?status=up&msg=OK&ping=12.5", becomes: "up" },
  { client: "Uptime Kuma, wget", method: "HEAD", suffix: "?status=down&msg=failed", becomes: "down", reason: "failed" },
  // Cronitor: cronitor-cli, cronitor-python and a form.
  {
    client: "Cronitor, complete",
    suffix: "?state=complete&series=f3a1&status_code=0&metric=duration:12.25&metric=count:25",
    becomes: "up"
  },
  {
    client: "Cronitor, fail",
    suffix: "?state=fail&status_code=3&series=f3a1&message=exit+status+3&host=db1&env=production&stamp=1764000000.1",
    becomes: "down",
    warnings: ["unknown_parameter", "unknown_parameter", "unknown_parameter"],
    reason: "exit status 3"
  },
  { client: "Cronitor, ok", suffix: "?state=ok", becomes: "up" },
  {
    client: "Cronitor, form",
    method: "POST",
    headers: form,
    body: "state=fail&message=no+space",
    becomes: "down",
    reason: "no space"
  },
  // healthchecks.io: the examples of its documentation; runitor posts the output.
  { client: "healthchecks.io, success", becomes: "up" },
  { client: "healthchecks.io, exit code", suffix: "/2", becomes: "down", reason: "exit code 2" },
  { client: "healthchecks.io, exit code 0", suffix: "/0?rid=728b3763-ad80-4113-9fc0-f10ab5e1b9e4", becomes: "up" },
  {
    client: "healthchecks.io, runitor",
    method: "POST",
    suffix: "/1?rid=728b3763-ad80-4113-9fc0-f10ab5e1b9e4",
    headers: { "content-type": "text/plain", "user-agent": "runitor" },
    body: "rsync: write failed\nerror 28",
    becomes: "down",
    reason: "rsync: write failed"
  },
  { client: "healthchecks.io, create", suffix: "?create=1", becomes: "up", warnings: ["unknown_parameter"] },
  {
    client: "healthchecks.io, fail by curl",
    method: "POST",
    suffix: "/fail",
    headers: form,
    body: "status=12 tables",
    becomes: "down",
    warnings: ["unknown_status"],
    reason: "status=12 tables"
  },
  // Better Stack: the path alone, and the output in the body.
  { client: "Better Stack, success", method: "HEAD", becomes: "up" },
  {
    client: "Better Stack, fail",
    method: "POST",
    suffix: "/fail",
    headers: form,
    body: "pg_dump: connection refused",
    becomes: "down",
    reason: "pg_dump: connection refused"
  },
  { client: "Better Stack, exit code", method: "POST", suffix: "/0", headers: form, body: "saved", becomes: "up" },
  // Dead Man's Snitch: the examples of its documentation.
  {
    client: "Dead Man's Snitch, exit status",
    method: "POST",
    headers: form,
    body: "s=1",
    becomes: "down",
    reason: "exit code 1"
  },
  { client: "Dead Man's Snitch, message", method: "POST", headers: form, body: "m=just checking in", becomes: "up" },
  { client: "Dead Man's Snitch, field agent", suffix: "?m=Finished+in+3s&s=0", becomes: "up" },
  { client: "Dead Man's Snitch, query", suffix: "?s=17&m=broken", becomes: "down", reason: "broken" },
  // Scripts of people.
  {
    client: "JSON, down",
    method: "POST",
    headers: json,
    body: '{"status":"down","msg":"no route"}',
    becomes: "down",
    reason: "no route"
  },
  { client: "JSON by curl -d", method: "POST", headers: form, body: '{"success": true}', becomes: "up" },
  { client: "success=false", suffix: "?success=false", becomes: "down" },
  { client: "an unknown word", suffix: "?status=green", becomes: "up", warnings: ["unknown_status"] },
  {
    client: "an exit code beside a success",
    suffix: "/0?exit_code=7",
    becomes: "down",
    warnings: ["contradiction"],
    reason: "exit code 7"
  }
]

/** Sends exactly these bytes; resolves with the status and the body of the answer. */
const send = (url: string, { body = "", headers = {}, method, suffix = "" }: Sent) =>
  Effect.callback<{ readonly status: number; readonly text: string }>((resume) => {
    const target = new URL(url + suffix)
    let received = ""
    const socket = net.connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries({
        host: target.host,
        "user-agent": "curl/8.5.0",
        accept: "*/*",
        ...headers,
        ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        connection: "close"
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`${method ?? "GET"} ${new URL(url).pathname}${suffix} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
    })
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => (received += chunk))
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.on("close", () => {
      const [head = "", ...rest] = received.split("\r\n\r\n")
      resume(Effect.succeed({ status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), text: rest.join("\r\n\r\n") }))
    })
    return Effect.sync(() => socket.destroy())
  })

describe("signals of other products", () => {
  it.live("means what it meant there", () =>
    Effect.gen(function* () {
      const product = yield* SharedProduct.product
      const ada = yield* product.signUp
      yield* Effect.forEach(
        signals,
        (signal) =>
          Effect.gen(function* () {
            const made = yield* ada.call("POST", "/monitors", {
              name: signal.client,
              type: "heartbeat",
              interval: 3600
            })
            const { heartbeatUrl: url, id } = made.body as { readonly heartbeatUrl: string; readonly id: string }
            const before = signal.becomes === "up" ? "down" : "up"
            const look = Effect.map(ada.call("GET", `/monitors/${id}`), ({ body }) => body)
            yield* send(url, { client: "", suffix: before === "up" ? "" : "/fail", becomes: before })
            yield* eventually(look, ({ status }) => status === before)
            const answer = yield* send(url, signal)
            assert.strictEqual(answer.status, 200, `${signal.client}: ${answer.text}`)
            if (signal.method !== "HEAD") {
              const { ok, warnings = [] } = JSON.parse(answer.text)
              assert.isTrue(ok)
              const codes = warnings.map(({ code }: { readonly code: string }) => code)
              assert.deepStrictEqual(codes, signal.warnings ?? [], signal.client)
            }
            const after = yield* eventually(look, ({ status }) => status === signal.becomes)
            if (signal.reason !== undefined) assert.include(after.lastFailure.message, signal.reason, signal.client)
          }),
        { concurrency: 4, discard: true }
      )
    })
  )
})
