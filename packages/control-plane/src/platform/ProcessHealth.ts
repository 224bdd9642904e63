/** Health of this process and of what it depends on, for every role: a probe has no database and none of the features. */
import { BusClock } from "@kanmon/core/BusClock"
import { EventBus } from "@kanmon/core/EventBus"
import type { Health } from "@kanmon/protocol/HealthBody"
import { Context, Effect, Layer } from "effect"
import { version } from "../version.ts"

/** Checks everything this process depends on. */
export class HealthCheck extends Context.Service<HealthCheck, { readonly look: Effect.Effect<Health> }>()(
  "@kanmon/control-plane/platform/ProcessHealth/HealthCheck"
) {}

/** The probe of this process, if any; its schedule and connectivity are part of the process's health. */
export const LocalProbe = Context.Reference<{
  /** Whether checks begin late by more than their monitors' interval. */
  readonly isLate: () => boolean
  readonly isOffline: () => boolean
}>("@kanmon/control-plane/platform/ProcessHealth/LocalProbe", {
  defaultValue: () => ({ isLate: () => false, isOffline: () => false })
})

const oldestMillis = 300_000

export interface StoreHealth {
  readonly database: "ok" | "down" | "none"
  /** Milliseconds that the oldest event of the outbox has waited. */
  readonly age: number
  readonly refusals: ReadonlyArray<string>
  readonly stale: number | null
}

/** What cannot be asked while the database is down, or without one. */
export const unknown = { age: 0, refusals: [], stale: null }

/** Health of a process whose store and probes are asked like this. */
export const make = Effect.fnUntraced(function* (
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

/** Health of a probe, which has no database. */
export const layerProbe = Layer.effect(
  HealthCheck,
  make(Effect.succeed({ database: "none", ...unknown }), Effect.succeed({}))
)
