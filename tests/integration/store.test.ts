/** Evaluation and storage of observations on a real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import { AuthRecords } from "@kanmon/identity/accounts"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { type MonitorId, UserId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { History } from "@kanmon/monitoring/testing/evaluation/History.ts"
import { IdempotencyKeys } from "@kanmon/platform/http/IdempotencyKeys"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { SpecRepository } from "@kanmon/monitoring/testing/specs/SpecRepository.ts"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Retention } from "@kanmon/monitoring/testing/retention/Retention.ts"
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at } from "../support/SetClock.ts"
import { environment, evaluateBatch } from "../support/Stage.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const draft = {
  name: "Shop",
  type: "http",
  interval: 60,
  timeout: 30,
  regions: [],
  paused: false,
  config: { url: "https://shop.example/" }
}
let people = 0

const person = Effect.gen(function* () {
  const records = yield* AuthRecords
  const id = UserId.make(`usr_${++people}`)
  const at = new Date(noon)
  yield* records.create("user", {
    id,
    name: "Ada",
    email: `${id}@example.org`,
    emailVerified: false,
    createdAt: at,
    updatedAt: at
  })
  const projects = yield* Projects
  const [project] = yield* projects.ofMember(id)
  return { id, project: project! }
})

const watched = Effect.gen(function* () {
  const { project } = yield* person
  const monitors = yield* Monitors
  return { project, monitor: yield* monitors.create(project.id, draft).pipe(at(noon - 60_000)) }
})

const observed = (
  monitor: { readonly id: MonitorId; readonly projectId: Observation["projectId"] },
  at: number,
  status: RegionStatus
): Observation => ({
  monitorId: monitor.id,
  projectId: monitor.projectId,
  region: "eu-west",
  slot: at / 60_000,
  scheduledAt: at,
  checkedAt: at + 5,
  status,
  responseTime: status === "up" ? 20 : null,
  timing: { connect: 1 },
  failure: status === "up" ? null : { code: "timeout", message: "too slow" },
  facts: { statusCode: 200 }
})

layer(environment, { timeout: "60 seconds", excludeTestServices: true })("repositories", (it) => {
  it.effect("creates the first project of a new account, with a key", () =>
    Effect.gen(function* () {
      const { project } = yield* person
      assert.strictEqual(project.name, "Default")
      assert.match(project.apiKey, /^km_[0-9A-Za-z]{43}$/)
      const keys = yield* ProjectKeys
      assert.deepStrictEqual(yield* keys.projectOf(project.apiKey), Option.some(project.id))
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ text: string }>`SELECT projects::text AS text FROM projects WHERE id = ${project.id}`
      assert.notInclude(row!.text, project.apiKey)
    })
  )

  it.effect("replaces a key at once", () =>
    Effect.gen(function* () {
      const { project } = yield* person
      const projects = yield* Projects
      const keys = yield* ProjectKeys
      const renewed = yield* projects.rotateKey(project.id)
      assert.notStrictEqual(renewed.apiKey, project.apiKey)
      assert.deepStrictEqual(yield* keys.projectOf(project.apiKey), Option.none())
      assert.deepStrictEqual(yield* keys.projectOf(renewed.apiKey), Option.some(project.id))
    })
  )

  it.effect("identifies the account in a spec by the same opaque key for all its projects", () =>
    Effect.gen(function* () {
      const monitors = yield* Monitors
      const projects = yield* Projects
      const [ada, ben] = [yield* person, yield* person]
      const second = yield* projects.create(ada.project.organizationId, "Second")
      const made = yield* Effect.forEach([ada.project, second, ben.project], ({ id }) => monitors.create(id, draft))
      const ids = made.map(({ id }) => id)
      const specs = new Map((yield* monitors.specs(ids)).map(({ spec }) => [spec.id, spec]))
      const [one, other, bens] = ids.map((id) => specs.get(id)!.account)
      assert.isString(one)
      assert.strictEqual(other, one)
      assert.notStrictEqual(bens, one)
      for (const spec of specs.values()) for (const { id } of [ada, ben]) assert.notInclude(JSON.stringify(spec), id)
      const all = yield* (yield* SpecRepository).page(undefined, 1000)
      for (const { spec } of all.filter(({ spec: { id } }) => specs.has(id)))
        assert.deepStrictEqual(spec, specs.get(spec.id))
    })
  )

  it.effect("keeps another project's monitors out of sight", () =>
    Effect.gen(function* () {
      const { monitor } = yield* watched
      const { project: other } = yield* person
      const monitors = yield* Monitors
      assert.strictEqual((yield* Effect.flip(monitors.get(other.id, monitor.id)))._tag, "MonitorNotFound")
      assert.strictEqual((yield* Effect.flip(monitors.remove(other.id, monitor.id)))._tag, "MonitorNotFound")
      assert.deepStrictEqual((yield* monitors.list(other.id, { limit: 10, cursor: undefined })).items, [])
    })
  )

  it.effect("pages through a long list, newest first", () =>
    Effect.gen(function* () {
      const { project } = yield* person
      const monitors = yield* Monitors
      const made = yield* Effect.forEach(Array.from({ length: 25 }), (_, index) =>
        monitors.create(project.id, { ...draft, name: `M${index}` })
      )
      const seen: Array<string> = []
      let cursor: string | undefined
      do {
        const page = yield* monitors.list(project.id, { limit: 10, cursor })
        seen.push(...page.items.map(({ name }) => name))
        cursor = page.next
      } while (cursor !== undefined)
      assert.deepStrictEqual(seen, made.map(({ name }) => name).reverse())
    })
  )

  it.effect("applies both of two concurrent changes", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* watched
      const monitors = yield* Monitors
      yield* Effect.all(
        Array.from({ length: 10 }, (_, index) =>
          monitors.update(project.id, monitor.id, (current) =>
            Effect.succeed({ ...current, config: { ...current.config, [`k${index}`]: index } })
          )
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(Object.keys((yield* monitors.get(project.id, monitor.id)).config).length, 11)
    })
  )

  it.effect("evaluates an observation once, however often and wherever it arrives", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* watched
      const batch = [
        observed(monitor, noon, "up"),
        observed(monitor, noon, "up"),
        observed(monitor, noon + 60_000, "down")
      ]
      assert.deepInclude(yield* evaluateBatch(batch), { fresh: 2, repeated: 1, orphaned: 0 })
      const again = yield* Effect.all([evaluateBatch(batch), evaluateBatch(batch.toReversed())], {
        concurrency: 2
      })
      for (const outcome of again) assert.strictEqual(outcome.fresh, 0)
      const sql = yield* SqlClient.SqlClient
      const changes = yield* sql<{
        status: string
      }>`SELECT status FROM status_changes WHERE monitor_id = ${monitor.id} ORDER BY at, sequence`
      assert.deepStrictEqual(
        changes.map(({ status }) => status),
        ["pending", "up", "down"]
      )
      const monitors = yield* Monitors
      assert.strictEqual((yield* monitors.get(project.id, monitor.id)).status, "down")
    })
  )

  it.effect("evaluates many concurrent batches without loss or deadlock", () =>
    Effect.gen(function* () {
      const { project } = yield* person
      const monitors = yield* Monitors
      const made = yield* Effect.forEach(Array.from({ length: 20 }), () => monitors.create(project.id, draft))
      const batches = Array.from({ length: 20 }, (_, slot) =>
        made.map((monitor) => observed(monitor, noon + slot * 60_000, "up"))
      )
      const outcomes = yield* Effect.forEach(
        batches,
        (batch, index) => evaluateBatch(index % 2 === 0 ? batch : batch.toReversed()),
        { concurrency: 8 }
      )
      assert.strictEqual(
        outcomes.reduce((sum, { fresh }) => sum + fresh, 0),
        400
      )
    })
  )

  it.effect("skips observations of deleted monitors, and leaves nothing of a deleted project", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* watched
      const projects = yield* Projects
      yield* evaluateBatch([observed(monitor, noon, "up")])
      yield* projects.remove(project.id)
      assert.deepInclude(yield* evaluateBatch([observed(monitor, noon + 60_000, "up")]), {
        fresh: 0,
        orphaned: 1
      })
      const sql = yield* SqlClient.SqlClient
      const columns = yield* sql<{ table: string; column: string }>`SELECT table_name AS table, column_name AS column
        FROM information_schema.columns WHERE table_schema = 'public' AND column_name IN ('project_id', 'monitor_id') AND table_name NOT IN ('outbox', 'audit_log')`
      assert.isAtLeast(columns.length, 6)
      for (const { column, table } of columns) {
        const rows =
          yield* sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${column === "project_id" ? project.id : monitor.id}`
        assert.strictEqual(rows.length, 0, table)
      }
    })
  )

  it.effect("writes specs and events of a change to the outbox", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxQueue
      yield* outbox.confirm((yield* outbox.peek(10_000)).map(({ sequence }) => sequence))
      const { monitor, project } = yield* watched
      const monitors = yield* Monitors
      yield* monitors.update(project.id, monitor.id, (current) => Effect.succeed({ ...current, paused: true }))
      yield* monitors.remove(project.id, monitor.id)
      const messages = yield* outbox.peek(100)
      assert.strictEqual(messages.filter(({ _tag }) => _tag === "Spec").length, 3)
      const events = messages.flatMap((message) => (message._tag === "Event" ? [message.event.headers["ce-type"]] : []))
      assert.deepStrictEqual(
        events.filter((type) => type !== "kanmon.audit.recorded"),
        ["created", "updated", "paused", "deleted"].map((name) => `kanmon.monitor.${name}`)
      )
    })
  )

  it.effect("gives messages unpredictable and stable ids", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxQueue
      yield* outbox.confirm((yield* outbox.peek(10_000)).map(({ sequence }) => sequence))
      const { monitor } = yield* watched
      yield* evaluateBatch([observed(monitor, noon, "down")])
      const taken = Effect.map(outbox.peek(100), (all) =>
        all.flatMap((message) => (message._tag === "Event" ? [message.event] : []))
      )
      const events = yield* taken
      assert.isAtLeast(events.length, 2)
      for (const { headers, id } of events) {
        assert.match(id, /^[\w-]{43}$/)
        assert.notInclude(id, headers["ce-id"]!)
      }
      assert.deepStrictEqual(yield* taken, events)
    })
  )

  it.effect("computes the same uptime from rollups as from the status history", () =>
    Effect.gen(function* () {
      const { monitor, project } = yield* watched
      const history = yield* History
      const retention = yield* Retention
      const day = Date.UTC(2026, 10, 21)
      const later = day + dayMillis + 3_600_000
      // Up every minute of a day, but for the hour from six o'clock.
      const batch = Array.from({ length: 1440 }, (_, minute) =>
        observed(monitor, day + minute * 60_000, minute >= 360 && minute < 420 ? "down" : "up")
      )
      yield* evaluateBatch(batch)
      const before = yield* history.dailyUptime(project.id, monitor.id, day, day + dayMillis).pipe(at(later))
      yield* retention.rollups.pipe(at(later))
      const after = yield* history.dailyUptime(project.id, monitor.id, day, day + dayMillis).pipe(at(later))
      assert.deepStrictEqual(after, before)
      assert.closeTo(after[0]!.uptime, (23 / 24) * 100, 0.001)
      const points = yield* history.responseTimes(project.id, monitor.id, day, day + dayMillis, 100)
      assert.isAtMost(points.length, 100)
      assert.closeTo(points[0]!.responseTime, 20, 0.01)
    })
  )

  it.effect("stores the response of an Idempotency-Key once", () =>
    Effect.gen(function* () {
      const keys = yield* IdempotencyKeys
      assert.strictEqual((yield* keys.claim("a", "k", "f"))._tag, "Fresh")
      assert.strictEqual((yield* keys.claim("a", "k", "f"))._tag, "Busy")
      yield* keys.finish("a", "k", { status: 201, body: "{}" })
      assert.deepStrictEqual(yield* keys.claim("a", "k", "f"), {
        _tag: "Answered",
        answer: { status: 201, body: "{}" }
      })
      assert.strictEqual((yield* keys.claim("a", "k", "other"))._tag, "Mismatch")
      assert.strictEqual((yield* keys.claim("b", "k", "f"))._tag, "Fresh")
      const tomorrow = (yield* Clock.currentTimeMillis) + 25 * 3_600_000
      assert.strictEqual((yield* keys.claim("a", "k", "f").pipe(at(tomorrow)))._tag, "Fresh")
    })
  )

  it.effect("creates partitions ahead of time and drops old ones, including rows of the default one", () =>
    Effect.gen(function* () {
      const { monitor } = yield* watched
      const retention = yield* Retention
      const day = Date.UTC(2027, 0, 10, 12)
      yield* evaluateBatch([observed(monitor, day, "up")]).pipe(at(day))
      assert.isAtLeast((yield* retention.partitions(90).pipe(at(day))).made, 3)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{
        name: string
      }>`SELECT tableoid::regclass::text AS name FROM observations WHERE monitor_id = ${monitor.id}`
      assert.strictEqual(row!.name, "observations_20270110")
      assert.isAtLeast((yield* retention.partitions(90).pipe(at(day + 100 * dayMillis))).dropped, 1)
      assert.strictEqual((yield* sql`SELECT 1 FROM observations WHERE monitor_id = ${monitor.id}`).length, 0)
    })
  )

  it.effect("applies migrations once, when several processes start together", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all([Migrations.run, Migrations.run, Migrations.run], { concurrency: 3 })
      assert.deepStrictEqual(runs, [[], [], []])
    })
  )
})
