/** What one request may cost, however many monitors it has: what users write is examined beside the process that answers. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { layer as server, person, refused, shop } from "./Server.ts"

/** Each takes some ten milliseconds to compile. No two are alike. */
const pattern = (index: number) => `(?i)${"[\\pL]".repeat(38)}${index}`

const rules = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    jsonPath: "$.a",
    operator: "matches",
    value: pattern(from + index)
  }))

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...shop,
    name: `M${index}`,
    jsonAssertions: rules(20 * index, 20)
  }))

layer(server(), { timeout: "4 minutes" })("the expressions of a request", (it) => {
  it.effect("have one budget together, and do not delay other requests", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const ended: Array<string> = []
      const ending = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
        Effect.tap(effect, () => Effect.sync(() => ended.push(name)))
      const batch = yield* Effect.forkChild(
        ending("batch", withKey("POST", "/monitors/batch", { monitors: many(100) })),
        { startImmediately: true }
      )
      yield* ending("list", withKey("GET", "/monitors"))
      const answer = yield* Fiber.join(batch)
      refused(answer, 422, "validation_failed", "")
      assert.match(JSON.stringify(answer.body), /take too long to examine together: send fewer monitors/)
      assert.deepStrictEqual(ended, ["list", "batch"])
      assert.isEmpty((yield* withKey("GET", "/monitors")).body)
    })
  )

  it.effect("are examined once where they are alike, and name their monitor when they are wrong", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const alike = Array.from({ length: 100 }, (_, index) => ({ ...shop, name: `M${index}`, bodyMatches: pattern(1) }))
      const created = yield* withKey("POST", "/monitors/batch", { monitors: alike })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      const ids = (created.body as ReadonlyArray<{ id: string }>).map(({ id }) => id)
      const wrong = yield* withKey("POST", "/monitors/batch", {
        monitors: [shop, { ...shop, bodyMatches: "(" }, { ...shop, jsonPath: "$[" }]
      })
      refused(wrong, 422, "validation_failed", "monitors[1].bodyMatches", "monitors[2].jsonPath")
      const set = yield* withKey("PATCH", "/monitors", { ids: ids.slice(0, 2), set: { bodyMatches: "(?=x)" } })
      refused(set, 422, "validation_failed", "ids[0]")
      const changed = yield* withKey("PATCH", "/monitors", { ids, set: { bodyMatches: pattern(2) } })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      const one = yield* withKey("PATCH", `/monitors/${ids[0]}`, { jsonPath: "$[", timeout: "soon" })
      refused(one, 422, "validation_failed", "jsonPath", "timeout")
      refused(yield* withKey("PATCH", `/monitors/${ids[0]}`, { jsonPath: "$[" }), 422, "validation_failed", "jsonPath")
      const tooOften = yield* withKey("POST", "/monitors", { ...shop, interval: 1, bodyMatches: "(" })
      refused(tooOften, 422, "validation_failed", "bodyMatches", "interval")
      const trial = yield* withKey("POST", "/monitors/test", { ...shop, bodyMatches: "(" })
      refused(trial, 422, "validation_failed", "bodyMatches")
    })
  )

  it.effect("have one budget in a change of many monitors, too", () =>
    Effect.gen(function* () {
      const { withKey } = yield* person
      const monitors = Array.from({ length: 50 }, (_, index) => ({
        ...shop,
        name: `M${index}`,
        bodyMatches: `${index}`
      }))
      const ids = ((yield* withKey("POST", "/monitors/batch", { monitors })).body as ReadonlyArray<{ id: string }>).map(
        ({ id }) => id
      )
      // With the pattern that each has, the rules make 50 different sets of 39 patterns.
      const set = {
        jsonAssertions: rules(0, 20),
        headerAssertions: rules(20, 20).map(({ jsonPath: _, ...rule }) => ({ ...rule, header: "x" }))
      }
      const answer = yield* withKey("PATCH", "/monitors", { ids, set })
      refused(answer, 422, "validation_failed", "")
      assert.match(JSON.stringify(answer.body), /send fewer monitors/)
    })
  )
})
