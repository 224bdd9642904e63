/**
 * Runs checks on demand: a monitor on its assigned probe, unsaved settings on any probe of the region. If no probe
 * responds, the region's status is `unknown`, never `down`.
 */
import * as BusRpc from "@kanmon/core/BusRpc"
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { type CheckNotRun, type NotWatchedHere, ProbeCalls, type TestOutcome } from "@kanmon/core/ProbeCalls"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import { reason } from "@kanmon/domain/Reason"
import type { CheckOutcome, Failure } from "@kanmon/domain/Observation"
import * as Assignment from "@kanmon/domain/Assignment"
import * as Subjects from "@kanmon/domain/Subjects"
import { Cause, Clock, Context, Effect, Layer, Stream } from "effect"
import { RpcClient, type RpcClientError } from "effect/rpc"
import { Regions } from "../regions/index.ts"

/** The result of a check in one region. */
export interface RegionOutcome extends Omit<TestOutcome, "checkedAt"> {
  readonly region: string
  /** The last probe called; null if the region has none. */
  readonly probeId: string | null
  /** When the check began; null if no probe ran it, then `failure` has the reason and the status is `unknown`. */
  readonly checkedAt: CheckOutcome["checkedAt"] | null
}

/** Labels of regions; an empty list means all. */
type Labels = ReadonlyArray<string>

/** Settings that need not be saved. */
type Settings = Pick<MonitorSpec, "projectId" | "type" | "config" | "timeout">

/** Errors before any probe is called. */
export type NotAsked = BusUnavailable | BusRpc.CallTooLarge

export class Probes extends Context.Service<
  Probes,
  {
    /** Checks a monitor with this spec in all its regions concurrently. */
    readonly checkNow: (spec: MonitorSpec, regions: Labels) => Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>
    /** Tests settings in all given regions concurrently. Stores nothing. */
    readonly runCheck: (settings: Settings, regions: Labels) => Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>
    /** The same; returns the regions at once, and each result as it arrives. */
    readonly streamCheck: (
      settings: Settings,
      regions: Labels
    ) => Effect.Effect<{
      readonly regions: Labels
      readonly results: Stream.Stream<RegionOutcome, NotAsked>
    }>
  }
>()("@kanmon/monitoring/checks/Probes") {
  static readonly layer: Layer.Layer<Probes, never, EventBus | Regions> = Layer.effect(
    Probes,
    Effect.suspend(() => make)
  )
}

/**
 * A live probe acknowledges the call within this time, however long its check takes. Needed because NATS does not report
 * missing responders across accounts.
 */
const aliveWithin = 1000
/** Time beyond the check's timeout for starting, finishing and the network. */
const allowance = 5000
/** Time until a new, changed or reassigned monitor reaches its probe. */
const settleWithin = 5000
const askAgainAfter = 250

type ProbeClient = RpcClient.FromGroup<typeof ProbeCalls, RpcClientError.RpcClientError>

type Call = (
  client: ProbeClient
) => Effect.Effect<TestOutcome, NotWatchedHere | CheckNotRun | RpcClientError.RpcClientError>

/** A probe's response. `Absent`: the probe is gone; `Elsewhere`: the monitor belongs to another probe. */
type Word =
  | { readonly _tag: "Found"; readonly outcome: TestOutcome }
  | { readonly _tag: "Refused"; readonly failure: Failure }
  | { readonly _tag: "Elsewhere" | "Absent" }

const make = Effect.gen(function* () {
  const bus = yield* EventBus
  const regions = yield* Regions
  let tries = 0

  /** Completes if the probe does not acknowledge; other failures are reported by the call itself. */
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

  const ask = (region: string, probeId: string, timeoutMillis: number, call: Call) =>
    Effect.gen(function* () {
      const asked = yield* Clock.currentTimeMillis
      const transport = Effect.fnUntraced(function* (error: RpcClientError.RpcClientError) {
        const failure = BusRpc.failureOf(error)
        if (failure._tag === "Garbled") return refused("probe_failed", reason("probe_garbled", {}))
        if (failure._tag !== "NoResponder") return yield* Effect.fail(failure)
        const waited = (yield* Clock.currentTimeMillis) - asked
        if (waited < timeoutMillis / 2) return absent
        return refused("no_answer", reason("probe_silent", { seconds: timeoutMillis / 1000 }))
      })
      const called = Effect.flatMap(RpcClient.make(ProbeCalls), (probe) =>
        Effect.raceFirst(
          Effect.map(call(probe), (outcome): Word => ({ _tag: "Found", outcome })),
          unlessAlive(probe)
        )
      )
      return yield* Effect.scoped(called).pipe(
        Effect.provide(BusRpc.layerClient(Subjects.probeCalls(region, probeId), timeoutMillis)),
        Effect.catchTags({
          NotWatchedHere: () => Effect.succeed(elsewhere),
          CheckNotRun: ({ message }) => Effect.succeed(refused("check_not_run", { message })),
          RpcClientError: transport
        }),
        Effect.catchCauseIf(
          (cause) => !Cause.hasFails(cause),
          (cause) =>
            Effect.logWarning("A probe failed to handle a call", cause).pipe(
              Effect.annotateLogs({ region, probeId }),
              Effect.as(refused("probe_failed", reason("probe_failed", {})))
            )
        ),
        Effect.provideService(EventBus, bus)
      )
    })

  /** Calls the region's probes in rendezvous order of `key` until one has a result. */
  const askRegion = Effect.fnUntraced(function* (region: string, key: string, timeout: number, call: Call) {
    const until = (yield* Clock.currentTimeMillis) + settleWithin
    /** Called again after all others. */
    const silent = new Set<string>()
    for (;;) {
      const ranked = Assignment.ranked(key, (yield* regions.current).probeIds[region] ?? [])
      const probes = [...ranked.filter((id) => !silent.has(id)), ...ranked.filter((id) => silent.has(id))]
      if (probes.length === 0) return unasked(region, null, refused("no_probe", reason("no_probe", {})))
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
          ? refused("not_watched", reason("not_watched", {}))
          : refused("no_answer", reason("region_silent", {}))
        return unasked(region, probes[0]!, why)
      }
      yield* Effect.sleep(askAgainAfter)
    }
  })

  const regionsOf = (labels: Labels): Effect.Effect<Labels> =>
    labels.length > 0
      ? Effect.succeed([...new Set(labels)])
      : Effect.map(regions.current, (known) => [...new Set(known.labels)])

  const everywhere = (labels: Labels, timeout: number, key: string, call: Call) =>
    Effect.flatMap(regionsOf(labels), (asked) =>
      Effect.forEach(asked, (region) => askRegion(region, key, timeout, call), { concurrency: "unbounded" })
    )

  const run =
    ({ config, projectId, timeout, type }: Settings): Call =>
    (probe) =>
      probe.RunCheck({ projectId, config, timeout, type })

  return Probes.of({
    checkNow: ({ id, revision, timeout }, labels) =>
      everywhere(labels, timeout, id, (probe) => probe.CheckNow({ monitorId: id, revision })),
    // Any probe can run it, so they take turns.
    runCheck: (settings, labels) => everywhere(labels, settings.timeout, String(tries++), run(settings)),
    streamCheck: (settings, labels) =>
      Effect.map(regionsOf(labels), (asked) => {
        const key = String(tries++)
        const ask = (region: string) => askRegion(region, key, settings.timeout, run(settings))
        const all = { concurrency: "unbounded", unordered: true } as const
        return { regions: asked, results: Stream.mapEffect(Stream.fromIterable(asked), ask, all) }
      })
  })
})

const elsewhere: Word = { _tag: "Elsewhere" }
const absent: Word = { _tag: "Absent" }
const refused = (code: string, words: Omit<Failure, "code">) => ({
  _tag: "Refused" as const,
  failure: { code, ...words }
})

const unasked = (region: string, probeId: string | null, { failure }: ReturnType<typeof refused>): RegionOutcome => ({
  region,
  probeId,
  status: "unknown",
  responseTime: null,
  timing: {},
  failure,
  facts: {},
  checkedAt: null
})
