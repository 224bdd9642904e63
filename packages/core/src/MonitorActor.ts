/**
 * One monitor's actor: a fiber that owns its state and a mailbox. It wakes at the monitor's slots, runs the check in a child
 * fiber so that the mailbox stays open, and reports what came of it. A slot is never run twice and checks never overlap; a
 * slot that cannot be run in time is skipped and counted. A defect restarts it with growing pauses, and five in a row
 * quarantine it until its settings change or somebody asks for a check.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { nextSlot, phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { Cause, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import type { AlarmClock } from "./AlarmClock.ts"
import type { Prepared } from "./Check.ts"
import type { CheckResult } from "./CheckRunner.ts"

/** What an actor is told. */
export type Message =
  | { readonly _tag: "Configure"; readonly spec: MonitorSpec; readonly check: Prepared }
  | { readonly _tag: "Pause" }
  | { readonly _tag: "Resume" }
  | { readonly _tag: "CheckNow"; readonly reply: Deferred.Deferred<Observation, CheckNotRun> }

/** Nobody can say how the target is: the check's own code failed, or the check was called off. */
export class CheckNotRun extends Error {
  readonly _tag = "CheckNotRun"
}

/** What an actor asks of its host. All calls are cheap and none may block. */
export interface ActorHost {
  readonly region: string
  readonly alarms: AlarmClock
  readonly run: (check: Prepared, timeoutMillis: number, patienceMillis: number) => Effect.Effect<CheckResult>
  readonly report: (observation: Observation) => void
  readonly skipped: (monitorId: string, slots: number) => void
  readonly quarantined: (monitorId: string, cause: Cause.Cause<never>) => Effect.Effect<void>
}

export interface MonitorActor {
  readonly tell: (message: Message) => void
  readonly spec: () => MonitorSpec
  readonly isQuarantined: () => boolean
  /** The actor's life; interrupting it stops the monitor and a check in flight. */
  readonly live: Effect.Effect<never>
}

const defectsToQuarantine = 5
const firstPause = 1000
const longestPause = 60_000

export const make = (host: ActorHost, initialSpec: MonitorSpec, initialCheck: Prepared): MonitorActor => {
  let spec = initialSpec
  let check = initialCheck
  let paused = false
  let mailbox: Array<Message> = []
  let wake: (() => void) | undefined
  let inFlight:
    | { readonly fiber: Fiber.Fiber<void>; readonly asking: Array<Deferred.Deferred<Observation, CheckNotRun>> }
    | undefined
  let lastSlot: number | null = null
  let defects = 0
  let notBefore = 0

  const interval = (): number => spec.interval * 1000
  const quarantined = (): boolean => defects >= defectsToQuarantine
  const ring = (): void => {
    const ringing = wake
    wake = undefined
    ringing?.()
  }

  /** Waits until something is in the mailbox, or the instant has come. */
  const rest = (until: number | undefined): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      if (mailbox.length > 0) return resume(Effect.void)
      const callOffAlarm = until === undefined ? undefined : host.alarms.at(until, ring)
      wake = () => {
        callOffAlarm?.()
        resume(Effect.void)
      }
      return Effect.sync(() => {
        callOffAlarm?.()
        wake = undefined
      })
    })

  const observation = (slot: number, scheduledAt: number, checkedAt: number, result: CheckResult): Observation => ({
    monitorId: spec.id,
    projectId: spec.projectId,
    region: host.region,
    slot,
    scheduledAt,
    checkedAt,
    ...result
  })

  const conclude = (
    exit: Exit.Exit<Observation>,
    asking: ReadonlyArray<Deferred.Deferred<Observation, CheckNotRun>>
  ): Effect.Effect<void> =>
    Effect.gen(function* () {
      inFlight = undefined
      if (Exit.isSuccess(exit)) {
        defects = 0
        host.report(exit.value)
        for (const reply of asking) yield* Deferred.succeed(reply, exit.value)
      } else {
        for (const reply of asking) yield* Deferred.fail(reply, new CheckNotRun("The check could not be run"))
        if (!Cause.hasInterruptsOnly(exit.cause)) {
          defects++
          notBefore = (yield* Clock.currentTimeMillis) + Math.min(firstPause * 2 ** (defects - 1), longestPause)
          if (defects === defectsToQuarantine) yield* host.quarantined(spec.id, exit.cause)
        }
      }
      ring()
    })

  /** Runs the check in a child fiber; the actor goes on. */
  const start = (slot: number, scheduledAt: number, now: number, reply?: Deferred.Deferred<Observation, CheckNotRun>) =>
    Effect.gen(function* () {
      const asking = reply === undefined ? [] : [reply]
      const patience = Math.max(0, slotStart(slot + 1, phase(spec.id, interval()), interval()) - now)
      const fiber = yield* Effect.forkChild(
        host.run(check, spec.timeout * 1000, patience).pipe(
          Effect.map((result) => observation(slot, scheduledAt, now, result)),
          Effect.onExit((exit) => conclude(exit, asking)),
          Effect.asVoid,
          Effect.catchCause(() => Effect.void)
        )
      )
      // A check that ended at once has concluded already.
      if (fiber.pollUnsafe() === undefined) inFlight = { fiber, asking }
    })

  const callOff = Effect.suspend(() => (inFlight === undefined ? Effect.void : Fiber.interrupt(inFlight.fiber)))

  const receive = (message: Message): Effect.Effect<void> => {
    switch (message._tag) {
      case "Configure":
        return Effect.gen(function* () {
          // What is in flight would speak of the old settings.
          yield* callOff
          if (message.spec.interval !== spec.interval) lastSlot = null
          spec = message.spec
          check = message.check
          defects = 0
          notBefore = 0
        })
      case "Pause":
        return Effect.andThen(
          callOff,
          Effect.sync(() => {
            paused = true
          })
        )
      case "Resume":
        return Effect.sync(() => {
          paused = false
        })
      case "CheckNow":
        return Effect.gen(function* () {
          if (inFlight !== undefined) return void inFlight.asking.push(message.reply)
          if (quarantined()) defects = 0
          const now = yield* Clock.currentTimeMillis
          yield* start(slotOf(now, phase(spec.id, interval()), interval()), now, now, message.reply)
        })
    }
  }

  /** When the next slot is due; never while paused, quarantined or pausing after a defect. */
  const due = (now: number): { readonly slot: number; readonly at: number } | undefined => {
    if (paused || quarantined()) return undefined
    const slot = nextSlot(Math.max(now, notBefore), lastSlot, phase(spec.id, interval()), interval())
    return { slot, at: slotStart(slot, phase(spec.id, interval()), interval()) }
  }

  const live = Effect.gen(function* () {
    let next = due(yield* Clock.currentTimeMillis)
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      if (mailbox.length > 0) {
        const messages = mailbox
        mailbox = []
        for (const message of messages) yield* receive(message)
        next = due(yield* Clock.currentTimeMillis)
        continue
      }
      if (next === undefined || now < next.at) {
        yield* rest(next?.at)
        // A check that concluded may have changed what is due: a defect pauses, a quarantine ends it.
        if (mailbox.length === 0 && (next === undefined || quarantined() || notBefore > next.at))
          next = due(yield* Clock.currentTimeMillis)
        continue
      }
      const current = slotOf(now, phase(spec.id, interval()), interval())
      const missed = current - next.slot + (inFlight === undefined ? 0 : 1)
      if (missed > 0) host.skipped(spec.id, missed)
      lastSlot = current
      if (inFlight === undefined) yield* start(current, slotStart(current, phase(spec.id, interval()), interval()), now)
      next = due(now)
    }
  }).pipe(Effect.scoped) as Effect.Effect<never>

  return {
    tell: (message) => {
      mailbox.push(message)
      ring()
    },
    spec: () => spec,
    isQuarantined: quarantined,
    live
  }
}

/** Asks an actor for a check now; a check in flight answers too. */
export const checkNow = (actor: MonitorActor): Effect.Effect<Observation, CheckNotRun> =>
  Effect.gen(function* () {
    const reply = yield* Deferred.make<Observation, CheckNotRun>()
    actor.tell({ _tag: "CheckNow", reply })
    return yield* Deferred.await(reply)
  })
