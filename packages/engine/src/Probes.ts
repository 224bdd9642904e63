/**
 * Has checks made by the probes of regions, beside any schedule: of a monitor, by the probe that watches it, or of settings
 * that are nobody's, by any probe. Where nobody could be asked, the region's row says so; it never says that the target is down.
 */
import * as BusRpc from "@kanmon/core/BusRpc"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { type CheckNotRun, type NotWatchedHere, ProbeCalls } from "@kanmon/core/ProbeCalls"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Outcome } from "@kanmon/domain/Observation"
import * as Share from "@kanmon/domain/Share"
import * as Subjects from "@kanmon/domain/Subjects"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { RpcClient, type RpcClientError } from "effect/rpc"
import { Regions } from "./Regions.ts"

/** What came of a check in one region. */
export interface RegionOutcome extends Omit<Outcome, "checkedAt"> {
  readonly region: string
  /** Who was asked last; null when there was nobody to ask. */
  readonly probeId: string | null
  /** When the check began; null when nobody could be asked: then `failure` says why, and the status is `unknown`. */
  readonly checkedAt: Outcome["checkedAt"] | null
}

/** The regions by their labels; none means all. */
type Labels = ReadonlyArray<string>

/** What keeps the call from any probe. */
export type NotAsked = BusUnavailable | BusRpc.CallTooLarge

export class Probes extends Context.Service<
  Probes,
  {
    /** Checks a monitor as this spec has it, in each of its regions at once. */
    readonly checkNow: (spec: MonitorSpec, regions: Labels) => Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>
    /** Tries settings for a project, in each of the regions at once. Nothing is kept of it. */
    readonly runCheck: (
      settings: Pick<MonitorSpec, "projectId" | "type" | "config" | "timeout">,
      regions: Labels
    ) => Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>
  }
>()("@kanmon/engine/Probes") {
  static readonly layer: Layer.Layer<Probes, never, EventBus | Regions> = Layer.effect(
    Probes,
    Effect.suspend(() => make)
  )
}

/**
 * A probe that is alive says so within this time, however long its check takes. A bus whose roles have accounts of their own
 * does not tell that nobody is there.
 */
const aliveWithin = 1000
/** What a probe may take beyond the timeout of the check: to begin it, to end it, to look around, and for the way. */
const allowance = 5000
/** A monitor that was just made or changed, or whose probe has just gone, has its probe within this time. */
const settleWithin = 5000
const askAgainAfter = 250

type ProbeClient = RpcClient.FromGroup<typeof ProbeCalls, RpcClientError.RpcClientError>

type Call = (
  client: ProbeClient
) => Effect.Effect<Outcome, NotWatchedHere | CheckNotRun | RpcClientError.RpcClientError>

/** What one probe says. `Absent`: nobody is there any more; `Elsewhere`: another one has the monitor. */
type Word =
  | { readonly _tag: "Found"; readonly outcome: Outcome }
  | { readonly _tag: "Refused"; readonly code: string; readonly message: string }
  | { readonly _tag: "Elsewhere" | "Absent" }

const make = Effect.gen(function* () {
  const bus = yield* EventBus
  const regions = yield* Regions
  let tries = 0

  /** Ends when the probe gives no sign of life. Whatever else goes wrong is for the call itself to tell. */
  const unlessAlive = (probe: ProbeClient): Effect.Effect<Word> =>
    probe.ProbeInfo().pipe(
      Effect.timeout(aliveWithin),
      Effect.matchEffect({
        onSuccess: () => Effect.never,
        onFailure: (error) =>
          error._tag === "TimeoutError" || BusRpc.failureOf(error)._tag === "NoResponder"
            ? Effect.succeed(absent)
            : Effect.never
      }),
      Effect.catchCause(() => Effect.never)
    )

  const ask = (region: string, probeId: string, patience: number, call: Call) =>
    Effect.gen(function* () {
      const asked = yield* Clock.currentTimeMillis
      const transport = Effect.fnUntraced(function* (error: RpcClientError.RpcClientError) {
        const failure = BusRpc.failureOf(error)
        if (failure._tag === "Garbled") return refused("probe_failed", "The probe's answer cannot be read")
        if (failure._tag !== "NoResponder") return yield* Effect.fail(failure)
        const waited = (yield* Clock.currentTimeMillis) - asked
        if (waited < patience / 2) return absent
        return refused("no_answer", `The probe did not answer within ${patience / 1000} s`)
      })
      const called = Effect.flatMap(RpcClient.make(ProbeCalls), (probe) =>
        Effect.raceFirst(
          Effect.map(call(probe), (outcome): Word => ({ _tag: "Found", outcome })),
          unlessAlive(probe)
        )
      )
      return yield* Effect.scoped(called).pipe(
        Effect.provide(BusRpc.layerClient(Subjects.probeCalls(region, probeId), patience)),
        Effect.catchTags({
          NotWatchedHere: () => Effect.succeed(elsewhere),
          CheckNotRun: ({ message }) => Effect.succeed(refused("check_not_run", message)),
          RpcClientError: transport
        }),
        Effect.catchCauseIf(
          (cause) => !Cause.hasFails(cause),
          (cause) =>
            Effect.logWarning("A probe could not answer a call", cause).pipe(
              Effect.annotateLogs({ region, probeId }),
              Effect.as(refused("probe_failed", "The probe could not answer; it may run another version, or stop"))
            )
        ),
        Effect.provideService(EventBus, bus)
      )
    })

  /** Asks the region's probes in the order in which `key` falls to them, until one has an answer. */
  const askRegion = Effect.fnUntraced(function* (region: string, key: string, timeout: number, call: Call) {
    const until = (yield* Clock.currentTimeMillis) + settleWithin
    /** Asked again after all others. */
    const silent = new Set<string>()
    for (;;) {
      const ranked = Share.ranked(key, (yield* regions.current).probeIds[region] ?? [])
      const probes = [...ranked.filter((id) => !silent.has(id)), ...ranked.filter((id) => silent.has(id))]
      if (probes.length === 0) return unasked(region, null, refused("no_probe", "No probe of this region is alive"))
      let answered = false
      for (const probeId of probes) {
        const word = yield* ask(region, probeId, timeout * 1000 + allowance, call)
        if (word._tag === "Found") return { region, probeId, ...word.outcome }
        if (word._tag === "Refused") return unasked(region, probeId, word)
        if (word._tag === "Elsewhere") answered = true
        if (word._tag === "Absent") silent.add(probeId)
      }
      if ((yield* Clock.currentTimeMillis) >= until) {
        const why = answered
          ? refused("not_watched", "No probe of this region watches the monitor as it is now, yet")
          : refused("no_answer", "No probe of this region answers")
        return unasked(region, probes[0]!, why)
      }
      yield* Effect.sleep(askAgainAfter)
    }
  })

  const everywhere = (labels: Labels, timeout: number, key: string, call: Call) =>
    Effect.gen(function* () {
      const asked = labels.length > 0 ? labels : (yield* regions.current).labels
      return yield* Effect.forEach(new Set(asked), (region) => askRegion(region, key, timeout, call), {
        concurrency: "unbounded"
      })
    })

  return Probes.of({
    checkNow: ({ id, revision, timeout }, labels) =>
      everywhere(labels, timeout, id, (probe) => probe.CheckNow({ monitorId: id, revision })),
    // Any probe will do: they take turns.
    runCheck: ({ config, projectId, timeout, type }, labels) =>
      everywhere(labels, timeout, String(tries++), (probe) => probe.RunCheck({ projectId, config, timeout, type }))
  })
})

const elsewhere: Word = { _tag: "Elsewhere" }
const absent: Word = { _tag: "Absent" }
const refused = (code: string, message: string) => ({ _tag: "Refused" as const, code, message })

const unasked = (
  region: string,
  probeId: string | null,
  { code, message }: ReturnType<typeof refused>
): RegionOutcome => ({
  region,
  probeId,
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code, message },
  facts: {},
  checkedAt: null
})
