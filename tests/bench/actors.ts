/** Measures the heap of idle monitors, in a process with access to the garbage collector. Prints bytes per monitor. */
import { CheckRunner } from "@kanmon/core/CheckRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Supervisor } from "@kanmon/core/Supervisor"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Effect, Layer } from "effect"
import http from "../../plugins/check-http/src/index.ts"

const count = Number(process.argv[2] ?? 10_000)
const heap = (): number => {
  for (let round = 0; round < 3; round++) (globalThis as { gc?: () => void }).gc?.()
  return process.memoryUsage().heapUsed
}

const idle = { status: "up", responseTime: 1, timing: {}, failure: null, facts: {} } as const
const layer = Supervisor.layer({ region: "eu-west", report: () => undefined, skipped: () => undefined }).pipe(
  Layer.provide(Catalogue.layer([{ name: "http", load: () => Promise.resolve({ default: http }) }])),
  Layer.provide(Layer.succeed(CheckRunner, { run: () => Effect.succeed(idle), runAtOnce: () => Effect.succeed(idle) }))
)

await Effect.gen(function* () {
  const supervisor = yield* Supervisor
  yield* Effect.sleep(200)
  const before = heap()
  for (let index = 0; index < count; index++) {
    yield* supervisor.configure({
      id: MonitorId.make(`mon_${index.toString(36).padStart(26, "0")}`),
      projectId: ProjectId.make("prj_1"),
      type: "http",
      interval: 3600,
      timeout: 30,
      config: {
        url: `https://host-${index}.example/health`,
        method: "GET",
        expectedStatus: "200-299",
        followRedirects: true,
        verifyTls: true
      },
      revision: 1,
      changedAt: 0
    })
  }
  yield* Effect.sleep(500)
  process.stdout.write(
    `${JSON.stringify({ bytes: (heap() - before) / count, monitors: supervisor.counts().monitors })}\n`
  )
}).pipe(Effect.provide(layer), Effect.scoped, Effect.runPromise)
process.exit(0)
