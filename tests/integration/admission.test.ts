/** Rejects observations that a stolen probe key or a wrong clock could publish, on a real PostgreSQL. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { message } from "@kanmon/domain/ObservationMessage"
import { phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import type { RegionStatus } from "@kanmon/domain/Status"
import { check, checksStream, partitions, probeBucket } from "@kanmon/domain/Subjects"
import * as EvaluationWorker from "@kanmon/monitoring/testing/evaluation/EvaluationWorker.ts"
import { observationsLeftOut } from "@kanmon/monitoring/testing/evaluation/EvaluationMetrics.ts"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Effect, Layer, Metric, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { at, environment, minute, noon, stage } from "../support/Stage.ts"

const bench = Regions.layer(["eu-west", "us-east"]).pipe(
  Layer.provideMerge(InProcessBus.layer()),
  Layer.provideMerge(environment)
)

type Own = { readonly id: MonitorId; readonly projectId: ProjectId }

/** As the monitor's probe in a region sends it, so many minutes after noon. */
const found = (
  { id, projectId }: Own,
  minutes: number,
  status: RegionStatus,
  more: Partial<Observation> = {}
): Observation => {
  const offset = phase(id, minute)
  const slot = slotOf(noon + minutes * minute, offset, minute)
  const scheduledAt = slotStart(slot, offset, minute)
  return {
    monitorId: id,
    projectId,
    region: "eu-west",
    slot,
    scheduledAt,
    checkedAt: scheduledAt + 10,
    finishedAt: scheduledAt + 200,
    status,
    responseTime: null,
    timing: {},
    failure: status === "up" ? null : { code: "timeout", message: "too slow" },
    facts: {},
    ...more
  }
}

/** Evaluates the messages with an engine whose clock is so many minutes after noon. */
const evaluated = (minutes: number, ...messages: ReadonlyArray<ReturnType<typeof message>>) =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    yield* bus.ensureStream(checksStream)
    yield* bus.publish(messages)
    const consume = yield* EvaluationWorker.make({ maxWait: "1 millis" })
    yield* Effect.forkScoped(Effect.forEach([...Array(partitions).keys()], consume, { concurrency: "unbounded" }))
    const left = Stream.runHead(bus.backlog({ stream: checksStream.name, consumers: EvaluationWorker.consumers }))
    yield* eventually(left, Option.isNone)
  }).pipe(Effect.scoped, at(noon + minutes * minute))

let sent = 0
/** A message on the subject of a probe's region, whatever it says; each has an id of its own. */
const onSubjectOf = (region: string, observation: Observation) => ({
  ...message(observation, minute),
  id: `sent ${sent++}`,
  subject: check({ ...observation, region })
})
const own = (observation: Observation) => onSubjectOf(observation.region, observation)

const statusOf = ({ id, projectId }: Own) =>
  Effect.flatMap(Monitors, (monitors) => Effect.map(monitors.get(projectId, id).pipe(at(noon)), ({ status }) => status))

const stored = ({ id }: Own) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ region: string; at: Date }>`SELECT region, scheduled_at AS at FROM observations
      WHERE monitor_id = ${id} ORDER BY scheduled_at`
    return rows.map(({ at: due, region }) => `${region} ${Math.round((due.getTime() - noon) / minute)}`)
  })

const leftOut = (reason: string) =>
  Effect.map(Metric.value(Metric.withAttributes(observationsLeftOut, { reason })), ({ count }) => Number(count))

layer(bench, { timeout: "60 seconds", excludeTestServices: true })("an engine", (it) => {
  it.effect("reads region, project and monitor only from the subject", () =>
    Effect.gen(function* () {
      const { monitor } = yield* stage({ channels: 0 })
      const other = yield* stage({ channels: 0 })
      yield* evaluated(1, own(found(monitor, 0, "up")), own(found(other.monitor, 0, "up")))
      const before = yield* leftOut("misplaced")
      // With the key of us-east, in whose name it may publish.
      yield* evaluated(
        2,
        onSubjectOf("us-east", found(monitor, 1, "down")),
        {
          ...own(found(monitor, 1, "down")),
          subject: check({ ...found(other.monitor, 1, "down"), region: "us-east" })
        },
        { ...own(found(monitor, 1, "down")), subject: "kanmon.checks.64.eu-west.prj_1.mon_1" }
      )
      assert.strictEqual(yield* statusOf(monitor), "up")
      assert.strictEqual((yield* stored(monitor)).length, 1)
      assert.strictEqual((yield* leftOut("misplaced")) - before, 2)
    })
  )

  it.effect("refuses observations for a monitor of another project or region, or for a heartbeat", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* stage({ channels: 0 })
      const other = yield* stage({ channels: 0 })
      const monitors = yield* Monitors
      const draft = { name: "x", interval: 60, timeout: 30, paused: false, config: {} }
      const local = yield* monitors.create(project.id, { ...draft, type: "tcp", regions: ["eu-west"] }).pipe(at(noon))
      const passive = yield* monitors
        .create(project.id, { ...draft, type: "heartbeat", regions: [], passive: true })
        .pipe(at(noon))
      const before = yield* leftOut("orphaned")
      yield* evaluated(
        2,
        own(found({ ...monitor, projectId: other.project.id }, 1, "down")),
        own(found(local, 1, "down", { region: "us-east" })),
        own(found(passive, 1, "down", { region: "us-east" }))
      )
      assert.strictEqual((yield* leftOut("orphaned")) - before, 3)
      for (const one of [monitor, local, passive]) {
        assert.strictEqual(yield* statusOf(one), "pending")
        assert.deepStrictEqual(yield* stored(one), [])
      }
    })
  )

  it.effect("refuses observations from the future and from long ago", () =>
    Effect.gen(function* () {
      const { monitor } = yield* stage({ channels: 0 })
      yield* evaluated(1, own(found(monitor, 0, "up")))
      const decade = (Date.UTC(2036, 0, 1) - noon) / minute
      const ages = -((noon - Date.UTC(2016, 0, 1)) / minute)
      yield* evaluated(
        2,
        own(found(monitor, decade, "down")),
        own(found(monitor, 8, "down")),
        own(found(monitor, ages, "down"))
      )
      assert.strictEqual(yield* statusOf(monitor), "up")
      yield* evaluated(3, own(found(monitor, 2, "down")))
      assert.strictEqual(yield* statusOf(monitor), "down")
      yield* evaluated(4, own(found(monitor, 3, "up")))
      assert.strictEqual(yield* statusOf(monitor), "up")
      assert.strictEqual((yield* stored(monitor)).length, 3)
    })
  )

  it.effect("repairs a monitor with a state in the future", () =>
    Effect.gen(function* () {
      const { monitor } = yield* stage({ channels: 0 })
      const sql = yield* SqlClient.SqlClient
      yield* evaluated(1, own(found(monitor, 0, "up")))
      const decade = (Date.UTC(2036, 0, 1) - noon) / minute
      // An engine with the same wrong clock accepts it.
      yield* evaluated(decade + 1, own(found(monitor, decade, "down")))
      assert.strictEqual(yield* statusOf(monitor), "down")
      yield* evaluated(3, own(found(monitor, 2, "up")))
      assert.strictEqual(yield* statusOf(monitor), "up")
      yield* evaluated(4, own(found(monitor, 3, "down")))
      assert.strictEqual(yield* statusOf(monitor), "down")
      const line = yield* sql<{ at: Date; status: string }>`SELECT at, status FROM status_changes
        WHERE monitor_id = ${monitor.id} ORDER BY at, sequence`
      assert.strictEqual(line.at(-1)!.status, "down")
      for (const entry of line) assert.isAtMost(entry.at.getTime(), noon + 4 * minute)
      assert.strictEqual((yield* stored(monitor)).length, 3)
    })
  )

  it.effect("lets a new monitor wait for a majority of the regions that have a live probe", () =>
    Effect.gen(function* () {
      const bus = yield* EventBus
      const regions = yield* Regions
      const probes = yield* bus.bucket(probeBucket)
      const places = ["ap-south", "eu-west", "us-east"]
      yield* Effect.forEach(places, (region) => probes.put(`${region}.one`, "{}"))
      yield* eventually(regions.current, (known) => Object.keys(known.probes).length === places.length)
      const { monitor } = yield* stage({ channels: 0 })
      yield* evaluated(-29, own(found(monitor, -30, "down")))
      assert.strictEqual(yield* statusOf(monitor), "pending")
      yield* evaluated(-29, own(found(monitor, -30, "up", { region: "us-east" })))
      assert.strictEqual(yield* statusOf(monitor), "up")
      yield* Effect.forEach(places, (region) => probes.remove(`${region}.one`))
    })
  )

  it.effect("evaluates the other observations if one cannot be read or stored", () =>
    Effect.gen(function* () {
      const { monitor } = yield* stage({ channels: 0 })
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN RAISE data_exception USING MESSAGE = 'not here'; END$$`)
      yield* sql.unsafe(`CREATE TRIGGER refuse BEFORE INSERT ON observations FOR EACH ROW
        WHEN (NEW.failure->>'code' = 'unstorable') EXECUTE FUNCTION refuse()`)
      const unstorable = { failure: { code: "unstorable", message: "" } }
      const sound = found(monitor, 1, "up")
      const payload = (change: (text: string) => string) => {
        const made = own(found(monitor, 1, "down"))
        return { ...made, payload: change(made.payload) }
      }
      yield* evaluated(
        2,
        payload((text) => text.replace("too slow", "x".repeat(1_000_000))),
        payload((text) => text.replace("too slow", "\\u0000")),
        payload((text) => text.replace("too slow", "\\ud83d")),
        payload((text) => text.replace('"facts":{}', `"facts":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)),
        payload(() => "{"),
        // The database alone knows that it does not store these.
        own(found(monitor, 1, "down", unstorable)),
        own({ ...sound, region: "us-east" }),
        own(found(monitor, 0, "down", unstorable)),
        own({ ...sound, region: "ap-south" })
      )
      assert.strictEqual(yield* statusOf(monitor), "up")
      assert.deepStrictEqual((yield* stored(monitor)).map((row) => row.split(" ")[0]).sort(), ["ap-south", "us-east"])
    })
  )
})
