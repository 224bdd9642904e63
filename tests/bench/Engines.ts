/** Measures how fast one engine and two engines, as separate processes, evaluate a backlog of observations. */
import { Engine } from "@kanmon/monitoring"
import { availableParallelism } from "node:os"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { EventBus } from "@kanmon/core/EventBus"
import { message } from "@kanmon/domain/ObservationMessage"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Partitions } from "@kanmon/monitoring/testing/evaluation/Partitions.ts"
import { Effect, Layer, Redacted } from "effect"
import { usage } from "./Child.ts"
import type { Figures } from "./Figures.ts"
import * as Parts from "./Parts.ts"
import { heading, ratio, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"
import * as Synthetic from "./Synthetic.ts"

const monitors = 5000
const rounds = 80
const total = monitors * rounds
const chunk = 1000

interface Evaluated {
  readonly perSecond: number
  /** CPU seconds per second. */
  readonly cores: { readonly engines: number; readonly database: number; readonly bus: number }
}

export const run = async (server: Server): Promise<Figures> => {
  heading(`Engines: a backlog of ${whole(total)} observations of ${whole(monitors)} monitors`)
  const parts = await Parts.make(server)
  if (parts === undefined) {
    row("skipped", "", "nats-server is not installed")
    return {}
  }
  const layers = Layer.merge(
    Engine.streams.pipe(
      Layer.provideMerge(
        NatsBus.layer({ url: Redacted.make(parts.natsUrl), description: "NATS", maxBytes: 4 * 1024 ** 3 })
      )
    ),
    Layer.effectDiscard(
      Effect.andThen(
        Migrations.run,
        Effect.flatMap(Partitions, ({ keep }) => keep(90))
      )
    ).pipe(Layer.provide(Partitions.layer), Layer.provideMerge(Database.layer(Redacted.make(server.databaseUrl))))
  )
  const [one, two] = await Effect.all([measure(parts, 1), measure(parts, 2)]).pipe(
    Effect.provide(layers),
    Effect.runPromise
  )
  await parts.close()
  for (const [name, { cores, perSecond }] of [
    ["one engine", one],
    ["two engines", two]
  ] as const) {
    row(`evaluated per second, ${name}`, whole(perSecond))
    row(
      "  cores used: engines, PostgreSQL, NATS",
      [cores.engines, cores.database, cores.bus].map(tenths).join(" "),
      `of ${availableParallelism()}`
    )
  }
  row("ratio, two engines to one", ratio(two.perSecond / one.perSecond), "at least 1.7 where there are cores for both")
  return { engines: [two.perSecond / one.perSecond] }
}

const measure = Effect.fnUntraced(function* (parts: Parts.Parts, engines: number) {
  const bus = yield* EventBus
  const tag = `engines${engines}x`
  const observations = yield* Synthetic.make({ monitors, rounds, tag })
  for (let index = 0; index < total; index += chunk) {
    yield* bus.publish(observations.slice(index, index + chunk).map((one) => message(one, Synthetic.interval)))
  }
  const children = Array.from({ length: engines }, (_, index) => parts.start(`${tag}${index}`, "engine"))
  const consumed = Effect.promise(async () => {
    const own = await Promise.all(children.map(({ pid }) => usage(pid!)))
    return { engines: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0), ...(await parts.servers()) }
  })
  const atLeast = (count: number) =>
    Effect.gen(function* () {
      for (;;) {
        const stored = yield* Synthetic.storedAbout({ monitors, tag })
        if (stored >= count) return { stored, at: performance.now(), consumed: yield* consumed }
        yield* Effect.sleep(200)
      }
    })
  // The first fifth is not measured: engines start at different times, and their code is compiled while it runs.
  const begin = yield* atLeast(total / 5)
  const end = yield* atLeast(total)
  yield* Effect.promise(() => Promise.all(children.map(Parts.stop)))
  const seconds = (end.at - begin.at) / 1000
  const evaluated: Evaluated = {
    perSecond: (end.stored - begin.stored) / seconds,
    cores: {
      engines: (end.consumed.engines - begin.consumed.engines) / seconds,
      database: (end.consumed.database - begin.consumed.database) / seconds,
      bus: (end.consumed.bus - begin.consumed.bus) / seconds
    }
  }
  return evaluated
})
