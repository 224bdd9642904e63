/** Measures observations per second from the bus into the database, against a bare batch insert of the same rows. */
import { Store } from "@kanmon/control-plane"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import { EventBus } from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import { checksStream, partitions } from "@kanmon/domain/Subjects"
import { Alerts } from "@kanmon/control-plane/src/alerts/Alerts.ts"
import { layerEvaluation } from "@kanmon/control-plane/evaluation"
import * as EvaluationWorker from "@kanmon/control-plane/src/evaluation/EvaluationWorker.ts"
import { Regions } from "@kanmon/control-plane/src/regions/Regions.ts"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Database from "@kanmon/control-plane/platform/database/Database"
import * as Migrations from "@kanmon/control-plane/platform/database/Migrations"
import { Partitions } from "@kanmon/control-plane/src/evaluation/Partitions.ts"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Figures } from "./Figures.ts"
import { heading, ratio, row, whole } from "./report.ts"
import * as Synthetic from "./Synthetic.ts"

const monitors = 5000
const rounds = 20
const batch = 1000

export const run = async (databaseUrl: string): Promise<Figures> => {
  heading(`Ingest: ${whole(monitors * rounds)} synthetic observations of ${whole(monitors)} monitors`)
  const layer = Regions.layer(["eu-west"]).pipe(
    Layer.provideMerge(layerEvaluation),
    Layer.provideMerge(Alerts.layer("http://127.0.0.1:3000")),
    Layer.provideMerge(Catalogue.layer([])),
    Layer.provideMerge(Store.layer(Redacted.make("bench"))),
    Layer.provideMerge(
      Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(Database.layer(Redacted.make(databaseUrl))))
    ),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(InProcessBus.layer({ keep: monitors * rounds }))
  )
  return program.pipe(Effect.provide(layer), Effect.scoped, Effect.runPromise)
}

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bus = yield* EventBus
  yield* (yield* Partitions).keep(90)
  const observations = yield* Synthetic.make({ monitors, rounds, tag: "ingest" })

  yield* bus.ensureStream(checksStream)
  for (let index = 0; index < observations.length; index += batch) {
    yield* bus.publish(observations.slice(index, index + batch).map((one) => message(one, Synthetic.interval)))
  }
  const began = performance.now()
  const consume = yield* EvaluationWorker.make({ batch, maxWait: "1 millis" })
  const consumer = yield* Effect.forkChild(
    Effect.forEach(
      Array.from({ length: partitions }, (_, partition) => partition),
      consume,
      {
        concurrency: "unbounded"
      }
    )
  )
  while ((yield* Synthetic.stored("ingest")) < observations.length) yield* Effect.sleep(250)
  const evaluated = (observations.length * 1000) / (performance.now() - began)
  yield* Fiber.interrupt(consumer)

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
  row("rows per second, bare batch insert", whole(bare))
  row("ratio", ratio(bare / evaluated))
  return { ingest: [evaluated] }
})
