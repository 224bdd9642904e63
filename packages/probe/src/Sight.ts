/**
 * Blind is not down. When a check that passed turns into a failure, the probe first asks itself whether it can see at all: it
 * asks its sentinels. Without any, and with at least twenty unrelated targets, it asks a few of those that it saw well a
 * moment ago, and counts how many turn down within a minute: when none answers, or more than half turned, nobody knows how
 * the targets are. The results become `unknown` until something can be seen again, and the operator is told instead of the
 * customers.
 */
import type { Prepared } from "@kanmon/core/Check"
import type { CheckResult } from "@kanmon/core/CheckRunner"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation, Outcome } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Clock, Effect, Queue, type Scope } from "effect"

export interface SightOptions {
  /** Where results go, the mended ones too. */
  readonly report: (observation: Observation, spec: MonitorSpec) => void
  /** Runs a check beside its schedule, for a second look around. */
  readonly check: (check: Prepared, timeoutMillis: number) => Effect.Effect<CheckResult>
  /** The check of a monitor; undefined when it cannot be had. */
  readonly prepare: (spec: MonitorSpec) => Prepared | undefined
  /** Whether any sentinel answers; undefined when there are none. */
  readonly sentinels: Effect.Effect<boolean> | undefined
  /** Called when sight is lost and when it is back. */
  readonly changed: (blind: boolean) => Effect.Effect<void>
}

export interface Sight {
  /** Takes a result as the actors report it. Cheap and synchronous; what has to be looked into is passed on later. */
  readonly see: (observation: Observation, spec: MonitorSpec) => void
  readonly isBlind: () => boolean
  readonly forget: (monitorId: string) => void
}

/** As many other targets are asked. */
const peers = 5
const peerTimeout = 2000
/** For so long an answer holds: failures that come together are looked into once. */
const fresh = 1000
/** Peers have to have been seen well within this time. */
const recent = 120_000
const remembered = 64
/** With fewer unrelated targets than this, their failing together may be the truth. And the window of the count. */
const mass = 20
const massWindow = 60_000

interface Seen {
  status: RegionStatus
  at: number
  readonly host: string
  readonly check: Prepared
  readonly revision: number
}

interface Doubt {
  readonly observation: Observation
  readonly spec: MonitorSpec
}

const blindness = {
  code: "probe_blind",
  message: "The probe could not reach anything at the time, so nobody knows how the target is"
}

export const make = Effect.fnUntraced(function* (options: SightOptions): Effect.fn.Return<Sight, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const known = new Map<string, Seen>()
  const hosts = new Map<string, number>()
  const recentlyWell: Array<string> = []
  let cursor = 0
  /** Hosts that turned down, and when. */
  const turned = new Map<string, number>()
  let blind = false
  /** When sight came back last. What was checked before may have been in the dark. */
  let seesSince = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  const doubts = yield* Queue.unbounded<Doubt | "seen something">()

  const forget = (monitorId: string): void => {
    const seen = known.get(monitorId)
    if (seen === undefined) return
    known.delete(monitorId)
    const left = (hosts.get(seen.host) ?? 1) - 1
    if (left === 0) hosts.delete(seen.host)
    else hosts.set(seen.host, left)
  }

  const meet = (observation: Observation, spec: MonitorSpec): Seen | undefined => {
    const found = known.get(observation.monitorId)
    if (found?.revision === spec.revision) return found
    if (found !== undefined) forget(observation.monitorId)
    const check = options.prepare(spec)
    if (check === undefined) return undefined
    const { at = 0, status = "unknown" } = found ?? {}
    const seen: Seen = { status, at, host: check.host, check, revision: spec.revision }
    known.set(observation.monitorId, seen)
    hosts.set(seen.host, (hosts.get(seen.host) ?? 0) + 1)
    return seen
  }

  const massFailure = (now: number): boolean => {
    for (const [host, at] of turned) if (now - at > massWindow) turned.delete(host)
    return turned.size >= mass && turned.size * 2 > hosts.size
  }

  /** Targets on other hosts that were well a moment ago. */
  const others = (host: string, now: number): ReadonlyArray<Seen> => {
    const chosen = new Map<string, Seen>()
    for (let back = 1; back <= remembered && chosen.size < peers; back++) {
      const id = recentlyWell[(cursor - back + 2 * remembered) % remembered]
      const seen = id === undefined ? undefined : known.get(id)
      if (seen === undefined || seen.host === host || seen.status === "down" || now - seen.at > recent) continue
      chosen.set(seen.host, seen)
    }
    return [...chosen.values()]
  }

  /** Whether anything can be seen. Where there is no telling: yes. */
  const look = (host: string) =>
    Effect.gen(function* () {
      if (options.sentinels !== undefined) return yield* options.sentinels
      const asked = hosts.size < mass ? [] : others(host, clock.currentTimeMillisUnsafe())
      if (asked.length < peers) return !blind
      const answers = yield* Effect.forEach(
        asked,
        ({ check }) =>
          Effect.map(Effect.exit(options.check(check, peerTimeout)), (exit) =>
            exit._tag === "Success" ? exit.value.status === "up" || exit.value.status === "degraded" : false
          ),
        { concurrency: peers }
      )
      return answers.some(Boolean)
    })

  const turn = (to: boolean) =>
    Effect.suspend(() => {
      if (to === blind) return Effect.void
      blind = to
      if (!blind) seesSince = clock.currentTimeMillisUnsafe()
      return options.changed(to)
    })

  /** Sentinels that answer are proof; a mass failure is a suspicion, for those who have none. */
  const suspicious = (now: number): boolean => options.sentinels === undefined && massFailure(now)

  const decide = Effect.fnUntraced(function* ({ observation, spec }: Doubt) {
    const seen = known.get(observation.monitorId)
    if (seen === undefined) return options.report(observation, spec)
    if (clock.currentTimeMillisUnsafe() - lookedAt > fresh) {
      const sees = yield* look(seen.host)
      lookedAt = clock.currentTimeMillisUnsafe()
      yield* turn(!sees || suspicious(lookedAt))
    } else if (suspicious(clock.currentTimeMillisUnsafe())) yield* turn(true)
    if (blind || observation.checkedAt < seesSince) return options.report(unseen(observation), spec)
    seen.status = "down"
    options.report(observation, spec)
  })

  const reconsider = Effect.gen(function* () {
    if (!blind) return
    const sees = options.sentinels === undefined || (yield* options.sentinels)
    yield* turn(!sees || suspicious(clock.currentTimeMillisUnsafe()))
  })

  yield* Effect.forkScoped(
    Effect.forever(
      Effect.flatMap(Queue.take(doubts), (doubt) =>
        doubt === "seen something"
          ? reconsider
          : Effect.catchCause(decide(doubt), (cause) =>
              Effect.logError("A failure could not be looked into; it is reported as it is", cause).pipe(
                Effect.andThen(Effect.sync(() => options.report(doubt.observation, doubt.spec)))
              )
            )
      )
    )
  )

  return {
    isBlind: () => blind,
    forget,
    see: (observation, spec) => {
      const seen = meet(observation, spec)
      if (seen === undefined) return options.report(observation, spec)
      const now = clock.currentTimeMillisUnsafe()
      if (observation.status === "up" || observation.status === "degraded") {
        seen.status = observation.status
        seen.at = now
        turned.delete(seen.host)
        recentlyWell[cursor] = observation.monitorId
        cursor = (cursor + 1) % remembered
        if (blind) Queue.offerUnsafe(doubts, "seen something")
        return options.report(observation, spec)
      }
      if (observation.status === "unknown") return options.report(observation, spec)
      if (seen.status === "down" && !blind && observation.checkedAt >= seesSince)
        return options.report(observation, spec)
      turned.set(seen.host, now)
      Queue.offerUnsafe(doubts, { observation, spec })
    }
  }
})

/** What a failure says of its target when the probe could not see: nothing. */
export const unseen = <Found extends Outcome>(found: Found): Found => ({
  ...found,
  status: "unknown",
  responseTime: null,
  failure: blindness
})
