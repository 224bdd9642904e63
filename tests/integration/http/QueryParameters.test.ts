/** Query parameters that an operation does not have are refused by name; pages and signals take any. */
import { assert, layer } from "@effect/vitest"
import { Api, basePath } from "@kanmon/protocol/Api"
import { Authorization } from "@kanmon/protocol/Middleware"
import { Effect } from "effect"
import { call, person, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const operations = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).filter((endpoint) =>
    [...endpoint.middlewares].some((middleware) => (middleware as unknown) === Authorization)
  )
)

layer(shared, { timeout: "2 minutes", excludeTestServices: true })("a query parameter", (it) => {
  it.effect("is refused where the operation does not have it, on every route of a caller", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.isAbove(operations.length, 100)
      const headers = { "x-api-key": ada.key, cookie: ada.cookie, origin: "http://kanmon.example" }
      for (const { method, path } of operations) {
        const route = path.slice(basePath.length).replaceAll(/:\w+/g, "some-id")
        const body = method === "GET" || method === "DELETE" ? undefined : {}
        const answer = yield* call(method, `${route}?nonsense=1`, body, headers)
        refused(answer, 400, "malformed_request", "nonsense")
        assert.include(answer.body.detail, "nonsense: Unknown query parameter", `${method} ${route}`)
      }
    })
  )

  it.effect("is named with the one that was probably meant, and those that exist work", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const detail = (route: string) => Effect.map(ada.withKey("GET", route), ({ body }) => body.detail)
      assert.strictEqual(
        yield* detail("/monitors?stauts=down"),
        "stauts: Unknown query parameter; did you mean status?"
      )
      assert.strictEqual(yield* detail("/monitors?tag[]=prod"), "tag[]: Unknown query parameter; did you mean tag?")
      const long = `/incidents?${"x".repeat(5_000)}=1`
      assert.isBelow((yield* detail(long)).length, 200)
      for (const route of ["/monitors?status=down&tag=a&tag=b&limit=10", "/incidents?keyed=true", "/overview"])
        assert.strictEqual((yield* ada.withKey("GET", route)).status, 200, route)
      const organizations = (yield* ada.withSession("GET", "/organizations")).body
      const ofOrganization = `/billing/subscription?organization=${organizations[0].id}`
      assert.notStrictEqual((yield* ada.withSession("GET", ofOrganization)).status, 400)
    })
  )

  it.effect("does not matter on pages, signals and health", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug: "utm" })
      const job = (yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat" })).body
      const signal = job.heartbeatUrl.slice(job.heartbeatUrl.indexOf(basePath) + basePath.length)
      for (const route of ["/public/status-pages/utm?utm_source=mail", `${signal}?color=red`])
        assert.strictEqual((yield* call("GET", route)).status, 200, route)
      assert.strictEqual((yield* call("GET", "/health/live?from=balancer")).status, 200)
    })
  )
})
