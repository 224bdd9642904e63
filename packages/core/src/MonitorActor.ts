/**
 * The actor of one monitor: a fiber with a state and a mailbox. It wakes at the monitor's slots, runs the check in
 * another fiber so that the mailbox stays responsive, and reports the result. A slot is never run twice and checks
 * never overlap; a slot that cannot run in time, or has a cancelled check, is skipped and counted. With a retry
 * interval, a failed check is repeated sooner, until the failures are enough for an alert; a retry takes the place of
 * the slots that begin before it. A defect restarts the actor with a growing delay; five in a row quarantine it until
 * its settings change or a check is requested.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Cause, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import type { ActorHost, Run } from "./ActorHost.ts"
import { type CheckNotRun, calledOff, type Message, refuse, type Reply, sameSettings } from "./ActorMessage.ts"
import type { Prepared } from "./Check.ts"
import { type CheckResult, pluginCrashed } from "./CheckResult.ts"
import { beyondTimeoutMillis } from "./CheckRunner.ts"
import { CheckSchedule, type DueCheck, longestHold } from "./CheckSchedule.ts"

export interface MonitorActor {
  readonly tell: (message: Message) => void
  readonly spec: () => MonitorSpec
  readonly isQuarantined: () => boolean
  /**
   * Runs the actor until it is stopped; interrupting it also stops the running check. It can be run again after it died:
   * its mailbox is kept.
   */
  readonly live: Effect.Effect<void>
  /**
   * Called every few seconds. Safety net for lost checks and alarms: a check that is overdue counts as crashed, and an
   * actor that missed its alarm is woken.
   */
  readonly tend: () => void
}

const defectsToQuarantine = 5
const firstPause = 1000
/** How long the actor waits for a check that it interrupted. */
const endingMillis = 3000
/** How far a check or alarm may exceed its time before it counts as lost; a busy process is late, too. */
const allowanceMillis = 10_000

/** With `resumes`, the current slot is caught up on: the monitor was checked elsewhere or before. */
export const make = (
  host: ActorHost,
  spec: MonitorSpec,
  check: Prepared,
  options: { readonly resumes: boolean } = { resumes: false }
): MonitorActor => new Actor(host, spec, check, options.resumes)

/** Requests a check; a running check also answers. */
export const checkNow = (actor: MonitorActor): Effect.Effect<Observation, CheckNotRun> =>
  Effect.suspend(() => {
    const reply = Deferred.makeUnsafe<Observation, CheckNotRun>()
    actor.tell({ _tag: "CheckNow", reply })
    return Deferred.await(reply)
  })

interface InFlight extends DueCheck {
  readonly asking: Array<Reply>
  readonly checkedAt: number
  readonly check: Prepared
  fiber: Fiber.Fiber<CheckResult> | undefined
  /** When it counts as lost, on the alarm clock. */
  overdueAt: number
  /** How often {@link MonitorActor.tend} has found it overdue. */
  foundOverdue: number
  calledOff: boolean
}

interface Broken {
  readonly check: InFlight
  readonly cause: Cause.Cause<unknown>
}

// A class rather than closures, because there are tens of thousands of instances.
class Actor implements MonitorActor {
  readonly #host: ActorHost
  #spec: MonitorSpec
  #check: Prepared
  readonly #schedule: CheckSchedule
  #mailbox: Array<Message> = []
  #wake: (() => void) | undefined = undefined
  /** When it wakes, on the alarm clock. */
  #wakesAt = Number.POSITIVE_INFINITY
  #stirred = false
  #paused = false
  #stopping = false
  #over = false
  #inFlight: InFlight | undefined = undefined
  /** The failure of a crashed check, to be handled by the actor's fiber. */
  #broken: Broken | undefined = undefined
  #defects = 0

  constructor(host: ActorHost, spec: MonitorSpec, check: Prepared, resumes: boolean) {
    this.#host = host
    this.#spec = spec
    this.#check = check
    this.#schedule = new CheckSchedule(spec, host.gathering, resumes)
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
    // Twice, because after a suspension of the process every check is overdue once and about to end.
    if (check !== undefined && now >= check.overdueAt && ++check.foundOverdue > 1) {
      this.#inFlight = undefined
      check.fiber?.interruptUnsafe()
      this.#broke(check, Cause.die(new Error("The check did not return")))
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

  /** When the next check begins; undefined while none does. */
  #plan(now: number): number | undefined {
    if (!this.#paused && !this.#stopping && !this.isQuarantined())
      return this.#schedule.plan(now, this.#inFlight !== undefined)
    this.#schedule.clear()
    return undefined
  }

  #tick(now: number): Effect.Effect<void> {
    const begun = this.#schedule.begin(now, this.#inFlight)
    if (begun.skipped > 0) this.#host.skipped(this.#spec.id, begun.skipped)
    return this.#inFlight === undefined ? this.#start(begun, now, []) : Effect.void
  }

  /** Runs the check in a separate fiber that the actor does not have to wait for. */
  #start({ isRetry, lagMillis, scheduledAt, slot }: DueCheck, now: number, asking: Array<Reply>): Effect.Effect<void> {
    const { alarms } = this.#host
    const timeout = this.#spec.timeout * 1000
    const patience = this.#schedule.untilNext(slot, now)
    const inFlight: InFlight = {
      asking,
      slot,
      scheduledAt,
      checkedAt: now,
      lagMillis,
      check: this.#check,
      isRetry,
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
    // The check was abandoned and already handled.
    if (this.#inFlight !== check) return
    this.#inFlight = undefined
    try {
      if (Exit.isSuccess(exit)) {
        this.#report(check, exit.value)
        if (this.#defects > 0) {
          this.#defects = 0
          this.#schedule.release()
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
    if (this.#spec.retry !== undefined) {
      const { status } = this.#host.judged(this.#spec, observation)
      if (this.#schedule.observe(status, check.scheduledAt)) this.#ring()
    }
    this.#host.report(observation, this.#spec, run)
    for (const reply of check.asking) Deferred.doneUnsafe(reply, Effect.succeed(observation))
  }

  #broke(check: InFlight, cause: Cause.Cause<unknown>): void {
    this.#broken = { check, cause }
    this.#ring()
  }

  /** After a defect: reports it and pauses. */
  #recover({ cause, check }: Broken, now: number): Effect.Effect<void> {
    this.#broken = undefined
    this.#defects++
    this.#schedule.hold(now + Math.min(firstPause * 2 ** (this.#defects - 1), longestHold))
    try {
      this.#report(check, pluginCrashed)
    } finally {
      // Replies that were already completed are not affected.
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
        // A running check would report results for the old settings.
        return Effect.map(this.#callOff(!sameSettings(this.#spec, message.spec)), () => {
          this.#spec = message.spec
          this.#check = message.check
          this.#schedule.configure(message.spec)
          this.#defects = 0
        })
      case "Pause":
        this.#paused = true
        this.#schedule.forgetFailures()
        return this.#callOff(true)
      case "Resume":
        this.#paused = false
        return Effect.void
      case "CheckNow": {
        if (this.#stopping) return Effect.sync(() => refuse(message))
        if (this.#inFlight !== undefined)
          return Effect.asVoid(Effect.succeed(this.#inFlight.asking.push(message.reply)))
        if (this.isQuarantined()) this.#defects = 0
        const slot = this.#schedule.beginNow(now)
        return this.#start({ slot, scheduledAt: now, lagMillis: 0, isRetry: false }, now, [message.reply])
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
    // A check that does not end must not block the mailbox.
    return Effect.map(fiber === undefined ? Effect.void : Effect.timeoutOption(Fiber.await(fiber), endingMillis), () =>
      this.#conclude(check, Exit.interrupt())
    )
  }

  /** Waits for the instant, or until it is woken. */
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

  /** Wakes the actor, or keeps it from sleeping. */
  #ring(): void {
    const wake = this.#wake
    this.#wake = undefined
    this.#wakesAt = Number.POSITIVE_INFINITY
    if (wake === undefined) this.#stirred = true
    else wake()
  }
}
