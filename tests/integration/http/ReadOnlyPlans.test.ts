/** Plans with a key that only reads: changes are judged and compared, and no answer depends on a value that the key may not read. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, type Call, layer as server, person, refused, shop } from "./Server.ts"

const password = "correct horse 1234"
const other = "other horse 99 5678"
const url = (secret: string) => `https://ada:${encodeURIComponent(secret)}@till.example/health`
const hook = (secret: string) => `https://hooks.example/${encodeURIComponent(secret)}`

/** A project with secrets of every sort, and a key of it that only reads. */
const project = Effect.fnUntraced(function* (secret: string) {
  const ada = yield* person
  const made = Effect.fnUntraced(function* (route: string, body: object) {
    const answer = yield* ada.withKey("POST", route, body)
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id as string
  })
  const till = yield* made("/monitors", {
    ...shop,
    key: "till",
    name: "Till",
    url: url(secret),
    headers: { accept: "text/html", "x-token": secret }
  })
  const guarded = yield* made("/monitors", {
    ...shop,
    key: "guarded",
    authentication: "digest",
    username: "ada",
    password: secret
  })
  const channel = yield* made("/notification-channels", {
    key: "hook",
    name: "Hook",
    type: "webhook",
    config: { url: hook(secret), headers: { authorization: secret }, secret: `whsec_${btoa(secret.padEnd(32, "x"))}` }
  })
  const key = yield* ada.withSession("POST", `/projects/${ada.projectId}/api-keys`, { name: "CI", role: "viewer" })
  const headers = { "x-api-key": key.body.apiKey as string }
  const reading: Call = (method, route, body) => call(method, route, body, headers) as ReturnType<Call>
  return { ada, reading, ids: { till, guarded, channel } }
})

const judged = (reading: Call, changes: ReadonlyArray<unknown>) =>
  reading("POST", "/changes", { dryRun: true, changes })

/** Bodies that try to find out a secret. */
const attempts = (guess: string) => ({
  till: [
    { url: url(guess) },
    { url: url(`${guess}?`) },
    { url: "https://ada:••••@till.example/health" },
    { url: "https://ada:••••@elsewhere.example/health" },
    { headers: { accept: "text/html", "x-token": guess } },
    { headers: { accept: "text/html", "x-token": "••••" } },
    { headers: null },
    { method: "POST", body: guess }
  ],
  guarded: [
    { password: guess },
    { password: `••••${guess.slice(-4)}` },
    { password: "••••" },
    { password: null },
    { password: guess, url: "https://elsewhere.example/" },
    { password: `••••${guess.slice(-4)}`, url: "https://elsewhere.example/" },
    { url: "https://elsewhere.example/" }
  ],
  channel: [
    { config: { url: hook(guess) } },
    { config: { url: new URL(hook(guess)).origin } },
    { config: { url: "https://elsewhere.example/" } },
    { config: { url: hook(guess), headers: { authorization: guess } } },
    { config: { url: hook(guess), headers: { authorization: `••••${guess.slice(-4)}` } } },
    { config: { secret: `••••${btoa(guess.padEnd(32, "x")).slice(-4)}` } },
    { config: { headers: { authorization: guess, more: "x" } } },
    { config: { url: "no address" } },
    { type: "slack", config: { webhookUrl: hook(guess) } }
  ]
})

const kindOf = { till: "monitor", guarded: "monitor", channel: "channel" } as const
const routeOf = { till: "/monitors", guarded: "/monitors", channel: "/notification-channels" } as const

layer(server(), { timeout: "4 minutes", excludeTestServices: true })("a plan with a key that only reads", (it) => {
  it.effect("is judged as it would be made, and is made by nobody who may not write", () =>
    Effect.gen(function* () {
      const { ada, ids, reading } = yield* project(password)
      const changes = [
        {
          action: "create",
          kind: "channel",
          body: { key: "ops", name: "Ops", type: "webhook", config: { url: "https://ops.example/" } }
        },
        { action: "create", kind: "monitor", body: { ...shop, key: "new", dependsOn: [ids.till] } },
        {
          action: "create",
          kind: "rule",
          body: { key: "r", name: "R", monitorIds: ["new:new"], channelIds: ["new:ops"] }
        },
        { action: "update", kind: "monitor", id: ids.guarded, body: { interval: 120, password: "a new one" } },
        { action: "update", kind: "channel", id: ids.channel, body: { name: "Hooks" } },
        { action: "delete", kind: "monitor", id: ids.till }
      ]
      const accepted = yield* judged(reading, changes)
      assert.strictEqual(accepted.status, 200, JSON.stringify(accepted.body))
      assert.lengthOf(accepted.body.results, changes.length)
      refused(yield* reading("POST", "/changes", { changes }), 403, "forbidden")
      refused(yield* reading("POST", "/changes", { dryRun: false, changes }), 403, "forbidden")
      assert.lengthOf((yield* ada.withKey("GET", "/monitors")).body, 2)

      const wrong = [
        { action: "update", kind: "monitor", id: ids.guarded, body: { interval: 1, password: "a new one" } }
      ]
      for (const by of [reading, ada.withKey])
        refused(yield* judged(by, wrong), 422, "validation_failed", "changes[0].body.interval")
      const moved = [
        { action: "update", kind: "monitor", id: ids.guarded, body: { url: "https://elsewhere.example/" } }
      ]
      for (const by of [reading, ada.withKey])
        refused(yield* judged(by, moved), 422, "validation_failed", "changes[0].body.password")
      const bad = [{ action: "update", kind: "channel", id: ids.channel, body: { config: { url: "no address" } } }]
      refused(yield* judged(reading, bad), 422, "validation_failed", "changes[0].body.config.url")
    })
  )

  it.effect("compares what the key reads, and names the fields that it cannot compare", () =>
    Effect.gen(function* () {
      const { ada, ids, reading } = yield* project(password)
      const compare = (by: Call, name: keyof typeof ids, body: object) =>
        Effect.map(by("POST", `${routeOf[name]}/${ids[name]}/compare`, body), (answer) => {
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
          return answer.body
        })
      const same = { url: url(password), headers: { accept: "text/html", "x-token": password } }
      assert.deepStrictEqual(yield* compare(reading, "till", { ...same, timeout: 7 }), {
        differing: ["timeout"],
        hidden: ["headers", "url"]
      })
      assert.deepStrictEqual(yield* compare(ada.withKey, "till", { ...same, timeout: 7 }), { differing: ["timeout"] })
      // The names of headers are shown, and where a URL leads.
      assert.deepStrictEqual(yield* compare(reading, "till", { url: url(password), headers: { "x-token": "a" } }), {
        differing: ["headers"],
        hidden: ["url"]
      })
      assert.deepStrictEqual(yield* compare(reading, "till", { url: "https://ada:x@other.example/" }), {
        differing: ["url"],
        hidden: ["headers"]
      })
      assert.deepStrictEqual(yield* compare(reading, "guarded", { password: other }), {
        differing: [],
        hidden: ["password", "username"]
      })
      assert.deepStrictEqual(yield* compare(reading, "channel", { name: "Other", config: { url: hook(other) } }), {
        differing: ["name"],
        hidden: ["config.headers", "config.method", "config.secret", "config.url"]
      })
    })
  )

  it.effect("gets the same answers whatever the secrets are", () =>
    Effect.gen(function* () {
      // Each project is guessed right once, and wrong once.
      const [one, another] = [yield* project(password), yield* project(other)]
      const told = Effect.fnUntraced(function* ({ ids, reading }: typeof one, name: keyof typeof kindOf, body: object) {
        const change = { action: "update", kind: kindOf[name], id: ids[name], body }
        const answers = [
          yield* reading("POST", `${routeOf[name]}/${ids[name]}/compare`, body),
          yield* judged(reading, [change]),
          yield* judged(reading, [
            change,
            { action: "create", kind: "monitor", body: { ...shop, key: "probe", url: url(password) } }
          ])
        ]
        return answers.map((answer) => [
          answer.status,
          JSON.stringify(answer.body)
            .replaceAll(/(mon|ch|req)_\w+/g, "$1")
            .replace(/"requestId":"[^"]*"/, "")
        ])
      })
      let count = 0
      for (const guess of [password, other])
        for (const [name, bodies] of Object.entries(attempts(guess)))
          for (const body of bodies) {
            count++
            assert.deepStrictEqual(
              yield* told(one, name as keyof typeof kindOf, body),
              yield* told(another, name as keyof typeof kindOf, body),
              JSON.stringify(body)
            )
          }
      assert.isAbove(count, 40)
    })
  )
})
