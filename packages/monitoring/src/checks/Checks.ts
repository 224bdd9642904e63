/** Checks on demand: a saved monitor runs on its own probes, and unsaved settings on any probe. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { previewStatus, type TrialOutcome, type TrialStatus } from "@kanmon/domain/Trial"
import type { MonitorDraft } from "@kanmon/protocol/MonitorBody"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Layer, type Scope, Stream } from "effect"
import { OpenStreams } from "../events/index.ts"
import { Monitors } from "../monitors/index.ts"
import { type NotAsked, Probes, type RegionOutcome } from "./Probes.ts"
import * as Trials from "./Trials.ts"

/** Why a test does not start. */
type TrialRefused = Problem<"rate_limited"> | ReturnType<typeof invalid>

/** The events of a streamed test, in this order: the regions, the result of each, and their preview. */
export type TrialEvent =
  | { readonly _tag: "Start"; readonly regions: ReadonlyArray<string> }
  | { readonly _tag: "Region"; readonly outcome: RegionOutcome }
  | { readonly _tag: "End"; readonly preview: TrialStatus }

/** Longer than the longest check and the search for a probe take. */
const maxTrial = "150 seconds"

export class Checks extends Context.Service<Checks>()("@kanmon/monitoring/checks/Checks", {
  make: Effect.gen(function* () {
    const monitors = yield* Monitors
    const probes = yield* Probes
    const { stopping } = yield* OpenStreams
    const trials = Trials.make()

    /** Fails if no region has a result. Interrupted when the server stops. */
    const found = (asked: Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>) =>
      Effect.raceFirst(asked, Effect.andThen(stopping, Effect.fail(stops))).pipe(
        Effect.filterOrFail((rows) => rows.some(wasAsked), unavailable)
      )

    /** Checks a monitor in all its regions. Refused for monitors that are paused or wait for signals. */
    const now = Effect.fn("Checks.now")(function* (projectId: ProjectId, id: MonitorId) {
      const monitor = yield* monitors.get(projectId, id)
      const [placed] = yield* monitors.specs([id])
      if (placed === undefined) return yield* unwatched(monitor)
      return { regions: yield* found(probes.checkNow(placed.spec, placed.regions)) }
    })

    /** Tests settings within the limits of the project and its account, and previews the status. Stores nothing. */
    const test = Effect.fn("Checks.test")(function* (projectId: ProjectId, account: string, draft: MonitorDraft) {
      if (draft.passive) return yield* waits
      const asked = found(probes.runCheck({ ...draft, projectId }, draft.regions))
      const regions = yield* trials.within(projectId, account, asked)
      return { ...preview(regions, draft), regions }
    })

    /** The same, with each result as it arrives. The test ends with the scope. */
    const stream: (
      projectId: ProjectId,
      account: string,
      draft: MonitorDraft
    ) => Effect.Effect<Stream.Stream<TrialEvent, NotAsked | Problem<"unavailable">>, TrialRefused, Scope.Scope> =
      Effect.fn("Checks.stream")(function* (projectId, account, draft) {
        if (draft.passive) return yield* waits
        yield* trials.enter(projectId, account)
        const { regions, results } = yield* probes.streamCheck({ ...draft, projectId }, draft.regions)
        const rows: Array<RegionOutcome> = []
        const arriving = Stream.map(results, (outcome): TrialEvent => {
          rows.push(outcome)
          return { _tag: "Region", outcome }
        })
        const end = Stream.sync((): TrialEvent => ({ _tag: "End", preview: preview(rows, draft) }))
        return Stream.succeed<TrialEvent>({ _tag: "Start", regions }).pipe(
          Stream.concat(arriving),
          Stream.concat(end),
          Stream.interruptWhen(
            Effect.raceFirst(
              Effect.andThen(stopping, Effect.fail(stops)),
              Effect.andThen(Effect.sleep(maxTrial), Effect.fail(tookTooLong))
            )
          )
        )
      })

    return { now, test, stream }
  })
}) {
  static readonly layer = Layer.effect(Checks, Checks.make).pipe(Layer.provide(Probes.layer))
}

/** The status that the results lead to; without any result unknown, for the reason of the first region. */
const preview = (rows: ReadonlyArray<RegionOutcome>, draft: MonitorDraft): TrialStatus => {
  const { sslExpiryThreshold } = draft.config
  const asked = rows.filter(wasAsked)
  if (asked.length === 0)
    return { status: "unknown", failure: rows[0]?.failure ?? null, triggers: [], certificate: null }
  return previewStatus(asked, {
    intervalMillis: draft.interval * 1000,
    regions: [],
    ...(typeof sslExpiryThreshold === "number" ? { sslExpiryThreshold } : {})
  })
}

const wasAsked = (row: RegionOutcome): row is RegionOutcome & TrialOutcome => row.checkedAt !== null

const stops = new Problem({
  code: "unavailable",
  detail: "The server is about to stop; try again",
  retryAfter: 5
})

const tookTooLong = new Problem({
  code: "unavailable",
  detail: "The test took too long and was ended; regions without a result did not answer",
  retryAfter: 5
})

const waits = invalid([{ path: "type", message: "Monitors of this type wait for signals and cannot be checked" }])

/** Regions listed in the error if no region has a result. */
const maxNamed = 5

const unavailable = (rows: ReadonlyArray<RegionOutcome>): Problem<"unavailable"> => {
  const named = rows.slice(0, maxNamed).map(({ failure, region }) => `${region}: ${failure?.message ?? ""}`)
  const why = rows.length === 0 ? ["no region has a live probe"] : named
  return new Problem({ code: "unavailable", detail: `No probe could run the check; ${why.join("; ")}`, retryAfter: 5 })
}

const unwatched = ({ paused, pausedReason, signalToken }: Monitor): Problem<"conflict" | "not_found"> => {
  if (signalToken !== null)
    return new Problem({
      code: "conflict",
      detail: "This monitor waits for signals and cannot be checked. Send a signal to its heartbeatUrl"
    })
  // Deleted between the two queries.
  if (!paused) return notFound("monitor")
  const detail =
    pausedReason === "plan_limit"
      ? "The monitor is paused by the plan's limit; pause or delete another monitor, or change the plan"
      : 'The monitor is paused; resume it first (PATCH with {"paused": false})'
  return new Problem({ code: "conflict", detail })
}
