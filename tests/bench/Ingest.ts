/** Measures observations per second from the bus into the database, against a bare batch insert of the same rows. */
import { Store } from "@kanmon/monitoring"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import { checksStream, partitions } from "@kanmon/domain/Subjects"
import { Alerts } from "@kanmon/monitoring/testing/alerts/Alerts.ts"
import { EvaluationMetrics as Metrics, layerEvaluation } from "@kanmon/monitoring/evaluation"
import * as EvaluationWorker from "@kanmon/monitoring/testing/evaluation/EvaluationWorker.ts"
import { Regions } from "@kanmon/monitoring/testing/regions/Regions.ts"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Partitions } from "@kanmon/monitoring/testing/evaluation/Partitions.ts"
import { Effect, Fiber, Layer, Metric, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { descendants } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import { heading, ratio, row, whole } from "./report.ts"
import type { Server } from "./Server.ts"
import * as Synthetic from "./Synthetic.ts"

const monitors = 5000
const rounds = 20
const batch = 1000

export const run = async (server: Server): Promise<Figures> => {
  heading(`Ingest: ${whole(monitors * rounds)} synthetic observations of ${whole(monitors)} monitors`)
  const layer = Regions.layer(["eu-west"]).pipe(
    Layer.provideMerge(layerEvaluation),
    Layer.provideMerge(Alerts.layer("http://127.0.0.1:3000")),
    Layer.provideMerge(Catalogue.layer([])),
    Layer.provideMerge(Store.layer(Redacted.make("bench"))),
    Layer.provideMerge(
      Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(Database.layer(Redacted.make(server.databaseUrl))))
    ),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(InProcessBus.layer({ keep: monitors * rounds }))
  )
  return program(server).pipe(Effect.provide(layer), Effect.scoped, Effect.runPromise)
}

/** CPU seconds of this process and of PostgreSQL so far. */
const used = async (server: Server) => {
  const { system, user } = process.cpuUsage()
  const database = await descendants(server.databasePid())
  return {
    engine: (system + user) / 1e6,
    database: Object.values(database).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  }
}

const program = Effect.fnUntraced(function* (server: Server) {
  const sql = yield* SqlClient.SqlClient
  const bus = yield* EventBus
  yield* (yield* Partitions).keep(90)
  const observations = yield* Synthetic.make({ monitors, rounds, tag: "ingest" })

  yield* bus.ensureStream(checksStream)
  const consume = yield* EvaluationWorker.make({ batch, maxWait: "1 millis" })
  const engine = Effect.forEach([...Array(partitions).keys()], consume, { concurrency: "unbounded" })
  // An engine that was here before: its consumers are known when the messages come.
  yield* Effect.timeoutOption(engine, "200 millis")
  for (let index = 0; index < observations.length; index += batch) {
    yield* bus.publish(observations.slice(index, index + batch).map((one) => message(one, Synthetic.interval)))
  }
  const before = yield* Effect.promise(() => used(server))
  const began = performance.now()
  const consumer = yield* Effect.forkChild(engine)
  // Asking the database meanwhile would cost it as much as a tenth of the work.
  while ((yield* Metric.value(Metrics.observationsJudged)).count < observations.length) yield* Effect.sleep(50)
  const evaluated = (observations.length * 1000) / (performance.now() - began)
  const after = yield* Effect.promise(() => used(server))
  yield* Fiber.interrupt(consumer)
  if ((yield* Synthetic.stored("ingest")) < observations.length) throw new Error("Observations are missing")

  yield* sql`CREATE TABLE bare (LIKE observations INCLUDING CONSTRAINTS, PRIMARY KEY (monitor_id, scheduled_at, region))`
  const bareBegan = performance.now()
  for (let index = 0; index < observations.length; index += batch) {
    const rows = observations.slice(index, index + batch).map((one) => ({
      ...one,
      scheduledAt: new Date(one.scheduledAt).toISOString(),
      checkedAt: new Date(one.checkedAt).toISOString()
    }))
    yield* sql`INSERT INTO bare (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, facts)
      SELECT "monitorId", region, "scheduledAt", slot, "checkedAt", status, "responseTime", timing, facts
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r("monitorId" text, region text, "scheduledAt" timestamptz,
        slot bigint, "checkedAt" timestamptz, status text, "responseTime" float8, timing jsonb, facts jsonb)`
  }
  const bare = (observations.length * 1000) / (performance.now() - bareBegan)
  row("observations per second, evaluated", whole(evaluated), "at least 15,000")
  const cost = (part: keyof typeof before) => `${whole(((after[part] - before[part]) * 1e6) / observations.length)} µs`
  row("CPU of an observation: engine", cost("engine"))
  row("CPU of an observation: PostgreSQL", cost("database"))
  row("rows per second, bare batch insert", whole(bare))
  row("ratio", ratio(bare / evaluated))
  return { ingest: [evaluated] }
})
