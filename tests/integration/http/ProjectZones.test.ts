/** The time zone of a project, in which its messages show times. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { person, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

layer(shared, live)("the time zone of a project", (it) => {
  it.effect("is UTC until another one is chosen, by its name or an alias", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/projects/${ada.projectId}`
      assert.strictEqual((yield* ada.withKey("GET", path)).body.timezone, "UTC")
      for (const timezone of ["Europe/Berlin", "US/Eastern", "Asia/Kolkata"]) {
        const changed = yield* ada.withKey("PATCH", path, { timezone })
        assert.deepStrictEqual([changed.status, changed.body.timezone], [200, timezone])
        assert.strictEqual((yield* ada.withKey("GET", path)).body.timezone, timezone)
      }
      const { name } = (yield* ada.withKey("GET", path)).body
      assert.notStrictEqual(name, undefined)
      const renamed = yield* ada.withKey("PATCH", path, { name: "Shop" })
      assert.deepInclude(renamed.body, { name: "Shop", timezone: "Asia/Kolkata" })
    })
  )

  it.effect("can be chosen when a project is created", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", "/projects", { name: "Shop", timezone: "America/Santiago" })
      assert.deepStrictEqual([made.status, made.body.timezone], [201, "America/Santiago"])
      const listed = (yield* ada.withSession("GET", "/projects")).body
      assert.deepInclude(listed[0], { id: made.body.id, timezone: "America/Santiago" })
    })
  )

  it.effect("is refused with its path when there is no such zone", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const path = `/projects/${ada.projectId}`
      for (const timezone of ["Berlin", "+02:00", "", null, 2, "a/".repeat(400_000)])
        refused(yield* ada.withKey("PATCH", path, { timezone }), 422, "validation_failed", "timezone")
      refused(yield* ada.withKey("PATCH", path, {}), 422, "validation_failed")
      refused(yield* ada.withKey("PATCH", path, { zone: "UTC" }), 422, "validation_failed", "zone")
      refused(yield* ada.withSession("POST", "/projects", { name: "Shop", timezone: "x" }), 422, "validation_failed")
    })
  )

  it.effect("is recorded when it changes", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ada.withKey("PATCH", `/projects/${ada.projectId}`, { timezone: "Europe/Berlin" })
      const [entry] = (yield* ada.withKey("GET", "/audit-log")).body
      assert.deepInclude(entry, {
        action: "project.updated",
        before: { timezone: "UTC" },
        after: { timezone: "Europe/Berlin" }
      })
    })
  )
})
