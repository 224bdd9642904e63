/** Malformed request bodies, and the round trip of valid ones. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ApiResponse, call, layer as server, Logs, person, raw, refused, shop } from "./Server.ts"

const json = JSON.stringify
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

const bad: ReadonlyArray<readonly [string, unknown, number, string, ReadonlyArray<string>]> = [
  ["half a body", '{"name":', 400, "malformed_request", []],
  ["an empty body", "", 400, "malformed_request", []],
  ["null", "null", 422, "validation_failed", [""]],
  ["nesting without end", nested(200_000), 422, "validation_failed", [""]],
  ["a null character", { ...shop, bodyContains: "a\u0000b" }, 422, "validation_failed", ["bodyContains"]],
  ["half a character", { ...shop, bodyContains: "a\ud83d" }, 422, "validation_failed", ["bodyContains"]],
  [
    "half a character in a header's name",
    { ...shop, headers: { "\ud83d": "x" } },
    422,
    "validation_failed",
    ["headers"]
  ],
  [
    "a field called __proto__",
    '{"name":"x","type":"ping","host":"a.example","__proto__":{}}',
    422,
    "validation_failed",
    ["__proto__"]
  ],
  [
    "a prototype with the missing fields",
    '{"name":"x","type":"ping","__proto__":{"host":"a.example"}}',
    422,
    "validation_failed",
    ["__proto__", "host"]
  ],
  ["a type from Object's prototype", { ...shop, type: "constructor" }, 422, "validation_failed", ["type"]],
  ["a list for a type", { ...shop, type: ["http"] }, 422, "validation_failed", ["type"]],
  [
    "somebody else's fields",
    { ...shop, id: "mon_1", projectId: "prj_1", status: "up" },
    422,
    "validation_failed",
    ["id", "projectId", "status"]
  ],
  [
    "a number beyond numbers",
    '{"name":"x","type":"tcp","host":"a.example","port":1e999}',
    400,
    "malformed_request",
    []
  ],
  ["an interval with a fraction", { ...shop, interval: 60.5 }, 422, "validation_failed", ["interval"]],
  ["a timeout in no unit", { ...shop, timeout: "5 moons" }, 422, "validation_failed", ["timeout"]],
  ["a timeout below a tenth", { ...shop, timeout: "50ms" }, 422, "validation_failed", ["timeout"]],
  [
    "regions that are no labels",
    { ...shop, regions: ["EU", "eu-west", "mars-north"] },
    422,
    "validation_failed",
    ["regions[0]"]
  ]
]

/** Marks that are drawn as nothing. */
const unseen = ["\u200B", "\u2800", "\u3164", "\u{E0041}\u00AD", " \u2060 "]

layer(server(), { excludeTestServices: true })("bodies", (it) => {
  it.effect("refuses invalid bodies, and names the fields", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const [name, body, status, code, paths] of bad) {
        const answer = yield* ada.withKey("POST", "/monitors", body, { "content-type": "application/json" })
        assert.strictEqual(answer.status, status, `${name}: ${json(answer.body)}`)
        refused(answer, status, code, ...paths)
      }
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [])
      assert.deepStrictEqual(
        (yield* Logs).filter(({ level }) => level === "ERROR" || level === "WARN"),
        []
      )
    })
  )

  it.effect("refuses names in which there is nothing to see, wherever a name is given", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organization = (yield* ada.withSession("GET", "/organizations")).body[0].id
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", shop)
      const incident = { status: "investigating", message: "Looking", monitorIds: [] }
      const page = { slug: `page-${ada.projectId.slice(-8)}`, monitorIds: [] }
      const webhook = { type: "webhook", config: { url: "https://hooks.example/" } }
      for (const name of unseen) {
        const byKey: ReadonlyArray<readonly [method: "POST" | "PATCH", path: string, body: object, field?: string]> = [
          ["POST", "/monitors", { ...shop, name }],
          ["PATCH", `/monitors/${monitor.id}`, { name }],
          ["POST", "/monitors", { ...shop, group: `Shop/${name.trim()}` }, "group"],
          ["POST", "/notification-channels", { ...webhook, name }],
          ["POST", "/alert-rules", { name, triggers: ["monitor_down"] }],
          ["POST", "/status-pages", { ...page, name }],
          [
            "POST",
            "/status-pages",
            {
              ...page,
              name: "Status",
              monitorIds: undefined,
              monitors: [{ monitorId: monitor.id, displayGroup: name }]
            },
            "monitors[0].displayGroup"
          ],
          ["POST", "/incidents", { ...incident, title: name }, "title"]
        ]
        for (const [method, path, body, field = "name"] of byKey)
          refused(yield* ada.withKey(method, path, body), 422, "validation_failed", field)
        const bySession = [
          ["POST", "/projects"],
          ["PATCH", `/projects/${ada.projectId}`],
          ["POST", "/organizations"],
          ["PATCH", `/organizations/${organization}`],
          ["POST", `/organizations/${organization}/teams`],
          ["POST", "/auth/update-user"]
        ] as const
        for (const [method, path] of bySession)
          refused(yield* ada.withSession(method, path, { name }), 422, "validation_failed", "name")
        refused(
          yield* ada.withSession("POST", `/projects/${ada.projectId}/api-keys`, { name, role: "viewer" }),
          422,
          "validation_failed",
          "name"
        )
        const stranger = { name, email: "unseen@example.org", password: "correct horse battery" }
        refused(yield* call("POST", "/auth/sign-up/email", stranger), 422, "validation_failed", "name")
      }
      // With something to see, such marks are part of a name: families of emoji are joined by them.
      assert.strictEqual((yield* ada.withKey("PATCH", `/monitors/${monitor.id}`, { name: "👩\u200D👧" })).status, 200)
    })
  )

  it.effect("reports at most a hundred invalid fields", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const typos = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`typo${index}`, 1]))
      const answer = yield* ada.withKey("POST", "/monitors", { ...shop, ...typos })
      refused(answer, 422, "validation_failed")
      assert.lengthOf(answer.body.errors, 100)
    })
  )

  it.effect.each([
    ["text/plain", "identity", 415],
    ["application/merge-patch+json", "identity", 415],
    ["application/x-www-form-urlencoded", "identity", 415],
    ["multipart/form-data; boundary=x", "identity", 415],
    ["application/json", "gzip", 415],
    ["application/json; charset=utf-8", "identity", 201],
    ["APPLICATION/JSON", "identity", 201]
  ] as const)("answers to %s, %s, with %i", ([type, encoding, status]) =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("POST", "/monitors", shop, {
        "content-type": type,
        "content-encoding": encoding
      })
      if (status === 415) refused(answer, 415, "unsupported_media_type")
      else assert.strictEqual(answer.status, status, json(answer.body))
    })
  )

  it.effect("refuses more than 1 MiB before and during reading, and serves the next request", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const head = `host: x\r\nx-api-key: ${ada.key}\r\ncontent-type: application/json\r\n`
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`
      for (const route of ["/monitors", "/auth/sign-in/email"]) {
        const announced = yield* raw(
          `POST /api/v1${route} HTTP/1.1\r\n${head}expect: 100-continue\r\ncontent-length: 2000000\r\n\r\n`
        )
        const chunked = yield* raw(
          `POST /api/v1${route} HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`
        )
        for (const answer of [announced, chunked]) {
          assert.match(answer, /^HTTP\/1.1 413 /)
          assert.include(answer, `"code":"payload_too_large"`)
        }
      }
      assert.strictEqual(
        (yield* ada.withKey("POST", "/monitors", { ...shop, body: "x".repeat(60_000), method: "PUT" })).status,
        201
      )
    })
  )

  it.effect("returns what was sent, including fields that are not logged", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const told = {
        ...shop,
        headers: { authorization: "Bearer kanmon-test-secret" },
        timeout: "1500ms",
        regions: ["us-east"]
      }
      const made = yield* ada.withKey("POST", "/monitors", told)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        ...told,
        timeout: 1.5,
        projectId: ada.projectId,
        status: "pending",
        lastCheckedAt: null
      })
      refused(yield* ada.withKey("GET", "/monitors?q=query-secret&note=1"), 400, "malformed_request", "note")
      assert.match(made.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual((yield* ada.withKey("GET", `/monitors/${made.body.id}`)).body, made.body)
      const lines = json(yield* Logs)
      for (const secret of ["kanmon-test-secret", "query-secret", ada.key, ada.cookie]) assert.notInclude(lines, secret)
    })
  )
})

layer(server(), { excludeTestServices: true })("changes", (it) => {
  const change = (answer: ApiResponse) => ({ timeout: answer.body.timeout, interval: answer.body.interval })

  it.effect("merges changes into the monitor; null resets a field to its default", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/monitors", {
        ...shop,
        jsonPath: "$.ok",
        jsonEquals: true,
        bodyContains: "basket",
        timeout: 5,
        regions: ["eu-west"]
      })
      const patch = (body: unknown) => ada.withKey("PATCH", `/monitors/${made.body.id}`, body)
      const { updatedAt: _, ...same } = (yield* patch({})).body
      assert.deepInclude(made.body, same)
      const changed = (yield* patch({ bodyContains: null, timeout: null, regions: null, interval: 120 })).body
      assert.deepInclude(changed, { timeout: 30, interval: 120, regions: [], jsonEquals: true })
      assert.notProperty(changed, "bodyContains")
      assert.isNull((yield* patch({ jsonEquals: null })).body.jsonEquals)
      refused(yield* patch({ name: null, url: null }), 422, "validation_failed", "name", "url")
      refused(yield* patch({ bodyContain: null }), 422, "validation_failed", "bodyContain")
      refused(yield* patch({ type: null }), 422, "validation_failed", "type")
      refused(yield* patch({ type: "tcp" }), 422, "validation_failed", "type")
      assert.strictEqual((yield* patch({ type: "http", paused: true })).body.status, "paused")
    })
  )

  it.effect("lowers a default timeout to a shorter interval, and refuses an explicit one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const usual = yield* ada.withKey("POST", "/monitors", { ...shop, interval: 20 })
      assert.deepStrictEqual(change(usual), { timeout: 20, interval: 20 })
      const slower = yield* ada.withKey("PATCH", `/monitors/${usual.body.id}`, { interval: 300 })
      assert.deepStrictEqual(change(slower), { timeout: 30, interval: 300 })
      const chosen = yield* ada.withKey("POST", "/monitors", { ...shop, timeout: 45 })
      refused(
        yield* ada.withKey("PATCH", `/monitors/${chosen.body.id}`, { interval: 30 }),
        422,
        "validation_failed",
        "timeout"
      )
    })
  )

  it.effect("keeps both of two concurrent changes", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body } = yield* ada.withKey("POST", "/monitors", shop)
      const changes = [{ name: "Renamed" }, { interval: 300 }, { bodyContains: "basket" }, { regions: ["us-east"] }]
      yield* Effect.forEach(changes, (one) => ada.withKey("PATCH", `/monitors/${body.id}`, one), { concurrency: 4 })
      assert.deepInclude((yield* ada.withKey("GET", `/monitors/${body.id}`)).body, Object.assign({}, ...changes))
    })
  )

  it.effect("refuses invalid project names", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const name of ["", " ", "x".repeat(201), "a\nb", "\ud83d", 5, null]) {
        refused(yield* ada.withSession("POST", "/projects", { name }), 422, "validation_failed", "name")
      }
      refused(yield* ada.withSession("POST", "/projects", { nam: "x" }), 422, "validation_failed", "nam", "name")
      const made = yield* ada.withSession("POST", "/projects", { name: "日本 🦉" })
      assert.deepStrictEqual([made.status, made.body.name], [201, "日本 🦉"])
      assert.strictEqual((yield* call("GET", "/health/live")).status, 200)
    })
  )
})
