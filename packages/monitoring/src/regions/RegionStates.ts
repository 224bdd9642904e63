/**
 * The state of each region for the operator: its probes as they describe themselves, and the monitors that depend on
 * it.
 */
import * as BusRpc from "@kanmon/core/BusRpc"
import type { EventBus } from "@kanmon/core/EventBus"
import { ProbeCalls } from "@kanmon/core/ProbeCalls"
import * as Subjects from "@kanmon/domain/Subjects"
import type { ProbeState, RegionState } from "@kanmon/protocol/RegionBody"
import { Effect } from "effect"
import { RpcClient } from "effect/rpc"
import { ProbeRegionRepository } from "./ProbeRegionRepository.ts"
import { Regions } from "./Regions.ts"

/** A live probe answers immediately, even while it checks. */
const answerWithin = 1000
const askedAtOnce = 32

const silent = { answers: false, version: null, startedAt: null, monitors: null, offline: null, clock: null } as const

/** Asks a probe who it is. One that says nothing is no failure: that is what the operator wants to see. */
const ask = (region: string, id: string): Effect.Effect<typeof ProbeState.Type, never, EventBus> =>
  Effect.scoped(Effect.flatMap(RpcClient.make(ProbeCalls), (probe) => probe.ProbeInfo())).pipe(
    Effect.provide(BusRpc.layerClient(Subjects.probeCalls(region, id), answerWithin)),
    Effect.timeout(answerWithin),
    Effect.map(({ clock = null, monitors, offline = null, startedAt, version }) => ({
      id,
      answers: true,
      version,
      startedAt,
      monitors,
      offline,
      clock
    })),
    Effect.catchCause((cause) =>
      Effect.logDebug("A probe did not describe itself", cause).pipe(
        Effect.annotateLogs({ region, probeId: id }),
        Effect.as({ id, ...silent })
      )
    )
  )

/** All known regions, by name. */
export const list: Effect.Effect<
  ReadonlyArray<typeof RegionState.Type>,
  never,
  EventBus | ProbeRegionRepository | Regions
> = Effect.gen(function* () {
  const repository = yield* ProbeRegionRepository
  const { labels, probeIds } = yield* (yield* Regions).current
  const seen = new Map((yield* repository.list).map((region) => [region.label, region.lastSeenAt]))
  const used = new Map((yield* repository.use(labels)).map((use) => [use.label, use]))
  const announced = labels.flatMap((region) => (probeIds[region] ?? []).map((id) => ({ region, id })))
  const probes = yield* Effect.forEach(
    announced,
    ({ id, region }) => Effect.map(ask(region, id), (probe) => ({ region, probe })),
    { concurrency: askedAtOnce }
  )
  return labels.map((region) => ({
    region,
    alive: (probeIds[region] ?? []).length > 0,
    lastSeenAt: seen.get(region) ?? null,
    monitors: used.get(region)?.monitors ?? 0,
    onlyHere: used.get(region)?.onlyHere ?? 0,
    probes: probes.filter((one) => one.region === region).map(({ probe }) => probe)
  }))
}).pipe(Effect.withSpan("RegionStates.list"))
