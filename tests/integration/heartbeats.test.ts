/** Heartbeats on a real PostgreSQL: signals, deadlines and outbox messages. */
import { assert, layer } from "@effect/vitest"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Signal } from "@kanmon/domain/Heartbeat"
import { OrganizationId } from "@kanmon/domain/Ids"
import { HeartbeatInbox } from "@kanmon/monitoring/testing/heartbeats/HeartbeatInbox.ts"
import { Heartbeats } from "@kanmon/monitoring/testing/heartbeats/Heartbeats.ts"
import { type MonitorDraft, Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import * as SignalRoom from "@kanmon/monitoring/testing/heartbeats/SignalRoomRepository.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { unreadableHeartbeats } from "@kanmon/monitoring/heartbeats"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import { at } from "../support/SetClock.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const minute = 60_000

let organizations = 0

const job = (config: Record<string, unknown> = {}, interval = 600) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const projects = yield* Projects
    const organization = OrganizationId.make(`org_beats${++organizations}`)
    const then = new Date(noon)
    yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organization}, 'Acme', ${then}, ${then})`
    const project = yield* projects.create(organization, "Jobs")
    const monitors = yield* Monitors
    const monitor = yield* monitors
      .create(project.id, {
        name: "Backup",
        type: "heartbeat",
        interval,
        timeout: 10,
        regions: [],
        paused: false,
        config: config as never,
        passive: true
      })
      .pipe(at(noon))
    const heartbeats = yield* Heartbeats
    const said = sql<{ status: string; code: string | null; time: number | null }>`
      SELECT payload->>'status' AS status, payload->'failure'->>'code' AS code,
        (payload->>'responseTime')::double precision AS time
      FROM (SELECT sequence, (event->>'payload')::jsonb AS payload FROM outbox WHERE kind = 'event'
        AND event->>'subject' LIKE 'kanmon.checks.%' AND event->>'subject' LIKE ${`%${monitor.id}`}) o ORDER BY sequence`
    return {
      monitor,
      project,
      send: (minutes: number, kind: Signal["kind"], more: Partial<Signal> = {}) =>
        heartbeats
          .receive([
            {
              token: monitor.signalToken!,
              signal: {
                kind,
                at: noon + minutes * minute,
                rid: "",
                exitCode: null,
                message: null,
                metrics: {},
                ...more
              }
            }
          ])
          .pipe(at(noon + minutes * minute)),
      change: (minutes: number, to: Partial<MonitorDraft>) =>
        Effect.andThen(
          // The watch reckons the deadline before anything else happens.
          monitors.update(project.id, monitor.id, (current) => Effect.succeed({ ...current, ...to })),
          heartbeats.reckon
        ).pipe(at(noon + minutes * minute)),
      /** Looks for missed deadlines as the watch does. */
      look: (minutes: number, excuse = false) =>
        heartbeats.reckon.pipe(
          Effect.andThen(heartbeats.overdue(100, excuse ? Number.POSITIVE_INFINITY : 0)),
          at(noon + minutes * minute)
        ),
      observed: Effect.map(said, (rows) => rows.map(({ code, status, time }) => [status, code ?? time].join(" ")))
    }
  })

const environment = HeartbeatInbox.layer.pipe(
  Layer.provideMerge(Heartbeats.layer),
  Layer.provideMerge(Catalogue.layer(bundled)),
  Layer.provideMerge(TestDatabase.store)
)

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("heartbeats", (it) => {
  it.effect("is missed after interval and grace, and again after each further interval", () =>
    Effect.gen(function* () {
      const { look, observed, send } = yield* job({ expectFirstSignal: true })
      yield* look(10.9)
      assert.deepStrictEqual(yield* observed, [])
      yield* look(11.01)
      yield* look(11.02)
      assert.deepStrictEqual(yield* observed, ["down heartbeat_missed"])
      yield* look(22.1)
      assert.deepStrictEqual(yield* observed, ["down heartbeat_missed", "down heartbeat_missed"])
      yield* send(23, "success")
      assert.strictEqual((yield* observed).at(-1), "up ")
      yield* look(33)
      assert.strictEqual((yield* observed).length, 3)
    })
  )

  it.effect("counts a signal shortly before its time for it, and no deadline or pause", () =>
    Effect.gen(function* () {
      const { change, look, observed, send } = yield* job({ schedule: "0 * * * *", grace: 1500 })
      // The job's clock is ahead: 12:59:57 is 13:00. Nothing is due until 14:25.
      yield* send(59.95, "success")
      yield* look(60 + 84.9)
      assert.deepStrictEqual(yield* observed, ["up "])
      yield* look(60 + 85.1)
      assert.deepStrictEqual(yield* observed, ["up ", "down heartbeat_missed"])
      // The deadline of 14:25 says nothing about 15:00, and neither does a pause that ends at 15:40 about 16:00.
      yield* look(180 + 25.1)
      assert.lengthOf(yield* observed, 3)
      yield* change(190, { paused: true })
      yield* change(220, { paused: false })
      yield* look(240 + 24.9)
      assert.lengthOf(yield* observed, 3)
      yield* look(240 + 25.1)
      assert.lengthOf(yield* observed, 4)
    })
  )

  it.effect(
    "is down, once, while its schedule cannot be read any more, and is watched again when that is changed",
    () =>
      Effect.gen(function* () {
        const { change, look, observed, send } = yield* job({ schedule: "0 5 L * *" })
        const unreadable = "down configuration_unreadable"
        yield* look(1)
        yield* look(2)
        assert.deepStrictEqual(yield* observed, [unreadable])
        // The job runs, but nothing would be said if it did not.
        yield* send(3, "success")
        yield* look(4)
        assert.deepStrictEqual(yield* observed, [unreadable, unreadable])
        yield* change(5, { config: { schedule: "0 * * * *", grace: 600 } as never })
        yield* send(6, "success")
        yield* look(69)
        assert.deepStrictEqual(yield* observed, [unreadable, unreadable, "up "])
        yield* look(70.1)
        assert.strictEqual((yield* observed).at(-1), "down heartbeat_missed")
      })
  )

  it.effect("is told of an unreadable schedule even where Kanmon was down when it was due", () =>
    Effect.gen(function* () {
      const { look, monitor, observed } = yield* job({ schedule: "0 5 * * 1#2" })
      const listed = (yield* unreadableHeartbeats).find(({ id }) => id === monitor.id)
      assert.match(listed!.why, /no longer valid: schedule: .*Change them$/)
      yield* look(1, true)
      assert.deepStrictEqual(yield* observed, ["down configuration_unreadable"])
    })
  )

  it.effect("takes a success for a failure when the job did not write what it must", () =>
    Effect.gen(function* () {
      const { observed, send } = yield* job({ bodyContains: "complete", bodyNotContains: "ERROR" })
      yield* send(1, "success", { message: "12 tables\ncomplete" })
      yield* send(2, "success", { message: "12 tables" })
      yield* send(3, "success")
      yield* send(4, "success", { message: "complete", body: '{"message":"complete","ERROR":1}' })
      yield* send(5, "log", { message: "ERROR" })
      assert.deepStrictEqual(yield* observed, ["up ", ...Array(3).fill("down body_mismatch")])
    })
  )

  it.effect("measures runs by their rid, and detects stuck ones", () =>
    Effect.gen(function* () {
      const { look, observed, send } = yield* job({ maxRuntime: 120 })
      yield* send(1, "start", { rid: "a" })
      yield* send(1.5, "start", { rid: "b" })
      yield* send(2, "success", { rid: "a" })
      assert.deepStrictEqual(yield* observed, ["up 60000"])
      yield* look(3.4)
      yield* look(3.6)
      assert.deepStrictEqual(yield* observed, ["up 60000", "down heartbeat_stuck"])
      yield* send(4, "fail", { exitCode: 3, message: "disk full" })
      assert.strictEqual((yield* observed).at(-1), "down heartbeat_failed")
    })
  )

  it.effect("excuses a deadline while Kanmon was down", () =>
    Effect.gen(function* () {
      const { look, observed } = yield* job({ expectFirstSignal: true })
      yield* look(30, true)
      assert.deepStrictEqual(yield* observed, [])
      yield* look(21.9)
      yield* look(22.1)
      assert.deepStrictEqual(yield* observed, ["down heartbeat_missed"])
    })
  )

  it.effect("is not missed before its first signal, after any change of the monitor", () =>
    Effect.gen(function* () {
      const { change, look, observed, send } = yield* job()
      yield* look(1000)
      yield* change(1001, { paused: true })
      yield* change(1002, { paused: false })
      yield* change(1003, { interval: 60 })
      yield* change(1004, { config: { schedule: "* * * * *", timezone: "UTC" } })
      yield* look(3000)
      assert.deepStrictEqual(yield* observed, [])
      yield* send(3000, "log")
      yield* look(4000)
      assert.deepStrictEqual(yield* observed, [])
      yield* send(4000, "success")
      yield* look(4002.1)
      assert.deepStrictEqual(yield* observed, ["up ", "down heartbeat_missed"])
    })
  )

  it.effect("is missed before its first signal if one is expected, counted from the resume", () =>
    Effect.gen(function* () {
      const { change, look, observed } = yield* job()
      yield* look(1000)
      yield* change(1000, { config: { expectFirstSignal: true } })
      yield* look(1010.9)
      assert.deepStrictEqual(yield* observed, [])
      yield* change(1010.9, { paused: true })
      yield* change(1020, { paused: false })
      yield* look(1030.9)
      assert.deepStrictEqual(yield* observed, [])
      yield* look(1031.1)
      assert.deepStrictEqual(yield* observed, ["down heartbeat_missed"])
    })
  )

  it.effect("has no deadline while paused, and a full one afterwards", () =>
    Effect.gen(function* () {
      const { change, look, observed, send } = yield* job()
      yield* send(5, "success")
      yield* change(6, { paused: true })
      yield* look(60)
      yield* send(61, "fail")
      assert.deepStrictEqual(yield* observed, ["up "])
      yield* change(70, { paused: false })
      yield* look(80.9)
      assert.deepStrictEqual(yield* observed, ["up "])
      yield* look(81.1)
      assert.deepStrictEqual(yield* observed, ["up ", "down heartbeat_missed"])
    })
  )

  it.effect("stores metrics, and evaluates them by the monitor's rules", () =>
    Effect.gen(function* () {
      const { monitor, observed, project, send } = yield* job({
        metricRules: [{ metric: "rows", op: ">", value: 0, severity: "down" }]
      })
      const heartbeats = yield* Heartbeats
      yield* send(1, "success", { metrics: { rows: 5 } })
      yield* send(2, "success", { metrics: { rows: 0 } })
      yield* send(3, "log", { message: "still here" })
      assert.deepStrictEqual(yield* observed, ["up ", "down metric_breached"])
      assert.deepStrictEqual(yield* heartbeats.metrics(project.id, monitor.id, noon, noon + 10 * minute), [
        { timestamp: noon + minute, metrics: { rows: 5 } },
        { timestamp: noon + 2 * minute, metrics: { rows: 0 } }
      ])
    })
  )

  it.effect("acknowledges and stores every one of many simultaneous signals", () =>
    Effect.gen(function* () {
      const { monitor, observed } = yield* job()
      const inbox = yield* HeartbeatInbox
      const signal: Signal = { kind: "success", at: noon, rid: "", exitCode: null, message: null, metrics: {} }
      const answers = yield* Effect.forEach(
        Array.from({ length: 300 }),
        (_, index) => inbox.take(index % 10 === 9 ? "nobody-knows-this-token" : monitor.signalToken!, signal),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(Boolean).length, 270)
      // Each has an instant of its own, though all came at the same one.
      assert.strictEqual((yield* observed).length, 270)
    })
  )

  it.effect("keeps the newest signals of a monitor within its storage limit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const flooded = yield* job()
      const quiet = yield* job()
      const message = "x".repeat(9_800)
      for (let index = 0; index < 50; index++) yield* flooded.send(index, "log", { message })
      yield* quiet.send(1, "success", { message, metrics: { rows: 1 } })
      const kept = (id: string) =>
        Effect.map(sql<{ at: Date }>`SELECT at FROM heartbeat_signals WHERE monitor_id = ${id} ORDER BY at`, (rows) =>
          rows.map((row) => (row.at.getTime() - noon) / minute)
        )
      assert.strictEqual(yield* SignalRoom.fit(200_000), 1)
      const left = yield* kept(flooded.monitor.id)
      assert.deepStrictEqual(left, [...Array(50).keys()].slice(-left.length))
      assert.isAtLeast(left.length, 15)
      assert.isAtMost(left.length, 20)
      assert.lengthOf(yield* kept(quiet.monitor.id), 1)
      // What it counts is what there is: nothing is left to be done, and what age took away makes room.
      assert.strictEqual(yield* SignalRoom.fit(200_000), 0)
      yield* sql`DELETE FROM heartbeat_signals WHERE monitor_id = ${flooded.monitor.id} AND at < ${new Date(noon + 45 * minute)}`
      for (let index = 50; index < 60; index++) yield* flooded.send(index, "log", { message })
      const before = yield* kept(flooded.monitor.id)
      yield* SignalRoom.fit(200_000)
      assert.deepStrictEqual(yield* kept(flooded.monitor.id), before)
    })
  )

  it.effect("copies only the end of a long message into the observation", () =>
    Effect.gen(function* () {
      const { monitor, send } = yield* job()
      yield* send(1, "success", { message: `${"x".repeat(9_000)} done` })
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ payload: string }>`SELECT event->>'payload' AS payload FROM outbox
        WHERE kind = 'event' AND event->>'subject' LIKE ${`kanmon.checks.%${monitor.id}`}`
      assert.isBelow(row!.payload.length, 1_500)
      assert.include(row!.payload, "xx done")
      const [signal] = yield* sql<{ length: number }>`SELECT length(message) AS length FROM heartbeat_signals
        WHERE monitor_id = ${monitor.id}`
      assert.strictEqual(signal!.length, 9_005)
    })
  )
})
