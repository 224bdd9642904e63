/** Checks on demand over HTTP: of a monitor, now, and of one that is not saved yet. */
import { Catalogue } from "@kanmon/core/PluginHost"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { type Found, standing } from "@kanmon/domain/Trial"
import { type NotAsked, Probes, type RegionOutcome } from "@kanmon/engine/Probes"
import { Api } from "@kanmon/protocol/Api"
import { Caller } from "@kanmon/protocol/Gate"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { type MonitorNotFound, Monitors } from "@kanmon/store/monitors/Monitors"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import { CallerAccounts } from "./CallerAccounts.ts"
import { OpenStreams } from "./OpenStreams.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import * as Trials from "./Trials.ts"

/** A check may take two minutes, and finding who makes it a little more. */
export const patience = "140 seconds"

/** Where the answers are that may take so long. */
export const addresses = /\/monitors\/(test|[^/]+\/check)\/?$/

export const layer = HttpApiBuilder.group(
  Api,
  "checks",
  Effect.fnUntraced(function* (handlers) {
    const monitors = yield* Monitors
    const probes = yield* Probes
    const settings = yield* ApiSettings
    const { checks } = yield* Catalogue
    const { stopping } = yield* OpenStreams
    const trials = Trials.make()
    const accounts = yield* CallerAccounts

    /** Rows of which at least one was found out; a server that stops does not wait for them. */
    const found = (asked: Effect.Effect<ReadonlyArray<RegionOutcome>, NotAsked>) =>
      Effect.raceFirst(asked, Effect.andThen(stopping, Effect.fail(stops))).pipe(
        Effect.filterOrFail((rows) => rows.some(wasAsked), unavailable)
      )

    /** What a probe is told of the monitor, or why nobody checks it. */
    const specOf = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
      const monitor = yield* monitors.get(projectId, id)
      const [placed] = yield* monitors.specs([id])
      return placed ?? (yield* Effect.fail(unwatched(monitor)))
    })

    return handlers.handleAll({
      now: ({ params: { monitorId } }) =>
        Effect.gen(function* () {
          const { regions, spec } = yield* specOf(yield* Access.project, monitorId)
          return { monitorId, regions: yield* found(probes.checkNow(spec, regions)) }
        }).pipe(refusing),
      test: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const draft = yield* Effect.fromResult(MonitorBody.decode(checks, yield* settings.knownRegions, payload))
          if (draft.passive) return yield* waits
          const regions = yield* trials.within(
            projectId,
            yield* accounts.of(yield* Caller),
            found(probes.runCheck({ ...draft, projectId }, draft.regions))
          )
          const { sslExpiryThreshold } = draft.config
          const judged = standing(regions.filter(wasAsked), {
            intervalMillis: draft.interval * 1000,
            regions: [],
            ...(typeof sslExpiryThreshold === "number" ? { sslExpiryThreshold } : {})
          })
          return { ...judged, regions }
        }).pipe(refusing)
    })
  })
).pipe(Layer.provide(Probes.layer))

const wasAsked = (row: RegionOutcome): row is RegionOutcome & Found => row.checkedAt !== null

const stops = new Problem({
  code: "unavailable",
  detail: "The server is about to stop; try again",
  retryAfter: 5
})

const waits = invalid([{ path: "type", message: "This type waits for signals; there is nothing to check" }])

/** Regions that are named where nobody could be asked in any. */
const mostNamed = 5

const unavailable = (rows: ReadonlyArray<RegionOutcome>): Problem => {
  const named = rows.slice(0, mostNamed).map(({ failure, region }) => `${region}: ${failure?.message ?? ""}`)
  const why = rows.length === 0 ? ["no probe is alive anywhere"] : named
  return new Problem({ code: "unavailable", detail: `Nobody could check it; ${why.join("; ")}`, retryAfter: 5 })
}

const unwatched = ({ paused, pausedReason, signalToken }: Monitor): Problem => {
  if (signalToken !== null)
    return new Problem({
      code: "conflict",
      detail: "This monitor waits for signals; there is nothing to check. Send one to its heartbeatUrl"
    })
  // Deleted, between two looks.
  if (!paused) return notFound("monitor")
  const detail =
    pausedReason === "plan_limit"
      ? "The monitor is paused because the plan has no room for it; pause or delete another one, or change the plan"
      : 'The monitor is paused; resume it first (PATCH with {"paused": false})'
  return new Problem({ code: "conflict", detail })
}

const refusing = <A, R>(
  effect: Effect.Effect<A, MonitorNotFound | InvalidFields | NotAsked | Problem, R>
): Effect.Effect<A, Problem, R> =>
  Effect.mapError(effect, (error) => {
    switch (error._tag) {
      case "MonitorNotFound":
        return notFound("monitor")
      case "InvalidFields":
        return invalid(error.errors)
      case "BusUnavailable":
        return ProblemResponse.unavailable
      case "CallTooLarge":
        return new Problem({ code: "payload_too_large", detail: "The monitor is too large to be sent to a probe" })
      case "Problem":
        return error
    }
  })
