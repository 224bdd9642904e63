/** A project at an instant of the past: what the overview and the list say of it later is what they said then. */
import { assert, layer } from "@effect/vitest"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Evaluation } from "@kanmon/monitoring/evaluation"
import type { Observation } from "@kanmon/domain/Observation"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { Overview } from "@kanmon/monitoring/testing/overview/Overview.ts"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { settings } from "../support/ApiSettingsOf.ts"
import { at, environment, minute, noon, observed, stage } from "../support/Stage.ts"

const when = (minutes: number) => at(noon + minutes * minute)

const overview = Overview.layer.pipe(
  Layer.provide(Layer.mock(Regions, { current: Effect.succeed({ labels: ["eu-west"], probes: {}, probeIds: {} }) })),
  Layer.provideMerge(environment),
  Layer.provide(settings({ retentionDays: 30 }))
)

/** A moment of a random history: what happens in a minute, and the delay in seconds with which it is heard of. */
const happening = fc.record({
  status: fc.constantFrom("up" as const, "up" as const, "down" as const, "degraded" as const),
  delay: fc.integer({ min: 0, max: 50 }),
  also: fc.constantFrom("nothing", "nothing", "nothing", "incident", "resolve", "window")
})

layer(overview, { excludeTestServices: true, timeout: "5 minutes" })("a project in the past", (it) => {
  it.effect("is what the overview and the list said of it then, whatever was found out later", () =>
    Effect.gen(function* () {
      const found = yield* Overview
      const incidents = yield* Incidents
      const evaluation = yield* Evaluation
      const histories = fc.sample(fc.array(happening, { minLength: 12, maxLength: 25 }), {
        numRuns: 6,
        seed: 34
      })
      for (const past of histories) {
        const { monitor, project } = yield* stage({ channels: 0 })
        const document = ({ json }: { readonly json: ReadonlyArray<Uint8Array> }) => {
          const { failures, id, name, since, stale, status, total } = JSON.parse(Buffer.concat(json).toString())
          return { failures, id, name, since, stale, status, total }
        }
        const seen: Array<{ readonly at: number; readonly overview: unknown; readonly list: unknown }> = []
        const look = (instant: number) =>
          Effect.gen(function* () {
            // The month and the last outage are told of now alone, as the regions are.
            const { lastOutage: _l, month: _m, offlineRegions: _, ...shown } = yield* found.get(project.id)
            seen.push({ at: instant, overview: shown, list: document(yield* found.summaries(project.id)) })
          }).pipe(at(instant))
        let open: Effect.Success<ReturnType<typeof incidents.create>> | undefined
        for (const [index, { also, delay, status }] of past.entries()) {
          const observation: Observation = observed(monitor, index, status)
          const heard = noon + index * minute + delay * 1000
          // Between the check and its evaluation, the project is known as it was before.
          if (delay > 0) yield* look(heard - 1)
          yield* evaluation.evaluate([observation]).pipe(at(heard))
          yield* look(heard)
          const draft = { title: "Slow", monitorIds: [monitor.id], recurrence: null, timezone: null } as const
          if (also === "incident" && open === undefined)
            open = yield* incidents
              .create(
                project.id,
                { ...draft, status: "investigating", maintenance: false, scheduledStart: null, scheduledEnd: null },
                "We look."
              )
              .pipe(at(heard + 1000))
          else if (also === "resolve" && open !== undefined) {
            yield* incidents
              .update(project.id, open.id, (current) =>
                Effect.succeed({ draft: { ...current, status: "resolved" as const }, message: "Over." })
              )
              .pipe(at(heard + 1000))
            open = undefined
          } else if (also === "window")
            yield* incidents
              .create(
                project.id,
                {
                  ...draft,
                  status: "investigating",
                  maintenance: true,
                  scheduledStart: heard + 61_000,
                  scheduledEnd: heard + 150_000
                },
                "We move."
              )
              .pipe(at(heard + 1000))
          yield* look(heard + 2000)
        }
        assert.isAbove(new Set(seen.map(({ overview }) => JSON.stringify(overview))).size, 2)
        for (const { at: instant, list, overview: shown } of seen) {
          const {
            lastOutage: _l,
            month: _m,
            offlineRegions: _,
            ...later
          } = yield* found.getPast(project.id, instant).pipe(when(100))
          assert.deepStrictEqual(later as unknown, shown, new Date(instant).toISOString())
          const { failures: _later, ...documented } = document(
            yield* found.pastSummaries(project.id, instant).pipe(when(100))
          )
          const { failures: _then, ...known } = list as typeof documented & { readonly failures: unknown }
          assert.deepStrictEqual(documented as unknown, known, new Date(instant).toISOString())
        }
      }
    })
  )

  it.effect("has the uptime, the results and the reason of its day", () =>
    Effect.gen(function* () {
      const found = yield* Overview
      const { monitor, project } = yield* stage({ channels: 0 })
      const evaluation = yield* Evaluation
      for (const [index, status] of (["up", "up", "down", "down", "up"] as const).entries())
        yield* evaluation.evaluate([observed(monitor, index, status)]).pipe(when(index))
      const { json } = yield* found.pastSummaries(project.id, noon + 3.5 * minute).pipe(when(100))
      const document = JSON.parse(Buffer.concat(json).toString())
      assert.deepStrictEqual(document.results, ["uudd"])
      assert.deepStrictEqual(document.status, ["down"])
      assert.deepStrictEqual(document.failures, [{ monitor: 0, message: "too slow" }])
      // Up from noon to 12:02, down until 12:03:30.
      assert.deepStrictEqual(document.uptime24h, [Math.round((2 / 3.5) * 1e6) / 1e4])
    })
  )

  it.effect("is refused with what to do for the future and beyond the retention", () =>
    Effect.gen(function* () {
      const found = yield* Overview
      const { project } = yield* stage({ channels: 0 })
      const refusal = (minutes: number) =>
        Effect.map(
          found.getPast(project.id, noon + minutes * minute).pipe(when(0), Effect.flip),
          ({ message }) => message
        )
      assert.include(yield* refusal(1), "at: Must not be in the future. Leave it out for the present state")
      assert.include(yield* refusal(-30 * 1440 - 1), "kept for 30 days. Use an instant after 2026-10-21T12:00:00.000Z")
      assert.strictEqual((yield* found.getPast(project.id, noon - 30 * 1440 * minute).pipe(when(0))).monitors, 0)
    })
  )
})
