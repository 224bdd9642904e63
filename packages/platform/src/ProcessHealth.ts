/** Health of this process and of what it depends on, for every role: a probe has no database and none of the features. */
import { BusClock } from "@kanmon/core/BusClock"
import { EventBus } from "@kanmon/core/EventBus"
import { frameText, type LoopStall, suspectsOf } from "@kanmon/core/LoopStall"
import * as Quarantine from "@kanmon/core/Quarantine"
import type { Health } from "@kanmon/protocol/HealthBody"
import { Context, Effect, Layer } from "effect"
import { version } from "./version.ts"
import { withoutPlaces } from "./WithoutPlaces.ts"

/** Checks everything this process depends on. */
export class HealthCheck extends Context.Service<HealthCheck, { readonly look: Effect.Effect<Health> }>()(
  "@kanmon/platform/ProcessHealth/HealthCheck"
) {}

/** The probe of this process, if any; its schedule and connectivity are part of the process's health. */
export const LocalProbe = Context.Reference<{
  /** Whether checks begin late by more than their monitors' interval. */
  readonly isLate: () => boolean
  readonly isOffline: () => boolean
}>("@kanmon/platform/ProcessHealth/LocalProbe", {
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

/** The values without a database, or while it is down. */
export const unknown = { age: 0, refusals: [], stale: null }

const maxStalls = 20

const stallsOf = (stalls: ReadonlyArray<LoopStall>, { holds }: Quarantine.Decisions): Health["stalls"] =>
  stalls
    .slice(-maxStalls)
    .toReversed()
    .map((stall) => {
      const { activity } = stall
      return {
        at: new Date(stall.at).toISOString(),
        stalledMillis: stall.stalledMillis,
        kind: activity?.kind ?? null,
        // Callers are not shown to everyone.
        key: activity === null || activity.kind === "request" ? null : withoutPlaces(activity.key),
        label: activity === null ? null : withoutPlaces(activity.label),
        size: activity?.size ?? null,
        plugin: stall.plugin === null ? null : withoutPlaces(stall.plugin),
        stack: stall.stack.map(frameText),
        quarantined: suspectsOf(stall).some((suspect) => holds(suspect.kind, () => suspect))
      }
    })

/** The health of a process, from these queries of its store and probes. */
export const make = Effect.fnUntraced(function* (
  askStore: Effect.Effect<StoreHealth>,
  probes: Effect.Effect<Health["probes"]>
) {
  const bus = yield* EventBus
  const clock = yield* BusClock
  const probe = yield* LocalProbe
  const { stalls } = yield* Quarantine.Quarantine
  const quarantine = yield* Quarantine.decisions

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
      probes: yield* probes,
      stalls: stallsOf(stalls, quarantine)
    }
  })
  return HealthCheck.of({ look })
})

/** Health of a probe, which has no database. */
export const layerProbe = Layer.effect(
  HealthCheck,
  make(Effect.succeed({ database: "none", ...unknown }), Effect.succeed({}))
)
