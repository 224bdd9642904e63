/** Limits of one account over all its projects hold under concurrent requests; deleting makes room. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ApiResponse, type Call, call, layer as server, person, refused } from "./Server.ts"

const quotas = { projects: 3, channels: 2, alertRules: 4, statusPages: 2, openIncidents: 2 }

const reached = (answer: ApiResponse, limit: number, current: number, ...words: ReadonlyArray<string>): void => {
  refused(answer, 403, "account_limit_reached")
  assert.deepInclude(answer.body, { limit, current })
  for (const word of words) assert.include(answer.body.detail, word)
}

let pages = 0
const bodies = {
  "/notification-channels": () => ({ name: "Hook", type: "webhook", config: { url: "https://hooks.example/x" } }),
  "/alert-rules": () => ({ name: "Down", trigger: "monitor_down" }),
  "/status-pages": () => ({ name: "Page", slug: `quota-page-${++pages}` }),
  "/incidents": () => ({ title: "Fire", status: "investigating", message: "It burns" })
} as const

const withKey =
  (key: string): Call =>
  (method, route, body, headers) =>
    call(method, route, body, { "x-api-key": key, ...headers }) as never

layer(server({ quotas }), { excludeTestServices: true })("an account", (it) => {
  it.effect("limits projects, also for concurrent requests", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const create = ada.withSession("POST", "/projects", { name: "One more" })
      const answers = yield* Effect.all(Array(6).fill(create) as Array<typeof create>, { concurrency: "unbounded" })
      const refusals = answers.filter(({ status }) => status !== 201)
      assert.lengthOf(refusals, 4)
      for (const refusal of refusals) reached(refusal, 3, 3, "3 projects", "KANMON_MAX_PROJECTS")
      const made = answers.find(({ status }) => status === 201)
      yield* withKey(made!.body.apiKey)("DELETE", `/projects/${made!.body.id}`)
      assert.strictEqual((yield* create).status, 201)
      const ben = yield* person
      assert.strictEqual((yield* ben.withSession("POST", "/projects", { name: "Ben's" })).status, 201)
    })
  )

  it.effect.each([
    ["/notification-channels", 2, 0, "KANMON_MAX_CHANNELS"],
    // Every project begins with one rule.
    ["/alert-rules", 4, 2, "KANMON_MAX_ALERT_RULES"],
    ["/status-pages", 2, 0, "KANMON_MAX_STATUS_PAGES"],
    ["/incidents", 2, 0, "KANMON_MAX_OPEN_INCIDENTS"]
  ] as const)(
    "gets no more of %s than the limit over all its projects, also when requests come at once",
    ([route, limit, had, setting]) =>
      Effect.gen(function* () {
        const ada = yield* person
        const other = yield* ada.withSession("POST", "/projects", { name: "Other" })
        const projects = [ada.withKey, withKey(other.body.apiKey)]
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) => projects[index % 2]!("POST", route, bodies[route]())),
          { concurrency: "unbounded" }
        )
        const made = answers.filter(({ status }) => status === 201)
        assert.lengthOf(made, limit - had)
        for (const answer of answers.filter(({ status }) => status !== 201))
          reached(answer, limit, limit, "over all its projects", setting)
        const lists = yield* Effect.forEach(projects, (project) => project("GET", route))
        assert.strictEqual(lists.flatMap(({ body }) => body).length, limit)

        const { id, projectId } = made[0]!.body
        const owner = projectId === other.body.id ? projects[1]! : projects[0]!
        yield* route === "/incidents"
          ? owner("PATCH", `${route}/${id}`, { status: "resolved", message: "Out" })
          : owner("DELETE", `${route}/${id}`)
        assert.strictEqual((yield* projects[1]!("POST", route, bodies[route]())).status, 201)
        reached(yield* projects[0]!("POST", route, bodies[route]()), limit, limit)
      })
  )

  it.effect("cannot reopen an incident above the limit, and may update open ones", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const open = () => ada.withKey("POST", "/incidents", bodies["/incidents"]())
      const { body: first } = yield* open()
      const patch = (status: string) => ada.withKey("PATCH", `/incidents/${first.id}`, { status, message: "…" })
      yield* patch("resolved")
      yield* open()
      const { body: third } = yield* open()
      reached(yield* patch("monitoring"), 2, 2, "resolve or delete one")
      const noted = yield* ada.withKey("PATCH", `/incidents/${third.id}`, { status: "identified", message: "Found" })
      assert.strictEqual(noted.status, 200)
      yield* ada.withKey("DELETE", `/incidents/${third.id}`)
      assert.strictEqual((yield* patch("monitoring")).status, 200)
    })
  )
})
