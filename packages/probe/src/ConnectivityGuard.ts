/**
 * Tells an offline probe from a target that is down. Every result passes through here; a failure is held while others are
 * asked whether they answer. `Connectivity` decides, `Witnesses` chooses whom to ask, `HeldResults` keeps what is held;
 * this module connects them.
 */
import type { Run } from "@kanmon/core/ActorHost"
import { sameSettings } from "@kanmon/core/ActorMessage"
import { monotonicMillis } from "@kanmon/core/AlarmClock"
import { causeText } from "@kanmon/core/CauseText"
import type { Prepared } from "@kanmon/core/Check"
import type { CheckResult } from "@kanmon/core/CheckResult"
import { reason } from "@kanmon/domain/Reason"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation, CheckOutcome } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Clock, Effect, Latch, Queue, Random, type Scope } from "effect"
import * as Connectivity from "./Connectivity.ts"
import * as HeldResults from "./HeldResults.ts"
import * as Witnesses from "./Witnesses.ts"

export interface GuardOptions {
  /** Receives results, in order for each monitor. */
  readonly report: (observation: Observation, spec: MonitorSpec) => void
  /** Gives callers that wait for this result its provisional form; the held result may be reported differently later. */
  readonly postponed: (observation: Observation) => void
  /** A result was dropped for lack of capacity. */
  readonly lost: () => void
  /** Runs a check of an account outside its schedule. */
  readonly ask: (check: Prepared, account: string, timeoutMillis: number) => Effect.Effect<CheckResult>
  /** Whether any reference target answers; undefined when there are none and witnesses are asked. */
  readonly referenceTargets: Effect.Effect<boolean> | undefined
  readonly changed: (change: Connectivity.Change) => Effect.Effect<void>
  /** Maximum number of held results, in addition to two of each monitor. */
  readonly capacity: number
}

export interface ConnectivityGuard {
  /** Receives a result from an actor. Cheap and synchronous. */
  readonly see: (observation: Observation, spec: MonitorSpec, run: Run) => void
  /** A target answered elsewhere. */
  readonly answered: () => void
  readonly isOffline: () => boolean
  /** The monitor is removed: its held results are reported as unknown. */
  readonly forget: (monitorId: string) => void
  /** The monitor is checked elsewhere from now on. Its held results stay held. */
  readonly handOver: (monitorId: string) => void
}

/** Waits this long for a result that answers the question before anything is asked, in milliseconds. */
const grace = 100
/** Pause between two rounds of asking, in milliseconds. */
const pause = 1000
/** With more monitors, looking for witnesses after each failure would cost more than the wait. */
const fewMonitors = 1000
/** A slower round of asking counts as failed. */
const askWithin = "5 seconds"
/**
 * After witnesses answered for an account, its further failures count without asking for this time, in milliseconds: a
 * customer must not be able to make a probe ask other accounts' targets continuously.
 */
const settledFor = 10_000

/** Failures of the probe itself, which are unrelated to its connection. */
const ownFaults: ReadonlySet<string | undefined> = new Set([
  "probe_saturated",
  "probe_paused",
  "check_defect",
  "evaluation_unavailable"
])

/** The state of a monitor: for its role as a witness, and to detect changes. */
interface Known {
  account: string
  check: Prepared
  spec: MonitorSpec
  /** The last reported status. */
  status: RegionStatus | undefined
  passedAt: Connectivity.Instant
  millis: number
}

const offlineFailure = {
  code: "probe_offline",
  ...reason("probe_offline", {})
}

export const make = Effect.fnUntraced(function* (
  options: GuardOptions
): Effect.fn.Return<ConnectivityGuard, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const now = () => monotonicMillis(clock)
  const referenced = options.referenceTargets !== undefined
  const known = new Map<string, Known>()
  /** Number of known monitors per account. */
  const accounts = new Map<string, number>()
  const held = HeldResults.make(options.capacity)
  const changes = yield* Queue.unbounded<Connectivity.Change>()
  const asking = Latch.makeUnsafe(false)
  const settled = Latch.makeUnsafe(true)
  let state = Connectivity.initial
  /** The failure that raised the doubt. */
  let doubtful: { readonly host: string | undefined; readonly account: string } | undefined
  /** When witnesses were last asked for each account, unless the probe proved to be offline since. */
  const askedFor = new Map<string, Connectivity.Instant>()

  const count = (account: string, step: 1 | -1): void => {
    const monitors = (accounts.get(account) ?? 0) + step
    if (monitors === 0) accounts.delete(account)
    else accounts.set(account, monitors)
  }

  const tell = ({ observation, spec }: HeldResults.Held): void => {
    const monitor = known.get(observation.monitorId)
    if (monitor !== undefined) {
      monitor.status = observation.status
      // Before the failure is confirmed: a target that seems to have failed with all others may be asked again.
      if (observation.status === "down") monitor.passedAt = Number.NEGATIVE_INFINITY
    }
    options.report(observation, spec)
  }

  const release = (results: ReadonlyArray<HeldResults.Held>, verdict: "report" | "unknown"): void => {
    for (const result of results) {
      try {
        tell(verdict === "report" ? result : { ...result, observation: asOffline(result.observation) })
      } catch {
        // A callback that throws must not affect the other results.
        options.lost()
      }
    }
  }

  const decide = (event: Connectivity.Event): Connectivity.ClaimDecision | undefined => {
    const decision = Connectivity.decide(state, event, referenced)
    state = decision.state
    if (Connectivity.isAsking(state)) {
      settled.closeUnsafe()
      asking.openUnsafe()
    } else {
      asking.closeUnsafe()
      settled.openUnsafe()
    }
    if (decision.held !== undefined) release(held.take(), decision.held)
    if (decision.change !== undefined) Queue.offerUnsafe(changes, decision.change)
    if (decision.change === "offline")
      for (const { observation } of held.all()) options.postponed(asOffline(observation))
    return decision.claim
  }

  const hold = (result: HeldResults.Held): void => {
    if (!held.add(result)) options.lost()
    if (state._tag === "Offline") options.postponed(asOffline(result.observation))
  }

  const meet = (spec: MonitorSpec, check: Prepared): Known => {
    const found = known.get(spec.id)
    if (found?.spec === spec) return found
    const account = spec.account ?? spec.projectId
    count(account, 1)
    if (found === undefined) {
      const monitor: Known = { account, check, spec, status: undefined, passedAt: Number.NEGATIVE_INFINITY, millis: 0 }
      known.set(spec.id, monitor)
      return monitor
    }
    count(found.account, -1)
    // The held result was made with old settings.
    if (!sameSettings(found.spec, spec)) release(held.take(spec.id), "unknown")
    return Object.assign(found, { account, check, spec })
  }

  const drop = (monitorId: string): void => {
    const monitor = known.get(monitorId)
    if (monitor === undefined) return
    known.delete(monitorId)
    count(monitor.account, -1)
  }

  /** With a single account no other one is affected. */
  const mayAskFor = (account: string, at: Connectivity.Instant): boolean =>
    accounts.size < 2 || at - (askedFor.get(account) ?? Number.NEGATIVE_INFINITY) >= settledFor

  const noteAsking = (account: string, at: Connectivity.Instant): void => {
    for (const [other, askedAt] of askedFor) if (at - askedAt >= settledFor) askedFor.delete(other)
    askedFor.set(account, at)
  }

  const chosen = () =>
    Witnesses.choose(known.values(), accounts.size, doubtful?.host, now(), () => random.nextDoubleUnsafe())

  /**
   * Whether it is known without waiting that there are too few witnesses. No witness is asked then, so the pause is not
   * needed.
   */
  const isUnanswerable = (): boolean =>
    !referenced && state._tag === "Doubtful" && known.size <= fewMonitors && chosen().length < Witnesses.fewest

  const askWitnesses = Effect.gen(function* () {
    const witnesses = chosen()
    if (witnesses.length < Witnesses.fewest) return "Unanswerable" as const
    // Not while offline: nothing is reached then, and the next failure may be another loss of the connection.
    if (doubtful !== undefined && state._tag === "Doubtful") noteAsking(doubtful.account, now())
    let silent = 0
    yield* Effect.forEach(
      witnesses,
      ({ account, check }) =>
        Effect.map(Effect.exit(options.ask(check, account, Witnesses.answerWithin)), (exit) => {
          if (exit._tag === "Failure" || ownFaults.has(exit.value.failure?.code)) return
          if (answers(exit.value)) decide({ _tag: "Answered", at: now() })
          else silent++
        }),
      { concurrency: "unbounded", discard: true }
    )
    if (silent < Witnesses.fewest) return "Unanswerable" as const
    // A connection that was lost may be lost again soon.
    askedFor.clear()
    return "Silent" as const
  })

  const ask =
    options.referenceTargets === undefined
      ? askWitnesses
      : Effect.map(options.referenceTargets, (any) => (any ? ("Answered" as const) : ("Silent" as const)))

  /** One round of asking. A failure of it must not hold results. */
  const look = Effect.gen(function* () {
    yield* asking.await
    // The result that raised the doubt has to be held first.
    yield* Effect.yieldNow
    if (isUnanswerable()) return void decide({ _tag: "Unanswerable", at: now() })
    yield* Effect.sleep(grace)
    if (!Connectivity.isAsking(state)) return
    const outcome = yield* Effect.raceFirst(ask, Effect.as(settled.await, undefined)).pipe(
      Effect.timeoutOrElse({ duration: askWithin, orElse: () => Effect.succeed("Unanswerable" as const) }),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logError("Asking whether this probe is offline failed", causeText(cause)),
          "Unanswerable" as const
        )
      )
    )
    decide({ _tag: outcome ?? "Elapsed", at: now() })
    const left = state._tag === "Offline" && !referenced ? state.since + Connectivity.longestOffline - now() : pause
    yield* Effect.sleep(Math.max(0, Math.min(pause, left)))
    decide({ _tag: "Elapsed", at: now() })
  })
  const safely = (what: Effect.Effect<unknown>) =>
    Effect.catchCause(what, (cause) =>
      Effect.andThen(Effect.logError("The connectivity guard failed", causeText(cause)), Effect.sleep(pause))
    )
  yield* Effect.forkScoped(Effect.forever(safely(look)))
  yield* Effect.forkScoped(Effect.forever(safely(Effect.flatMap(Queue.take(changes), options.changed))))
  // Without proof of being offline, results count; results that were proven worthless stay unknown.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => release(held.take(), state._tag === "Offline" ? "unknown" : "report"))
  )

  const see: ConnectivityGuard["see"] = (observation, spec, run) => {
    const at = now()
    const monitor = meet(spec, run.check)
    const { status } = observation
    const news = monitor.status !== status && mayAskFor(monitor.account, at)
    const result = { observation, spec }
    if (passed(observation)) {
      monitor.passedAt = at
      monitor.millis = observation.responseTime ?? Number.POSITIVE_INFINITY
      if (state._tag !== "Online") decide({ _tag: "Answered", at })
      return tell(result)
    }
    if (status === "unknown") {
      if (news && !ownFaults.has(observation.failure?.code)) {
        if (!Connectivity.isAsking(state)) doubtful = { host: undefined, account: monitor.account }
        decide({ _tag: "Suspected", at })
      }
      return held.has(spec.id) ? hold(result) : tell(result)
    }
    const began = at - Math.max(0, clock.currentTimeMillisUnsafe() - observation.checkedAt)
    if (!Connectivity.isAsking(state)) doubtful = { host: run.check.host, account: monitor.account }
    const verdict = decide({ _tag: "Claimed", at, began, news })
    // Queued behind the monitor's held results to keep the order.
    if (verdict === "hold" || held.has(spec.id)) return hold(result)
    return tell(verdict === "unknown" ? { ...result, observation: asOffline(observation) } : result)
  }

  return {
    see,
    answered: () => void decide({ _tag: "Answered", at: now() }),
    isOffline: () => state._tag === "Offline",
    forget: (monitorId) => {
      drop(monitorId)
      release(held.take(monitorId), "unknown")
    },
    handOver: drop
  }
})

export const passed = ({ status }: Pick<CheckOutcome, "status">): boolean => status === "up" || status === "degraded"

/** Whether a witness answered at all: a 503 proves the connection, too. */
const answers = (result: CheckResult): boolean => passed(result) || result.timing.firstByte !== undefined

/** A result from an offline probe says nothing about its target. */
export const asOffline = <Found extends CheckOutcome>(found: Found): Found => ({
  ...found,
  status: "unknown",
  responseTime: null,
  failure: offlineFailure
})
