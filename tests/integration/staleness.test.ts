/** Stale monitors, on a real PostgreSQL and the in-process bus. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { message } from "@kanmon/domain/ObservationMessage"
import { checksStream } from "@kanmon/domain/Subjects"
import { consumerOf, consumers } from "@kanmon/monitoring/testing/evaluation/EvaluationWorker.ts"
import * as StalenessWorker from "@kanmon/monitoring/testing/evaluation/StalenessWorker.ts"
import { EvaluationRepository } from "@kanmon/monitoring/testing/evaluation/EvaluationRepository.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect, Fiber, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { at, environment, history, evaluate, minute, noon, observed, stage } from "../support/Stage.ts"

const rule = { triggers: ["monitor_stale"] as const }

/** An engine that looks for stale monitors twice a minute; each call advances it. */
const watching = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bus = yield* EventBus
  yield* bus.ensureStream(checksStream)
  // Other tests have other times.
  yield* sql`DELETE FROM staleness_watch`
  yield* sql`UPDATE monitor_states SET look_at = NULL`
  const look = yield* StalenessWorker.make
  return (from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: Math.round((to - from) * 2) + 1 }, (_, step) => from + step / 2),
      (minutes) => look.pipe(at(noon + minutes * minute)),
      { discard: true }
    )
})

const record = (projectId: ProjectId, id: MonitorId, minutes: number) =>
  Effect.flatMap(Monitors, (monitors) => monitors.get(projectId, id).pipe(at(noon + minutes * minute)))

/** Kinds of the events that wait in the outbox, of one monitor. */
const events = (id: MonitorId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ type: string }>`SELECT event->'headers'->>'ce-type' AS type FROM outbox
      WHERE event->'headers'->>'ce-subject' = ${id} ORDER BY sequence`
    return rows.map(({ type }) => type.replace("kanmon.monitor.", ""))
  })

/** The status history, in minutes. */
const line = (id: MonitorId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ at: Date; status: string }>`SELECT at, status FROM status_changes
      WHERE monitor_id = ${id} ORDER BY at, sequence`
    return rows.slice(1).map((row) => `${row.status} ${(row.at.getTime() - noon) / minute}`)
  })

layer(InProcessBus.layer().pipe(Layer.provideMerge(environment)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("a monitor without results", (it) => {
  it.effect("is stale after three intervals and its timeout, until its first result", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const { monitor, project } = yield* stage({ channels: 1, rule })
      const repository = yield* EvaluationRepository
      yield* evaluate(monitor, 0, "up")
      yield* watch(0, 3)
      assert.isFalse((yield* record(project.id, monitor.id, 3)).stale)
      yield* watch(3.5, 5)
      const stale = yield* record(project.id, monitor.id, 5)
      assert.deepInclude(stale, { stale: true, status: "up" })
      assert.strictEqual(yield* repository.countStale, 1)
      assert.deepStrictEqual(yield* line(monitor.id), ["up 0", "unknown 2"])
      const [alert] = yield* history(project.id)
      assert.deepInclude(alert!, { type: "monitor_stale", resolvedAt: null })

      yield* watch(5.5, 8)
      yield* evaluate(monitor, 9, "down")
      assert.deepInclude(yield* record(project.id, monitor.id, 9), { stale: false, status: "down" })
      assert.strictEqual(yield* repository.countStale, 0)
      assert.deepStrictEqual(yield* line(monitor.id), ["up 0", "unknown 2", "down 9"])
      const entries = yield* history(project.id)
      assert.strictEqual(entries.length, 1)
      assert.strictEqual(entries[0]!.resolvedAt, noon + 9 * minute)
      assert.deepStrictEqual(
        (yield* events(monitor.id)).filter((name) => name === "stale" || name === "fresh"),
        ["stale", "fresh"]
      )
      yield* watch(8.5, 14)
      assert.isTrue((yield* record(project.id, monitor.id, 14)).stale, "and again")
    })
  )

  it.effect("is stale if it never had one, or only unknown ones", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const { monitor, project } = yield* stage({ channels: 1, rule })
      const blind = yield* stage({ channels: 1, rule })
      yield* evaluate(blind.monitor, 0, "up", "unknown", "unknown", "unknown", "unknown")
      yield* watch(0, 5)
      assert.deepInclude(yield* record(project.id, monitor.id, 5), { stale: true, status: "pending" })
      assert.deepInclude(yield* record(blind.project.id, blind.monitor.id, 5), { stale: true, status: "up" })
      assert.deepStrictEqual(
        (yield* history(project.id)).map(({ type }) => type),
        ["monitor_stale"]
      )
    })
  )

  it.effect("is not stale while its observations wait for evaluation", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const bus = yield* EventBus
      const { monitor, project } = yield* stage({ channels: 1, rule })
      yield* evaluate(monitor, 0, "up")
      yield* watch(0, 2)
      yield* bus.publish([message(observed(monitor, 1, "up"), minute)])
      yield* watch(2.5, 8)
      assert.isFalse((yield* record(project.id, monitor.id, 8)).stale)
      // An engine takes them, and finds this one of no use.
      const taking = yield* Effect.forkChild(
        Effect.forEach(
          [...Array(64).keys()],
          (partition) =>
            bus.consume(
              { ...consumerOf(partition), stream: checksStream.name, batch: 10, maxWait: 0 },
              () => Effect.void
            ),
          { concurrency: "unbounded" }
        )
      )
      const left = Stream.runHead(bus.backlog({ stream: checksStream.name, consumers }))
      yield* eventually(left, Option.isNone)
      yield* Fiber.interrupt(taking)
      yield* watch(8.5, 10)
      assert.isTrue((yield* record(project.id, monitor.id, 10)).stale)
    })
  )

  it.effect("is not stale for the time in which Kanmon was down", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const { monitor, project } = yield* stage({ channels: 1, rule })
      yield* evaluate(monitor, 0, "up")
      yield* watch(0, 2)
      yield* watch(60, 63)
      assert.isFalse((yield* record(project.id, monitor.id, 63)).stale)
      yield* watch(63.5, 65)
      assert.isTrue((yield* record(project.id, monitor.id, 65)).stale)
    })
  )

  it.effect("is not stale if it is paused, just resumed, or a heartbeat", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const paused = yield* stage({ channels: 1, rule })
      const resumed = yield* stage({ channels: 1, rule })
      const monitors = yield* Monitors
      const passive = yield* monitors
        .create(paused.project.id, {
          name: "Backup",
          type: "heartbeat",
          interval: 60,
          timeout: 30,
          regions: [],
          paused: false,
          passive: true,
          config: {}
        })
        .pipe(at(noon))
      const pause = (one: typeof paused, to: boolean, minutes: number) =>
        monitors
          .update(one.project.id, one.monitor.id, (current) => Effect.succeed({ ...current, paused: to }))
          .pipe(at(noon + minutes * minute))
      yield* evaluate(paused.monitor, 0, "up")
      yield* pause(paused, true, 1)
      yield* evaluate(resumed.monitor, 0, "up")
      yield* pause(resumed, true, 1)
      yield* watch(0, 30)
      yield* pause(resumed, false, 30)
      yield* watch(30.5, 33)
      for (const { id, projectId } of [paused.monitor, resumed.monitor, passive])
        assert.isFalse((yield* record(projectId, id, 33)).stale)
      yield* watch(33.5, 35)
      assert.isTrue((yield* record(resumed.project.id, resumed.monitor.id, 35)).stale)
      yield* pause(resumed, true, 36)
      assert.isFalse((yield* record(resumed.project.id, resumed.monitor.id, 36)).stale)
      const [alert] = yield* history(resumed.project.id)
      assert.strictEqual(alert!.resolvedAt, noon + 36 * minute)
    })
  )

  it.effect("is repaired, and stale in time, if its state was in the future", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const { monitor, project } = yield* stage({ channels: 1, rule })
      yield* evaluate(monitor, 0, "up")
      // An engine whose clock stood there believed it.
      yield* evaluate(monitor, 5_000_000, "down")
      yield* watch(0, 1)
      assert.deepInclude(yield* record(project.id, monitor.id, 1), { stale: false, status: "down" })
      assert.deepStrictEqual(yield* line(monitor.id), ["up 0", "down 0"])
      yield* watch(1.5, 5)
      assert.isTrue((yield* record(project.id, monitor.id, 5)).stale)
    })
  )

  it.effect("is found by an index among thousands, which are marked in parts", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const { monitor, project } = yield* stage({ channels: 0, rule })
      const sql = yield* SqlClient.SqlClient
      yield* evaluate(monitor, 0, "up")
      yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused,
          config, created_at, updated_at)
        SELECT m.id || n, m.project_id, m.name, m.type, m.interval_seconds, m.timeout_seconds, m.regions, m.paused,
          m.config, m.created_at, m.updated_at
        FROM monitors m, generate_series(1, 1100) AS n WHERE m.id = ${monitor.id}`
      yield* sql`INSERT INTO monitor_states (monitor_id, status, state, look_at)
        SELECT s.monitor_id || n, s.status, s.state, s.look_at
        FROM monitor_states s, generate_series(1, 1100) AS n WHERE s.monitor_id = ${monitor.id}`
      yield* watch(0, 5)
      const [count] = yield* sql<{ n: number }>`SELECT count(*)::integer AS n FROM monitors m
        JOIN monitor_states s ON s.monitor_id = m.id WHERE m.project_id = ${project.id} AND s.stale`
      assert.strictEqual(count!.n, 1101)
      const plan = yield* sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL enable_seqscan = off`,
          sql<{ "QUERY PLAN": string }>`EXPLAIN SELECT monitor_id FROM monitor_states
            WHERE look_at <= ${new Date(noon)} ORDER BY look_at LIMIT 500`
        )
      )
      assert.include(plan.map((row) => row["QUERY PLAN"]).join(), "monitor_states_look")
    })
  )
})
