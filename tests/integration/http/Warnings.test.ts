/** Monitors with targets that the network policy refuses are accepted with a warning. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layer as server, person, shop } from "./Server.ts"

layer(server({ allowPrivateTargets: false }), { timeout: "2 minutes" })("a monitor of a private target", (it) => {
  it.effect("is created and changed with a warning that names the setting, until its target changes", () =>
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

  it.effect("is told of another monitor with the same target, and of a timeout close to the interval", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const codes = ({ body }: { readonly body: any }) => (body.warnings ?? []).map((one: { code: string }) => one.code)
      const first = yield* ada.withKey("POST", "/monitors", shop)
      assert.deepStrictEqual(codes(first), [])
      const second = yield* ada.withKey("POST", "/monitors", { ...shop, name: "Again", timeout: 55 })
      assert.deepStrictEqual(codes(second), ["timeout_near_interval", "duplicate_target"])
      assert.include(second.body.warnings[1].message, `Shop (${first.body.id})`)
      const route = `/monitors/${second.body.id}`
      assert.deepStrictEqual(codes(yield* ada.withKey("PATCH", route, { timeout: 5, method: "HEAD" })), [])
    })
  )

  it.effect("repeats the warning if the request is repeated", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const send = ada.withKey("POST", "/monitors", { ...shop, url: "http://10.0.0.1/" }, { "idempotency-key": "once" })
      const first = yield* send
      assert.lengthOf(first.body.warnings, 1)
      assert.deepStrictEqual((yield* send).body, first.body)
    })
  )
})
