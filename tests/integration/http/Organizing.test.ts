/** Tags, groups, notes and dependencies of monitors. */
import { assert, layer } from "@effect/vitest"
import { SpecRepository } from "@kanmon/monitoring/testing/specs/SpecRepository.ts"
import { Effect } from "effect"
import { layer as alertServer, outage } from "./AlertServer.ts"
import { evaluateBatch, noon, observed } from "../../support/Stage.ts"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { layer as server, person, shop } from "./Server.ts"

const paths = ({ body }: { readonly body: any }): ReadonlyArray<string> =>
  body.errors.map(({ path }: { readonly path: string }) => path)

layer(server(), { timeout: "2 minutes" })("a monitor's notes", (it) => {
  it.effect("are empty by default, and come back as they were sent", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const plain = yield* ada.withKey("POST", "/monitors", shop)
      const empty = { tags: [], group: null, description: null, links: [], dependsOn: [] }
      assert.deepInclude(plain.body, { ...empty, stale: false, lastFailure: null })

      const notes = {
        tags: ["prod", "team:payments"],
        group: "Shop/Payments",
        description: "# 3 a.m.\nRestart it.",
        links: [{ title: "Runbook", url: "https://wiki.example/shop?page=1" }],
        dependsOn: [plain.body.id]
      }
      const made = yield* ada.withKey("POST", "/monitors", {
        ...shop,
        ...notes,
        tags: ["prod", "team:payments", "prod"]
      })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, notes)
      const route = `/monitors/${made.body.id}`
      assert.deepInclude((yield* ada.withKey("GET", route)).body, notes)
      const cleared = yield* ada.withKey("PATCH", route, { tags: null, group: null, description: null, links: null })
      assert.deepInclude(cleared.body, { ...empty, dependsOn: [plain.body.id] })
    })
  )

  it.effect("are refused field by field", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const refused = yield* ada.withKey("POST", "/monitors", {
        ...shop,
        tags: ["Prod"],
        group: "a/b/c/d/e",
        description: "ä".repeat(2049),
        links: [{ title: "Runbook", url: "javascript:alert(1)" }],
        dependsOn: ["shop"]
      })
      assert.strictEqual(refused.status, 422)
      assert.sameMembers([...paths(refused)], ["tags[0]", "group", "description", "links[0].url", "dependsOn[0]"])
      for (const group of ["", " ", "a//b", "/a", "a/", " a", "a /b"])
        assert.deepStrictEqual(paths(yield* ada.withKey("POST", "/monitors", { ...shop, group })), ["group"], group)
      const tags = Array.from({ length: 21 }, (_, index) => `t${index}`)
      assert.deepStrictEqual(paths(yield* ada.withKey("POST", "/monitors", { ...shop, tags })), ["tags"])
    })
  )

  it.effect("name only monitors of the project as dependencies, without a cycle, and lose deleted ones", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const make = (name: string, dependsOn: ReadonlyArray<string> = []) =>
        Effect.map(ada.withKey("POST", "/monitors", { ...shop, name, dependsOn }), ({ body }) => body.id as string)
      const router = yield* make("Router")
      const proxy = yield* make("Proxy", [router])
      const web = yield* make("Web", [proxy])
      const foreign = (yield* ben.withKey("POST", "/monitors", shop)).body.id

      const strange = yield* ada.withKey("PATCH", `/monitors/${web}`, { dependsOn: [proxy, foreign, "mon_gone"] })
      assert.deepStrictEqual([strange.status, paths(strange)], [422, ["dependsOn[1]", "dependsOn[2]"]])
      const own = yield* ada.withKey("PATCH", `/monitors/${web}`, { dependsOn: [web] })
      assert.deepStrictEqual([own.status, paths(own)], [422, ["dependsOn"]])
      const cycle = yield* ada.withKey("PATCH", `/monitors/${router}`, { dependsOn: [web] })
      assert.strictEqual(cycle.status, 422)
      assert.include(cycle.body.errors[0].message, [router, web, proxy, router].join(" depends on "))

      const both = [
        ada.withKey("PATCH", `/monitors/${router}`, { dependsOn: [web] }),
        ada.withKey("PATCH", `/monitors/${web}`, { dependsOn: [router] })
      ]
      yield* ada.withKey("PATCH", `/monitors/${web}`, { dependsOn: [] })
      const statuses = (yield* Effect.all(both, { concurrency: 2 })).map(({ status }) => status)
      assert.sameMembers(statuses, [200, 422])

      yield* ada.withKey("DELETE", `/monitors/${router}`)
      assert.deepStrictEqual((yield* ada.withKey("GET", `/monitors/${proxy}`)).body.dependsOn, [])
    })
  )

  it.effect("leave the spec of the probes alone when nothing else changes", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { id } = (yield* ada.withKey("POST", "/monitors", shop)).body
      const { find } = yield* SpecRepository
      const [before] = yield* find([id])
      const noted = yield* ada.withKey("PATCH", `/monitors/${id}`, { tags: ["prod"], group: "Shop", description: "x" })
      assert.strictEqual(noted.status, 200)
      assert.deepStrictEqual((yield* find([id]))[0], before)
      yield* ada.withKey("PATCH", `/monitors/${id}`, { tags: ["prod", "eu"], timeout: 7 })
      const [after] = yield* find([id])
      assert.isAbove(after!.spec.revision, before!.spec.revision)
    })
  )
})

layer(alertServer(), { excludeTestServices: true, timeout: "2 minutes" })("the newest failure of a monitor", (it) => {
  it.effect("stays while the monitor is paused, resumed and up again, until another one", () =>
    Effect.gen(function* () {
      const { ada, down, monitor, up } = yield* outage()
      const route = `/monitors/${monitor.id}`
      const failure = Effect.map(ada.withKey("GET", route), ({ body }) => body.lastFailure)
      assert.isNull(yield* failure)
      yield* down()
      const first = yield* failure
      assert.deepInclude(first, { region: "eu-west" })
      assert.isString(first.message)
      const paused = yield* ada.withKey("PATCH", route, { paused: true })
      assert.deepStrictEqual(paused.body.lastFailure, first)
      const resumed = yield* ada.withKey("PATCH", route, { paused: false })
      assert.deepInclude(resumed.body, { status: "pending", lastFailure: first })
      const [listed] = (yield* ada.withKey("GET", "/monitors")).body
      assert.deepStrictEqual(listed.lastFailure, first)
      yield* up(1)
      assert.deepStrictEqual(yield* failure, first)
      yield* down(2)
      assert.isAbove(Date.parse((yield* failure).at), Date.parse(first.at))
    })
  )

  it.effect("of its dependencies holds its alerts, and a failure after their recovery opens them", () =>
    Effect.gen(function* () {
      const { ada, monitor: router, rule } = yield* outage({ rule: { consecutiveFailures: 2 } })
      const body = { ...shop, name: "Behind", dependsOn: [router.id] }
      const { body: child } = yield* ada.withKey("POST", "/monitors", body)
      const now = Math.round((Date.now() - noon) / 60_000)
      const find = (id: string, minute: number, status: "up" | "down") =>
        evaluateBatch([observed({ id: id as MonitorId, projectId: ada.projectId as ProjectId }, now + minute, status)])
      const open = Effect.map(ada.withKey("GET", "/alerts?state=open"), (answer) =>
        answer.body.map((alert: { readonly monitorId: string }) => alert.monitorId)
      )
      for (const minute of [0, 1, 2]) {
        yield* find(router.id, minute, "down")
        yield* find(child.id, minute, "down")
      }
      assert.deepStrictEqual(yield* open, [router.id])
      const later = new Date(Date.now() + 3_600_000).toISOString()
      const checks = yield* ada.withKey("GET", `/monitors/${child.id}/checks?status=down&to=${later}`)
      assert.lengthOf(checks.body, 3, "it is checked as often as ever")
      yield* find(router.id, 3, "up")
      yield* find(child.id, 3, "down")
      assert.deepStrictEqual(yield* open, [])
      yield* find(child.id, 4, "down")
      assert.deepStrictEqual(yield* open, [child.id])
      assert.strictEqual(rule.consecutiveFailures, 2)
    })
  )
})

layer(server(), { excludeTestServices: true, timeout: "2 minutes" })("tags", (it) => {
  it.effect("are followed by maintenance windows and status pages", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", { ...shop, tags: ["web"] })
      const route = `/monitors/${monitor.id}`
      const iso = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
      const { body: window } = yield* ada.withKey("POST", "/incidents", {
        title: "Upgrade",
        message: "We upgrade.",
        maintenance: true,
        scheduledStart: iso(-1),
        scheduledEnd: iso(60),
        tags: ["web"]
      })
      assert.deepInclude(window, { monitorIds: [], tags: ["web"] })
      const slug = `tags-${Date.now()}`
      const { body: page } = yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug, tags: ["web"] })
      assert.deepInclude(page, { monitorIds: [], tags: ["web"] })
      const status = Effect.map(ada.withKey("GET", route), ({ body }) => body.status)
      const shown = Effect.map(ada.withKey("GET", `/public/status-pages/${slug}`), ({ body }) => JSON.stringify(body))
      assert.strictEqual(yield* status, "maintenance")
      assert.include(yield* shown, monitor.name)
      yield* ada.withKey("PATCH", route, { tags: [] })
      assert.strictEqual(yield* status, "pending")
      const { body: other } = yield* ada.withKey("POST", "/monitors", { ...shop, name: "Till", tags: ["web", "eu"] })
      assert.strictEqual((yield* ada.withKey("GET", `/monitors/${other.id}`)).body.status, "maintenance")
      assert.deepStrictEqual((yield* ada.withKey("PATCH", `/status-pages/${page.id}`, { tags: ["eu"] })).body.tags, [
        "eu"
      ])
      assert.deepStrictEqual((yield* ada.withKey("PATCH", `/incidents/${window.id}`, { tags: ["eu"] })).body.tags, [
        "eu"
      ])
    })
  )
})
