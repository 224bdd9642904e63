/** What jobs said, over HTTP: the signals of a heartbeat monitor and their texts. */
import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { keptDays } from "@kanmon/domain/Capture"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { basePath } from "@kanmon/protocol/BasePath"
import { person, port, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

const job = Effect.gen(function* () {
  const ada = yield* person
  const { body } = yield* ada.withKey("POST", "/monitors", { name: "Backup", type: "heartbeat", interval: 3600 })
  const { heartbeatUrl: url, id } = body as { readonly heartbeatUrl: string; readonly id: string }
  const origin = `http://127.0.0.1:${yield* port}`
  const send = (suffix: string, text?: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async () => {
      const sent = await fetch(
        `${origin}${basePath}/heartbeat/${url.slice(-43)}${suffix}`,
        text === undefined ? {} : { method: "POST", body: text, headers: { "content-type": "text/plain", ...headers } }
      )
      return { status: sent.status, body: (await sent.json()) as Record<string, any> }
    })
  const list = (query = "") => ada.withKey("GET", `/monitors/${id}/signals${query}`)
  const textOf = (signal: string) => ada.withKey("GET", `/monitors/${id}/signals/${signal}/body`)
  return { ada, id, url, send, list, textOf }
})

layer(shared, live)("the signals of a job", (it) => {
  it.effect("are listed, newest first, with what they say", () =>
    Effect.gen(function* () {
      const { id, list, send, textOf } = yield* job
      yield* send("/start")
      yield* send("/log", "step 1 of 2\nstep 2 of 2")
      yield* send("?msg=12%20rows&m.rows=12")
      yield* send("/3", "\n  disk full\nmore")
      const { body: signals } = yield* list()
      assert.deepStrictEqual(
        signals.map(({ exitCode, firstLine, kind, metrics, size, truncated }: any) => ({
          kind,
          exitCode,
          firstLine,
          metrics,
          size,
          truncated
        })),
        [
          { kind: "fail", exitCode: 3, firstLine: "disk full", metrics: {}, size: 17, truncated: false },
          { kind: "success", exitCode: null, firstLine: "12 rows", metrics: { rows: 12 }, size: 7, truncated: false },
          { kind: "log", exitCode: null, firstLine: "step 1 of 2", metrics: {}, size: 23, truncated: false },
          { kind: "start", exitCode: null, firstLine: null, metrics: {}, size: 0, truncated: false }
        ]
      )
      assert.isAtLeast(signals[1].durationSeconds, 0)
      assert.match(signals[0].id, /^sig_/)
      assert.match(signals[0].address, /127\.0\.0\.1|::1/)
      const texts = yield* Effect.forEach(signals, (signal: any) => textOf(signal.id))
      assert.deepStrictEqual(
        texts.map(({ body }) => body),
        ["\n  disk full\nmore", "12 rows", "step 1 of 2\nstep 2 of 2", ""]
      )
      assert.include(texts[0]!.headers.get("content-type"), "text/plain")
      // Each page goes on where the one before ended.
      const first = yield* list("?limit=3")
      const next = /cursor=([^>&]+)/.exec(first.headers.get("link")!)![1]!
      const rest = yield* list(`?limit=3&cursor=${next}`)
      assert.deepStrictEqual([...first.body, ...rest.body], signals)
      assert.isNull(rest.headers.get("link"))
      assert.deepStrictEqual((yield* list("?kind=log")).body, [signals[2]])
      assert.deepStrictEqual((yield* list(`?to=${signals[3].at}`)).body.at(-1), signals[3])
      refused(yield* list("?cursor=abc"), 400, "malformed_request")
      refused(yield* list("?kind=shout"), 400, "malformed_request")
      assert.match(id, /^mon_/)
    })
  )

  it.effect("keep what was sent beside what was understood of it", () =>
    Effect.gen(function* () {
      const { list, send, textOf } = yield* job
      const json = '{"message":"12 rows","metrics":{"rows":12}}'
      yield* send("", json, { "content-type": "application/json" })
      const [signal] = (yield* list()).body
      assert.deepInclude(signal, { firstLine: "12 rows", metrics: { rows: 12 }, size: json.length })
      assert.strictEqual((yield* textOf(signal.id)).body, json)
    })
  )

  for (const { length, status } of [
    { length: 99_000, status: 200 },
    { length: 101 * 1024, status: 200 },
    { length: 5 * 1024 * 1024, status: 413 }
  ])
    it.effect(`count with a log of ${length} bytes, of which the beginning and the end are kept`, () =>
      Effect.gen(function* () {
        const { ada, id, list, send, textOf } = yield* job
        const log = `first line\n${"x".repeat(length - 21)}\nlast line`
        const answer = yield* send("/fail", log)
        assert.strictEqual(answer.status, status)
        const isCut = length > 100 * 1024
        if (status === 413) assert.deepInclude(answer.body, { code: "payload_too_large", recorded: true })
        else assert.deepStrictEqual(answer.body, { ok: true, ...(isCut ? { truncated: true } : {}) })
        const [signal] = (yield* list()).body
        assert.deepInclude(signal, { kind: "fail", firstLine: "first line", size: length, truncated: isCut })
        const { body: text } = yield* textOf(signal.id)
        assert.isTrue(text.startsWith("first line\nx") && text.endsWith("x\nlast line"))
        assert.isAtMost(text.length, 101 * 1024)
        assert.strictEqual((yield* ada.withKey("GET", `/monitors/${id}`)).status, 200)
      })
    )

  it.effect("count when their body is compressed, which is not read", () =>
    Effect.gen(function* () {
      const { list, send } = yield* job
      const answer = yield* send("/fail", gzipSync("disk full"), { "content-encoding": "gzip" })
      assert.deepInclude(answer.body, { code: "validation_failed", recorded: true })
      assert.deepInclude((yield* list()).body[0], { kind: "fail", firstLine: null })
    })
  )

  it.effect("have one spelling of their address, by which logs find the token", () =>
    Effect.gen(function* () {
      const { list, url } = yield* job
      const token = url.slice(-43)
      const first = `%${token.charCodeAt(0).toString(16)}`
      const origin = `http://127.0.0.1:${yield* port}`
      for (const path of [
        `/%68eartbeat/${token}`,
        `/heartbeat/${first}${token.slice(1)}`,
        `/heartbeat/${token}/%66ail`,
        `//heartbeat/${token}`,
        `/heartbeat//${token}`
      ]) {
        const sent = yield* Effect.promise(() => fetch(`${origin}${basePath}${path}`, { method: "POST" }))
        assert.strictEqual(sent.status, 404, path)
      }
      assert.deepStrictEqual((yield* list()).body, [])
      const usual = yield* Effect.promise(() => fetch(`${origin}${basePath}/heartbeat/${token}/`, { method: "POST" }))
      assert.strictEqual(usual.status, 200)
    })
  )

  it.effect("show no token of the monitor", () =>
    Effect.gen(function* () {
      const { list, send, textOf, url } = yield* job
      yield* send("/fail", `+ curl ${url}/start\nconnection refused`)
      const [signal] = (yield* list()).body
      const shown = url.replace(/[^/]+$/, "••••")
      assert.strictEqual(signal.firstLine, `+ curl ${shown}/start`.slice(0, 200))
      assert.strictEqual((yield* textOf(signal.id)).body, `+ curl ${shown}/start\nconnection refused`)
    })
  )

  it.effect("belong to their project and to their monitor", () =>
    Effect.gen(function* () {
      const { ada, id, list, send } = yield* job
      yield* send("", "12 rows")
      const [signal] = (yield* list()).body
      const other = yield* ada.withKey("POST", "/monitors", { ...shop, key: undefined })
      const eve = yield* person
      for (const path of [`/monitors/${id}/signals`, `/monitors/${id}/signals/${signal.id}/body`])
        refused(yield* eve.withKey("GET", path), 404, "not_found")
      refused(yield* ada.withKey("GET", `/monitors/${other.body.id}/signals/${signal.id}/body`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", `/monitors/${other.body.id}/signals`)).body, [])
    })
  )

  it.effect("lose their texts before they are forgotten", () =>
    Effect.gen(function* () {
      const { id, list, send, textOf } = yield* job
      yield* send("", "old")
      yield* send("", "new")
      yield* send("")
      const sql = yield* SqlClient.SqlClient
      const [, , old] = (yield* list()).body
      const then = new Date(Date.now() - (keptDays + 1) * dayMillis)
      yield* sql`UPDATE heartbeat_signals SET at = ${then} WHERE id = ${old.id}`
      const { history } = yield* Retention
      yield* history(90)
      const [silent, fresh] = (yield* list()).body
      assert.strictEqual((yield* textOf(fresh.id)).body, "new")
      assert.strictEqual((yield* textOf(silent.id)).body, "")
      refused(yield* textOf(old.id), 404, "not_found")
      const listed = yield* list(`?from=${then.toISOString().slice(0, 10)}`)
      assert.deepInclude(listed.body.at(-1), { id: old.id, firstLine: "old" })
      yield* history(7)
      const left = yield* sql`SELECT 1 FROM heartbeat_signals WHERE monitor_id = ${id}`
      assert.lengthOf(left, 2)
    })
  )
})
