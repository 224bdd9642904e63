/**
 * The one way of an observation through the probe, in order: an actor reports it, it is classified (whether it is about the
 * target, and how it counts), accounted, and published. It may wait in between, while the probe finds out whether it is online.
 */
import { EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import { BusClock, type ClockReading } from "@kanmon/core/BusClock"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import * as Inversion from "@kanmon/core/Inversion"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { SupervisorHost } from "@kanmon/core/Supervisor"
import * as TraceContext from "@kanmon/core/TraceContext"
import { reason } from "@kanmon/domain/Reason"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { message } from "@kanmon/domain/ObservationMessage"
import { Clock, Effect, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CallServer } from "./CallServer.ts"
import * as Captures from "./Captures.ts"
import * as CheckSpans from "./CheckSpans.ts"
import * as ConnectivityGuard from "./ConnectivityGuard.ts"
import * as News from "./News.ts"
import type { Outbound } from "./Outbound.ts"
import type { ProbeStats } from "./ProbeStats.ts"

export interface PipelineOptions extends Pick<ConnectivityGuard.GuardOptions, "changed" | "referenceTargets"> {
  /** The most observations that wait until it is known whether the probe is online. */
  readonly held: number
  /** Share of the checks that are traced without a failure, from 0 to 1. */
  readonly traceShare: number
  readonly outbound: Outbound
  readonly stats: ProbeStats
  /** Callers that wait for the result of a check. */
  readonly calls: Pick<CallServer, "isAwaited" | "published">
}

export interface ObservationPipeline extends Pick<ConnectivityGuard.ConnectivityGuard, "answered" | "isOffline"> {
  /** Takes the observation of an actor whose check ended. Cheap and synchronous. */
  readonly take: SupervisorHost["report"]
  /** The monitor is removed. */
  readonly forget: (id: MonitorId) => void
  /** The monitor is checked by another probe from now on. */
  readonly handOver: (id: MonitorId) => void
}

/** Waiting messages above which captures are left out: they take several kilobytes each. */
const maxWithCaptures = 2000

export const make = Effect.fnUntraced(function* ({
  calls,
  changed,
  held,
  outbound,
  referenceTargets,
  stats,
  traceShare
}: PipelineOptions): Effect.fn.Return<
  ObservationPipeline,
  never,
  BusClock | Catalogue | CheckRunner | Scope.Scope | SecureRandom.SecureRandom
> {
  const busClock = yield* BusClock
  const clock = yield* Clock.Clock
  const runner = yield* CheckRunner
  const { checks } = yield* Catalogue
  const session = yield* Effect.flatMap(SecureRandom.SecureRandom, ({ ulid }) => ulid)
  const captures = Captures.make(() => outbound.size() > maxWithCaptures)
  const news = News.make()
  const spans = yield* CheckSpans.make(traceShare)

  // 1. An actor reports it, with how the check was run.
  const take: ObservationPipeline["take"] = (observation, spec, run) => {
    stats.began(run.lagMillis, spec.interval * 1000)
    // Called when the check ends.
    guard.see({ ...captures.select(observation), finishedAt: clock.currentTimeMillisUnsafe() }, spec, run)
  }

  // 2. Is it about the target? The guard holds a failure until it is known that the probe is online.
  const guard = yield* ConnectivityGuard.make({
    report: (observation, spec) => proceed(observation, spec),
    postponed: calls.published,
    lost: stats.lose,
    ask: (check, account, timeoutMillis) =>
      Effect.provideService(runner.runAtOnce(check, timeoutMillis), EvaluationOwner, account),
    referenceTargets,
    changed,
    capacity: held
  })

  const proceed = (found: Observation, spec: MonitorSpec): void => {
    // 3. How does it count? An inverted monitor passes when its check fails, and a wrong clock says nothing of any.
    const counted = dated(Inversion.apply(checks.get(spec.type), spec.config, found), busClock.reading())
    // A failure that does not count as one needs no explanation.
    const observation = counted.capture === undefined || counted.status === "down" ? counted : Captures.without(counted)
    // 4. It is accounted, and traced where it may cause a notification.
    stats.add(observation)
    const trace = spans?.record(observation, spec.type)
    // 5. It is published: at once where it is news, or where somebody waits for it.
    const outgoing = message(observation, spec.interval * 1000)
    const headers = trace === undefined ? outgoing.headers : { ...outgoing.headers, [TraceContext.header]: trace }
    const urgent = news.isNew(observation, spec) || calls.isAwaited()
    // The bus drops a second message with the same id, so nobody else may be able to predict ids.
    outbound.offer({ ...outgoing, headers, id: `${session}:${outgoing.id}` }, urgent)
    calls.published(observation)
  }

  const leave = (id: MonitorId): void => {
    captures.forget(id)
    news.forget(id)
    spans?.forget(id)
  }

  return {
    take,
    forget: (id) => {
      // Held observations are released, and leave before what is known of the monitor.
      guard.forget(id)
      leave(id)
    },
    handOver: (id) => {
      guard.handOver(id)
      leave(id)
    },
    answered: guard.answered,
    isOffline: guard.isOffline
  }
})

/** With a wrong clock the order of results is unknown, so they count as unknown. */
const dated = (observation: Observation, { offsetMillis, status }: ClockReading): Observation =>
  status === "wrong"
    ? {
        ...observation,
        status: "unknown",
        responseTime: null,
        failure: {
          code: "probe_clock_wrong",
          ...reason((offsetMillis ?? 0) > 0 ? "clock_behind" : "clock_ahead", {
            seconds: Math.round(Math.abs(offsetMillis ?? 0) / 1000)
          })
        }
      }
    : observation
