/** Every span on the way of a request about a monitor says which monitor and project it is about. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import { layer as server, person, shop } from "./Server.ts"

const recorded = RecordedSpans.make()
const traced = server().pipe(Layer.provide(Layer.succeed(Tracer.Tracer, recorded.tracer)))

/** What the spans within the newest span of this name are about. */
const about = (name: string) => {
  const root = recorded.named(name).at(-1)
  assert.isDefined(root, name)
  const spans = recorded.within(root!)
  assert.isAbove(spans.length, 1, name)
  return spans.map((span) => ({ name: span.name, about: RecordedSpans.subjectOf(span).slice(0, 2) }))
}

layer(traced, { timeout: "3 minutes", excludeTestServices: true })("the spans of a request", (it) => {
  it.effect("are about the monitor that it creates, reads, changes and deletes, and about its project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body, status } = yield* ada.withKey("POST", "/monitors", { ...shop })
      assert.strictEqual(status, 201)
      const subject = [body.id, body.projectId]
      const found = [...about("MonitorCreation.create")]
      assert.include(
        found.map(({ name }) => name),
        "AuditLog.record"
      )
      yield* ada.withKey("GET", `/monitors/${body.id}`)
      found.push(...about("Monitors.get"))
      yield* ada.withKey("PATCH", `/monitors/${body.id}`, { interval: 300 })
      found.push(...about("Monitors.update"))
      yield* ada.withKey("GET", `/monitors/${body.id}/stats`)
      found.push(...about("History.stats"))
      yield* ada.withKey("DELETE", `/monitors/${body.id}`)
      found.push(...about("Monitors.remove"))
      for (const { about: actual, name } of found) assert.deepStrictEqual(actual, subject, name)
      const requests = recorded.spans.filter(
        (span) => span.kind === "server" && span.attributes.get("kanmon.monitor.id") === body.id
      )
      assert.isAtLeast(requests.length, 4, "those that name the monitor in their path say so, too")
    })
  )

  it.effect("repeat no text of a request that is not the id of a monitor", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { status } = yield* ada.withKey("GET", "/monitors/secret")
      assert.strictEqual(status, 404)
      for (const { attributes } of recorded.spans) assert.notStrictEqual(attributes.get("kanmon.monitor.id"), "secret")
    })
  )
})
