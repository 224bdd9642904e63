/** Time windows in queries: invalid dates are refused, and both ends are inclusive. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layer as server, person, refused, shop } from "./Server.ts"

const answersTo = Effect.gen(function* () {
  const ada = yield* person
  const { body } = yield* ada.withKey("POST", "/monitors", { ...shop })
  const monitor = `/monitors/${body.id}`
  const routes = [
    `${monitor}/daily-uptime`,
    `${monitor}/response-times`,
    `${monitor}/heartbeat-metrics`,
    "/alert-history"
  ]
  return (query: string) => Effect.forEach(routes, (route) => ada.withKey("GET", `${route}?${query}`))
})

layer(server(), { timeout: "3 minutes" })("a window", (it) => {
  it.effect.each([
    ["from=2026-11-20&to=2026-11-20"],
    ["from=1970-01-01&to=1970-01-01"],
    ["from=9999-12-31&to=9999-12-31"],
    ["to=1970-01-01"],
    ["from=2026-11-20T08:30:00Z&to=2026-11-20T08:30:00Z"],
    ["from=2026-11-20T08:30:00.000Z&to=2026-11-20T08:30:00.000Z"],
    ["from=2026-11-20T08:00:00Z&to=2026-11-20T08:00:00Z"],
    ["from=9999-12-31T23:59:59.999Z&to=9999-12-31T23:59:59.999Z"],
    ["from=2026-11-20t08:30z&to=2026-11-21"],
    ["from=2026-11-20T08:30:00%2B02:00&to=2026-11-20T08:30:00-02:00"],
    // In a query a plus sign is a space.
    ["from=2026-11-20T08:30:00+02:00&to=2026-11-20T08:30:00-02:00"]
  ] as const)("is answered: %s", ([query]) =>
    Effect.gen(function* () {
      for (const { body, status } of yield* (yield* answersTo)(query)) {
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepStrictEqual(body, [])
      }
    })
  )

  it.effect.each([
    ["from=0000-01-01&to=0000-01-02", "from"],
    ["from=1969-12-31&to=1970-01-02", "from"],
    ["from=1970-01-01T00:30:00%2B01:00&to=1970-01-02", "from"],
    ["to=1969-12-31T23:59:59.999Z", "to"],
    ["to=9999-12-31T23:59:59.999-01:00", "to"],
    ["from=275760-09-13", "from"],
    ["from=%2B275760-09-13T00:00:00Z", "from"],
    ["from=-000001-01-01T00:00:00Z", "from"],
    ["from=2024-02-30", "from"],
    ["from=2024-02-30T00:00:00Z", "from"],
    ["from=2026-11-20T23:59:60Z", "from"],
    ["from=2026-11-20T08:30:00", "from"],
    ["from=2026-11-20T08:30:00%2B99:99", "from"],
    ["from=2024-1-1", "from"],
    ["from=", "from"],
    ["to=", "to"],
    ["from=1700000000", "from"],
    ["to=2026-13-01", "to"],
    ["from=2026-11-20&to=2026-11-19", "from"],
    ["from=2026-11-20T08:30:00.001Z&to=2026-11-20T08:30:00.000Z", "from"],
    ["from=2024-01-01&to=2025-02-05", "from"]
  ] as const)("is refused: %s", ([query, path]) =>
    Effect.gen(function* () {
      for (const answer of yield* (yield* answersTo)(query)) {
        refused(answer, 400, "malformed_request", path)
        assert.include(answer.body.detail, path)
      }
    })
  )

  it.effect("is refused when an end is given twice", () =>
    Effect.gen(function* () {
      for (const answer of yield* (yield* answersTo)("from=2026-11-20&from=2026-11-21"))
        refused(answer, 400, "malformed_request", "from")
    })
  )
})
