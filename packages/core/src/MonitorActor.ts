/**
 * One monitor's actor: a fiber that owns its state and a mailbox. It wakes at the monitor's slots, runs the check in another
 * fiber so that the mailbox stays open, and reports what came of it. A slot is never run twice and checks never overlap; a
 * slot that cannot be run in time, or whose check is called off, is skipped and counted. A defect restarts it with growing
 * pauses, and five in a row quarantine it until its settings change or somebody asks for a check.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { catchUp, nextSlot, phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { Cause, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import type { ActorHost, Run } from "./ActorHost.ts"
import { type CheckNotRun, calledOff, type Message, refuse, type Reply, sameSettings } from "./ActorMessage.ts"
import type { Prepared } from "./Check.ts"
import { type CheckResult, pluginCrashed } from "./CheckResult.ts"
import { beyondTimeoutMillis } from "./CheckRunner.ts"

export interface MonitorActor {
  readonly tell: (message: Message) => void
  readonly spec: () => MonitorSpec
  readonly isQuarantined: () => boolean
  /**
   * The actor's life, until it is told to stop; interrupting it stops the monitor and a check in flight. When it dies, it can
   * be run again: what the actor was told meanwhile is kept.
   */
  readonly live: Effect.Effect<void>
  /**
   * To be called every few seconds. The backstop for whatever keeps a check from coming back or an alarm from ringing: a check
   * that is overdue counts as crashed, and an actor that overslept is woken.
   */
  readonly tend: () => void
}

const defectsToQuarantine = 5
/** A check by hand stands in for a slot that would begin so soon after it, in milliseconds. */
const standsIn = 1000
const firstPause = 1000
const longestPause = 60_000
/** A check that is to end may take so long before the actor goes on without it. */
const endingMillis = 3000
/** How far beyond its time a check or an alarm may be before it counts as lost: a busy process is late, too. */
const allowanceMillis = 10_000

/** With `resumes`, the slot that has already begun is run too, soon: the monitor was watched elsewhere or before. */
export const make = (
  host: ActorHost,
  spec: MonitorSpec,
  check: Prepared,
  options: { readonly resumes: boolean } = { resumes: false }
): MonitorActor => new Actor(host, spec, check, options.resumes)

/** Asks an actor for a check now; a check in flight answers too. */
export const checkNow = (actor: MonitorActor): Effect.Effect<Observation, CheckNotRun> =>
  Effect.suspend(() => {
    const reply = Deferred.makeUnsafe<Observation, CheckNotRun>()
    actor.tell({ _tag: "CheckNow", reply })
    return Deferred.await(reply)
  })

interface InFlight {
  readonly asking: Array<Reply>
  readonly slot: number
  readonly scheduledAt: number
  readonly checkedAt: number
  readonly lagMillis: number
  readonly check: Prepared
  fiber: Fiber.Fiber<CheckResult> | undefined
  /** By the alarm clock: it should have come back long before. */
  overdueAt: number
  /** How often {@link MonitorActor.tend} has found it overdue. */
  foundOverdue: number
  calledOff: boolean
}

interface Broken {
  readonly check: InFlight
  readonly cause: Cause.Cause<unknown>
}

// A class, and not closures: there are tens of thousands of them.
class Actor implements MonitorActor {
  readonly #host: ActorHost
  #spec: MonitorSpec
  #check: Prepared
  #phase: number
  #mailbox: Array<Message> = []
  #wake: (() => void) | undefined = undefined
  /** By the alarm clock: when it is to wake. */
  #wakesAt = Number.POSITIVE_INFINITY
  #stirred = false
  #paused = false
  #stopping = false
  #over = false
  #inFlight: InFlight | undefined = undefined
  /** What a check that ended by its own fault left behind, for the actor's fiber to deal with. */
  #broken: Broken | undefined = undefined
  /** When the newest slot that was run, or skipped, was due. */
  #lastDue: number | null = null
  #next: number | undefined = undefined
  /** When the slot that had begun before the actor did is run after all; null when it is not, undefined: to be planned. */
  #late: number | null | undefined
  #defects = 0
  #notBefore = 0

  constructor(host: ActorHost, spec: MonitorSpec, check: Prepared, resumes: boolean) {
    this.#host = host
    this.#spec = spec
    this.#check = check
    this.#phase = phase(spec.id, spec.interval * 1000)
    this.#late = resumes ? undefined : null
  }

  tell(message: Message): void {
    if (this.#over) return refuse(message)
    this.#mailbox.push(message)
    this.#ring()
  }

  spec(): MonitorSpec {
    return this.#spec
  }

  isQuarantined(): boolean {
    return this.#defects >= defectsToQuarantine
  }

  get live(): Effect.Effect<void> {
    const life = Effect.suspend(() => {
      this.#over = false
      return this.#life
    })
    return Effect.onExit(life, (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit) && !Cause.hasInterrupts(exit.cause)) return
        this.#over = true
        this.#inFlight?.fiber?.interruptUnsafe()
        for (const message of this.#mailbox.splice(0)) refuse(message)
      })
    )
  }

  tend(): void {
    const check = this.#inFlight
    const now = this.#host.alarms.now()
    // Twice, because a process that was frozen finds everything overdue at once, and all of it about to end.
    if (check !== undefined && now >= check.overdueAt && ++check.foundOverdue > 1) {
      this.#inFlight = undefined
      check.fiber?.interruptUnsafe()
      this.#broke(check, Cause.die(new Error("The check did not come back")))
    }
    if (now >= this.#wakesAt + allowanceMillis) this.#ring()
  }

  readonly #life = Effect.gen({ self: this }, function* () {
    const clock = yield* Clock.Clock
    for (;;) {
      if (this.#broken !== undefined) yield* this.#recover(this.#broken, clock.currentTimeMillisUnsafe())
      while (this.#mailbox.length > 0) yield* this.#receive(this.#mailbox.shift()!, clock.currentTimeMillisUnsafe())
      if (this.#stopping && this.#inFlight === undefined && this.#broken === undefined) return
      const now = clock.currentTimeMillisUnsafe()
      const next = this.#plan(now)
      yield* next === undefined || now < next ? this.#rest(next, now) : this.#tick(now)
    }
  })

  /** When the next slot is due. One that is overdue stays so; all else may have changed since it was planned. */
  #plan(now: number): number | undefined {
    if (this.#paused || this.#stopping || this.isQuarantined()) return (this.#next = undefined)
    if (this.#next !== undefined && this.#next <= now && this.#next >= this.#notBefore) return this.#next
    const interval = this.#spec.interval * 1000
    // A clock that was set back: to wait for what was planned by the old time to come again would be silence.
    if (this.#lastDue !== null && this.#lastDue > now + interval) this.#lastDue = this.#late = null
    this.#notBefore = Math.min(this.#notBefore, now + longestPause)
    const last = this.#lastDue === null ? null : slotOf(this.#lastDue, this.#phase, interval)
    const slot = nextSlot(Math.max(now, this.#notBefore), last, this.#phase, interval)
    const due = slotStart(slot, this.#phase, interval)
    if (this.#late === undefined) this.#late = catchUp(now, this.#phase, interval)
    const late = this.#lastDue === null && this.#late !== null ? Math.max(this.#late, this.#notBefore) : due
    return (this.#next = Math.min(late, due))
  }

  #tick(now: number): Effect.Effect<void> {
    const interval = this.#spec.interval * 1000
    const slot = slotOf(now, this.#phase, interval)
    const due = slotStart(slot, this.#phase, interval)
    const lag = now - this.#next!
    const missed = Math.round((due - this.#next!) / interval) + (this.#inFlight === undefined ? 0 : 1)
    if (missed > 0) this.#host.skipped(this.#spec.id, missed)
    this.#lastDue = due
    this.#next = undefined
    return this.#inFlight === undefined ? this.#start(slot, due, now, [], lag) : Effect.void
  }

  /** Runs the check in a fiber of its own, which the actor need not wait for at its end; the actor goes on. */
  #start(slot: number, scheduledAt: number, now: number, asking: Array<Reply>, lagMillis: number): Effect.Effect<void> {
    const { alarms } = this.#host
    const interval = this.#spec.interval * 1000
    const timeout = this.#spec.timeout * 1000
    const patience = Math.max(0, slotStart(slot + 1, this.#phase, interval) - now)
    const inFlight: InFlight = {
      asking,
      slot,
      scheduledAt,
      checkedAt: now,
      lagMillis,
      check: this.#check,
      fiber: undefined,
      overdueAt: alarms.now() + patience + allowanceMillis,
      foundOverdue: 0,
      calledOff: false
    }
    this.#inFlight = inFlight
    const begun = (): void => {
      inFlight.overdueAt = alarms.now() + timeout + beyondTimeoutMillis + allowanceMillis
    }
    const run = this.#host.run(this.#check, timeout, patience, begun)
    return Effect.map(Effect.forkDetach(run, { startImmediately: true }), (fiber) => {
      inFlight.fiber = fiber
      fiber.addObserver((exit) => this.#conclude(inFlight, exit))
    })
  }

  #conclude(check: InFlight, exit: Exit.Exit<CheckResult>): void {
    // One that was given up has been dealt with.
    if (this.#inFlight !== check) return
    this.#inFlight = undefined
    try {
      if (Exit.isSuccess(exit)) {
        this.#report(check, exit.value)
        if (this.#defects > 0) {
          this.#defects = 0
          this.#notBefore = 0
          this.#ring()
        }
      } else if (check.calledOff || this.#over) {
        for (const reply of check.asking) Deferred.doneUnsafe(reply, calledOff)
        this.#host.skipped(this.#spec.id, 1)
      } else {
        this.#broke(check, exit.cause)
      }
    } catch (error) {
      this.#broke(check, Cause.die(error))
    }
    if (this.#stopping) this.#ring()
  }

  #report(check: InFlight, result: CheckResult): void {
    const observation: Observation = {
      monitorId: this.#spec.id,
      projectId: this.#spec.projectId,
      region: this.#host.region,
      slot: check.slot,
      scheduledAt: check.scheduledAt,
      checkedAt: check.checkedAt,
      ...result
    }
    const run: Run = {
      check: check.check,
      lagMillis: check.lagMillis + observation.checkedAt - check.checkedAt
    }
    this.#host.report(observation, this.#spec, run)
    for (const reply of check.asking) Deferred.doneUnsafe(reply, Effect.succeed(observation))
  }

  #broke(check: InFlight, cause: Cause.Cause<unknown>): void {
    this.#broken = { check, cause }
    this.#ring()
  }

  /** After a defect: tells of it, and pauses. */
  #recover({ cause, check }: Broken, now: number): Effect.Effect<void> {
    this.#broken = undefined
    this.#defects++
    this.#notBefore = now + Math.min(firstPause * 2 ** (this.#defects - 1), longestPause)
    try {
      this.#report(check, pluginCrashed)
    } finally {
      // No effect on those that have been answered.
      for (const reply of check.asking) Deferred.doneUnsafe(reply, calledOff)
    }
    const told = this.#host.defect(this.#spec.id, cause, this.#defects)
    return this.#defects === defectsToQuarantine
      ? Effect.andThen(told, this.#host.quarantined(this.#spec.id, cause))
      : told
  }

  #receive(message: Message, now: number): Effect.Effect<void> {
    switch (message._tag) {
      case "Configure":
        // What is in flight would speak of the old settings.
        return Effect.map(this.#callOff(!sameSettings(this.#spec, message.spec)), () => {
          this.#spec = message.spec
          this.#check = message.check
          this.#phase = phase(message.spec.id, message.spec.interval * 1000)
          this.#next = undefined
          this.#late = null
          this.#defects = 0
          this.#notBefore = 0
        })
      case "Pause":
        this.#paused = true
        return this.#callOff(true)
      case "Resume":
        this.#paused = false
        return Effect.void
      case "CheckNow": {
        if (this.#stopping) return Effect.sync(() => refuse(message))
        if (this.#inFlight !== undefined)
          return Effect.asVoid(Effect.succeed(this.#inFlight.asking.push(message.reply)))
        if (this.isQuarantined()) this.#defects = 0
        const interval = this.#spec.interval * 1000
        const slot = slotOf(now, this.#phase, interval)
        const next = slotStart(slot + 1, this.#phase, interval)
        this.#late = null
        if (next - now < standsIn) [this.#lastDue, this.#next] = [next, undefined]
        return this.#start(slot, now, now, [message.reply], 0)
      }
      case "Stop":
        this.#stopping = true
        return Effect.void
    }
  }

  #callOff(really: boolean): Effect.Effect<void> {
    const check = this.#inFlight
    if (!really || check === undefined) return Effect.void
    check.calledOff = true
    const { fiber } = check
    fiber?.interruptUnsafe()
    // The mailbox does not stay shut for a check that does not end.
    return Effect.map(fiber === undefined ? Effect.void : Effect.timeoutOption(Fiber.await(fiber), endingMillis), () =>
      this.#conclude(check, Exit.interrupt())
    )
  }

  /** Waits for the instant, or until somebody rings. */
  #rest(until: number | undefined, now: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#stirred) {
        this.#stirred = false
        return resume(Effect.void)
      }
      const { alarms } = this.#host
      const millis = until === undefined ? Number.POSITIVE_INFINITY : until - now
      const callOffAlarm = until === undefined ? undefined : alarms.after(millis, () => this.#ring())
      this.#wakesAt = alarms.now() + millis
      this.#wake = () => {
        callOffAlarm?.()
        resume(Effect.void)
      }
      return Effect.sync(() => {
        callOffAlarm?.()
        this.#wake = undefined
        this.#wakesAt = Number.POSITIVE_INFINITY
      })
    })
  }

  /** Wakes the actor, or keeps it from going to rest. */
  #ring(): void {
    const wake = this.#wake
    this.#wake = undefined
    this.#wakesAt = Number.POSITIVE_INFINITY
    if (wake === undefined) this.#stirred = true
    else wake()
  }
}
