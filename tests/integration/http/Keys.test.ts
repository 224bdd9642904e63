/** User-defined keys over HTTP, by which configuration files find their records. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const token = "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678"
const telegram = { name: "Ops", type: "telegram", config: { botToken: token, chatId: "-100" } }

let slugs = 0
const kinds: ReadonlyArray<readonly [route: string, body: () => Readonly<Record<string, unknown>>]> = [
  ["/monitors", () => shop],
  ["/notification-channels", () => telegram],
  ["/alert-rules", () => ({ name: "Down" })],
  ["/status-pages", () => ({ name: "Acme", slug: `keyed-${++slugs}` })]
]

layer(shared, { excludeTestServices: true })("keys", (it) => {
  for (const [route, body] of kinds) {
    it.effect(`sets, keeps, finds and removes keys of ${route}, unique in the project`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        const bob = yield* person
        const byHand = yield* ada.withKey("POST", route, body())
        assert.strictEqual(byHand.status, 201, JSON.stringify(byHand.body))
        assert.isNull(byHand.body.key)
        const made = yield* ada.withKey("POST", route, { ...body(), key: "shop-home_1" })
        assert.strictEqual(made.body.key, "shop-home_1")
        assert.strictEqual((yield* bob.withKey("POST", route, { ...body(), key: "shop-home_1" })).status, 201)
        refused(yield* ada.withKey("POST", route, { ...body(), key: "shop-home_1" }), 409, "conflict", "key")
        refused(yield* ada.withKey("POST", route, { ...body(), key: "Shop home" }), 422, "validation_failed", "key")

        const one = `${route}/${made.body.id}`
        assert.strictEqual((yield* ada.withKey("PATCH", one, { name: "Other" })).body.key, "shop-home_1")
        const found = yield* ada.withKey("GET", `${route}?key=shop-home_1`)
        assert.deepStrictEqual(
          found.body.map(({ id }: { readonly id: string }) => id),
          [made.body.id]
        )
        assert.deepStrictEqual((yield* ada.withKey("GET", `${route}?key=elsewhere`)).body, [])

        const other = `${route}/${byHand.body.id}`
        refused(yield* ada.withKey("PATCH", other, { key: "shop-home_1" }), 409, "conflict", "key")
        assert.isNull((yield* ada.withKey("PATCH", one, { key: null })).body.key)
        assert.strictEqual((yield* ada.withKey("PATCH", other, { key: "shop-home_1" })).body.key, "shop-home_1")
      })
    )
  }

  it.effect("refuses a taken key without failing the monitors that are created at the same time", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const parent = yield* ada.withKey("POST", "/monitors", shop)
      const bodies = Array.from({ length: 24 }, (_, index) => ({
        ...(index % 6 === 5 ? { name: "Job", type: "heartbeat" } : shop),
        name: `Monitor ${index}`,
        paused: index % 4 === 3,
        // Every third has the same key, of which one may get it; and nobody knows what the fifth depends on.
        ...(index % 3 === 0 ? { key: "same" } : {}),
        ...(index % 3 === 1 ? { dependsOn: [index === 4 ? "mon_00000000000000000000000000" : parent.body.id] } : {}),
        ...(index % 3 === 2 ? { tags: ["prod"] } : {})
      }))
      const answers = yield* Effect.forEach(bodies, (body) => ada.withKey("POST", "/monitors", body), {
        concurrency: "unbounded"
      })
      const conflicts = answers.filter((answer) => answer.status === 409)
      assert.lengthOf(conflicts, 7)
      for (const answer of conflicts) refused(answer, 409, "conflict", "key")
      refused(answers[4]!, 422, "validation_failed", "dependsOn[0]")
      const made = answers.filter((answer) => answer.status === 201)
      assert.lengthOf(made, 16)
      for (const { body } of made) {
        const { body: shown } = yield* ada.withKey("GET", `/monitors/${body.id}`)
        for (const field of ["name", "type", "key", "paused", "status", "dependsOn", "tags", "url", "createdAt"])
          assert.deepStrictEqual(shown[field], body[field], field)
      }
      const { body: entries } = yield* ada.withKey("GET", "/audit-log?action=monitor.created")
      assert.sameMembers(
        entries.map(({ target }: { readonly target: { readonly id: string } }) => target.id),
        [parent, ...made].map(({ body }) => body.id)
      )
    })
  )

  it.effect("compares a channel with a change, including secrets, without revealing them", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", telegram)
      const route = `/notification-channels/${made.body.id}`
      const compared = (change: unknown) => ada.withKey("POST", `${route}/compare`, change)
      assert.deepStrictEqual((yield* compared(telegram)).body, { differing: [] })
      const other = { ...telegram, name: "Ops 2", config: { botToken: token.replace("A", "B"), chatId: "-100" } }
      assert.deepStrictEqual((yield* compared(other)).body, { differing: ["config.botToken", "name"] })
      assert.deepStrictEqual((yield* compared({ config: made.body.config })).body, { differing: [] })
      refused(yield* compared({ config: { chatId: "" } }), 422, "validation_failed", "config.chatId")
      refused(yield* (yield* person).withKey("POST", `${route}/compare`, telegram), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", route)).body, made.body)
    })
  )
})
