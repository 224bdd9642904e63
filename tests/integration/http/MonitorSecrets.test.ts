/** Write-only fields of monitors: masked in answers, encrypted in the database, and never sent to another origin. */
import { assert, layer } from "@effect/vitest"
import { MonitorId } from "@kanmon/domain/Ids"
import { SpecRepository } from "@kanmon/monitoring/specs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layer as server, person, refused, shop } from "./Server.ts"

const secret = "correct horse 1234"
const basic = { ...shop, authentication: "basic", username: "ada", password: secret }

layer(server(), { timeout: "2 minutes" })("the secrets of a monitor", (it) => {
  it.effect("are masked, encrypted, and given to the probes", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/monitors", basic)
      assert.strictEqual(made.status, 201)
      const route = `/monitors/${made.body.id}`
      const answers = [
        made.body,
        (yield* ada.withKey("GET", route)).body,
        (yield* ada.withKey("GET", "/monitors")).body[0]
      ]
      for (const body of answers) assert.deepInclude(body, { username: "ada", password: "••••1234" })
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT row_to_json(m)::text AS text FROM monitors m WHERE id = ${made.body.id}`
      assert.notInclude(String(row!["text"]), "horse")
      const { find } = yield* SpecRepository
      const [spec] = yield* find([MonitorId.make(made.body.id)])
      assert.strictEqual(spec!.spec.config["password"], secret)
    })
  )

  it.effect("stay as they are when they are left out or sent masked", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body } = yield* ada.withKey("POST", "/monitors", basic)
      const change = (change: object) => ada.withKey("PATCH", `/monitors/${body.id}`, change)
      const compare = (change: object) =>
        Effect.map(ada.withKey("POST", `/monitors/${body.id}/compare`, change), (answer) => answer.body.differing)
      const { find } = yield* SpecRepository
      const stored = Effect.map(find([MonitorId.make(body.id)]), ([spec]) => spec!.spec.config["password"])
      assert.strictEqual((yield* change({ name: "Store" })).status, 200)
      assert.strictEqual((yield* change({ url: `${shop.url}path`, password: "••••1234" })).status, 200)
      assert.strictEqual(yield* stored, secret)
      refused(yield* change({ password: "••••9999" }), 422, "validation_failed", "password")
      assert.deepStrictEqual(yield* compare({ password: secret }), [])
      assert.deepStrictEqual(yield* compare({ password: "other horse 1234" }), ["password"])
      assert.strictEqual((yield* change({ password: "other horse 1234" })).status, 200)
      assert.strictEqual(yield* stored, "other horse 1234")
      const none = { authentication: null, username: null, password: null }
      assert.notProperty((yield* change(none)).body, "password")
      assert.isUndefined(yield* stored)
      refused(
        yield* ada.withKey("POST", "/monitors", { ...basic, password: "••••1234" }),
        422,
        "validation_failed",
        "password"
      )
    })
  )

  it.effect("have to be sent again for another origin or address", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body } = yield* ada.withKey("POST", "/monitors", basic)
      const change = (change: object) => ada.withKey("PATCH", `/monitors/${body.id}`, change)
      for (const destination of [
        { url: "https://evil.example/" },
        { url: "http://shop.example/" },
        { dnsOverride: "192.0.2.7" }
      ]) {
        refused(yield* change(destination), 422, "validation_failed", "password")
        refused(yield* change({ ...destination, password: "••••1234" }), 422, "validation_failed", "password")
      }
      assert.strictEqual((yield* change({ url: "https://evil.example/", password: "another" })).status, 200)
      assert.strictEqual((yield* ada.withKey("GET", `/monitors/${body.id}`)).body.password, "••••")
      const plain = yield* ada.withKey("POST", "/monitors", shop)
      const moved = yield* ada.withKey("PATCH", `/monitors/${plain.body.id}`, { url: "https://other.example/" })
      assert.strictEqual(moved.status, 200)
    })
  )
})
