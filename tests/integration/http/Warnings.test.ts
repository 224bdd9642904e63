/** Monitors that may not be checked from here are accepted, and their owner is told. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layer as server, person, shop } from "./Server.ts"

layer(server({ allowPrivateTargets: false }), { timeout: "2 minutes" })("a monitor of a private target", (it) => {
  it.effect("is made and changed with a warning that names the setting, until it is given another target", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/monitors", { ...shop, url: "http://192.168.1.20:8080/" })
      assert.strictEqual(made.status, 201)
      const [warning, ...more] = made.body.warnings
      assert.deepStrictEqual([warning.code, more], ["address_refused", []])
      assert.match(warning.message, /^192\.168\.1\.20 .*KANMON_ALLOW_PRIVATE_TARGETS=true$/)

      const route = `/monitors/${made.body.id}`
      const renamed = yield* ada.withKey("PATCH", route, { name: "NAS" })
      assert.deepStrictEqual([renamed.status, renamed.body.warnings], [200, made.body.warnings])
      assert.notProperty((yield* ada.withKey("GET", route)).body, "warnings")
      assert.notProperty((yield* ada.withKey("GET", "/monitors")).body[0], "warnings")
      const moved = yield* ada.withKey("PATCH", route, { url: "http://8.8.8.8/" })
      assert.strictEqual(moved.status, 200)
      assert.notProperty(moved.body, "warnings")
    })
  )

  it.effect("answers with the same warning when the request is repeated", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const send = ada.withKey("POST", "/monitors", { ...shop, url: "http://10.0.0.1/" }, { "idempotency-key": "once" })
      const first = yield* send
      assert.lengthOf(first.body.warnings, 1)
      assert.deepStrictEqual((yield* send).body, first.body)
    })
  )
})
