/** Health of this process and of what it depends on. */
import { BusClock } from "@kanmon/core/BusClock"
import { EventBus } from "@kanmon/core/EventBus"
import { Regions } from "../regions/index.ts"
import * as Database from "../platform/database/Database.ts"
import { EvaluationRepository } from "../evaluation/index.ts"
import { OutboxQueue } from "../platform/outbox/OutboxQueue.ts"
import type { Health } from "@kanmon/protocol/HealthBody"
import { Context, Effect, Layer } from "effect"
import { HealthCheck } from "./HealthHandlers.ts"
import { version } from "../version.ts"

/** The probe of this process, if any; its schedule and connectivity are part of the process's health. */
export const LocalProbe = Context.Reference<{
  /** Whether checks begin late by more than their monitors' interval. */
  readonly isLate: () => boolean
  readonly isOffline: () => boolean
}>("@kanmon/control-plane/health/LocalProbe", {
  defaultValue: () => ({ isLate: () => false, isOffline: () => false })
})

const oldestMillis = 300_000

interface StoreHealth {
  readonly database: "ok" | "down" | "none"
  /** Milliseconds that the oldest event of the outbox has waited. */
  readonly age: number
  readonly refusals: ReadonlyArray<string>
  readonly stale: number | null
}

const unknown = { age: 0, refusals: [], stale: null }

const storeHealth = Effect.gen(function* () {
  const answers = yield* Database.health
  const { age, refused } = yield* OutboxQueue
  const { countStale } = yield* EvaluationRepository
  return Effect.gen(function* (): Effect.fn.Return<StoreHealth> {
    if (!(yield* answers)) return { database: "down", ...unknown }
    const waiting = yield* Effect.catchCause(
      Effect.all({ age, refusals: Effect.map(refused, (all) => all.map(({ reason }) => reason)) }),
      () => Effect.succeed(unknown)
    )
    const stale = yield* Effect.catchCause(countStale, () => Effect.succeed(null))
    return { database: "ok", ...waiting, stale }
  })
})

const make = Effect.fnUntraced(function* (
  askStore: Effect.Effect<StoreHealth>,
  probes: Effect.Effect<Health["probes"]>
) {
  const bus = yield* EventBus
  const clock = yield* BusClock
  const probe = yield* LocalProbe

  const look = Effect.gen(function* () {
    const [{ age, database, refusals, stale }, busWell] = yield* Effect.all([askStore, bus.healthy], {
      concurrency: 2
    })
    const late = probe.isLate()
    const well = database !== "down" && busWell && age < oldestMillis && !late
    return {
      status: well ? ("ok" as const) : ("unavailable" as const),
      version,
      database,
      bus: busWell ? ("ok" as const) : ("down" as const),
      scheduler: late ? ("late" as const) : ("ok" as const),
      connectivity: probe.isOffline() ? ("offline" as const) : ("ok" as const),
      outbox: refusals.length > 0 ? ("refused" as const) : age < oldestMillis ? ("ok" as const) : ("late" as const),
      refusals,
      clock: clock.reading(),
      stale,
      probes: yield* probes
    }
  })
  return HealthCheck.of({ look })
})

/** Health of a process with the database. */
export const layer = Layer.effect(
  HealthCheck,
  Effect.gen(function* () {
    const regions = yield* Regions
    return yield* make(
      yield* storeHealth,
      Effect.map(regions.current, ({ probes }) => probes)
    )
  })
)

/** Health of a probe, which has no database. */
export const layerProbe = Layer.effect(
  HealthCheck,
  make(Effect.succeed({ database: "none", ...unknown }), Effect.succeed({}))
)
