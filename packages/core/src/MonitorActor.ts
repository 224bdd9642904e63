/**
 * One monitor's actor: a fiber that owns its state and a mailbox. It wakes at the monitor's slots, runs the check in a child
 * fiber so that the mailbox stays open, and reports what came of it. A slot is never run twice and checks never overlap; a
 * slot that cannot be run in time, or whose check is called off, is skipped and counted. A defect restarts it with growing
 * pauses, and five in a row quarantine it until its settings change or somebody asks for a check.
 */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { catchUp, nextSlot, phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import { Cause, Clock, Deferred, Effect, Exit, Fiber } from "effect"
import type { ActorHost } from "./ActorHost.ts"
import { type CheckNotRun, calledOff, type Message, refuse, type Reply, sameSettings } from "./ActorMessage.ts"
import type { Prepared } from "./Check.ts"
import { byItsOwnFault, type CheckResult } from "./CheckResult.ts"

export interface MonitorActor {
  readonly tell: (message: Message) => void
  readonly spec: () => MonitorSpec
  readonly isQuarantined: () => boolean
  /** The actor's life, until it is told to stop; interrupting it stops the monitor and a check in flight. */
  readonly live: Effect.Effect<void>
}

const defectsToQuarantine = 5
/** A check by hand stands in for a slot that would begin so soon after it, in milliseconds. */
const standsIn = 1000
const firstPause = 1000
const longestPause = 60_000

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
  readonly fiber: Fiber.Fiber<CheckResult>
  readonly asking: Array<Reply>
  readonly slot: number
  readonly scheduledAt: number
  readonly checkedAt: number
  calledOff: boolean
}

interface Broken {
  readonly check: InFlight
  readonly cause: Cause.Cause<never>
}

// A class, and not closures: there are tens of thousands of them.
class Actor implements MonitorActor {
  readonly #host: ActorHost
  #spec: MonitorSpec
  #check: Prepared
  #phase: number
  #mailbox: Array<Message> = []
  #wake: (() => void) | undefined = undefined
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
    return Effect.suspend(() => {
      this.#over = false
      return Effect.ensuring(
        this.#life,
        Effect.sync(() => {
          this.#over = true
          for (const message of this.#mailbox.splice(0)) refuse(message)
        })
      )
    })
  }

  readonly #life = Effect.gen({ self: this }, function* () {
    const clock = yield* Clock.Clock
    for (;;) {
      if (this.#broken !== undefined) yield* this.#recover(this.#broken, clock.currentTimeMillisUnsafe())
      while (this.#mailbox.length > 0) yield* this.#receive(this.#mailbox.shift()!, clock.currentTimeMillisUnsafe())
      if (this.#stopping && this.#inFlight === undefined && this.#broken === undefined) return
      const now = clock.currentTimeMillisUnsafe()
      const next = this.#plan(now)
      yield* next === undefined || now < next ? this.#rest(next) : this.#tick(now)
    }
  })

  /** When the next slot is due. One that is overdue stays so; all else may have changed since it was planned. */
  #plan(now: number): number | undefined {
    if (this.#paused || this.#stopping || this.isQuarantined()) return (this.#next = undefined)
    if (this.#next !== undefined && this.#next <= now && this.#next >= this.#notBefore) return this.#next
    const interval = this.#spec.interval * 1000
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
    const missed = Math.round((due - this.#next!) / interval) + (this.#inFlight === undefined ? 0 : 1)
    if (missed > 0) this.#host.skipped(this.#spec.id, missed)
    this.#lastDue = due
    this.#next = undefined
    return this.#inFlight === undefined ? this.#start(slot, due, now, []) : Effect.void
  }

  /** Runs the check in a child fiber; the actor goes on. */
  #start(slot: number, scheduledAt: number, now: number, asking: Array<Reply>): Effect.Effect<void> {
    const interval = this.#spec.interval * 1000
    const patience = Math.max(0, slotStart(slot + 1, this.#phase, interval) - now)
    const run = this.#host.run(this.#check, this.#spec.timeout * 1000, patience)
    return Effect.map(Effect.forkChild(run, { startImmediately: true }), (fiber) => {
      const inFlight: InFlight = { fiber, asking, slot, scheduledAt, checkedAt: now, calledOff: false }
      this.#inFlight = inFlight
      fiber.addObserver((exit) => this.#conclude(inFlight, exit))
    })
  }

  #conclude(check: InFlight, exit: Exit.Exit<CheckResult>): void {
    this.#inFlight = undefined
    if (Exit.isSuccess(exit)) {
      try {
        this.#report(check, exit.value)
        if (this.#defects > 0) {
          this.#defects = 0
          this.#notBefore = 0
          this.#ring()
        }
      } catch (error) {
        this.#broke(check, Cause.die(error))
      }
    } else if (check.calledOff || this.#over) {
      for (const reply of check.asking) Deferred.doneUnsafe(reply, calledOff)
      this.#host.skipped(this.#spec.id, 1)
    } else {
      this.#broke(check, exit.cause)
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
    this.#host.report(observation, this.#spec)
    for (const reply of check.asking) Deferred.doneUnsafe(reply, Effect.succeed(observation))
  }

  #broke(check: InFlight, cause: Cause.Cause<never>): void {
    this.#broken = { check, cause }
    this.#ring()
  }

  /** After a defect: tells of it, and pauses. */
  #recover({ cause, check }: Broken, now: number): Effect.Effect<void> {
    this.#broken = undefined
    this.#defects++
    this.#notBefore = now + Math.min(firstPause * 2 ** (this.#defects - 1), longestPause)
    this.#report(check, byItsOwnFault)
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
        return this.#start(slot, now, now, [message.reply])
      }
      case "Stop":
        this.#stopping = true
        return Effect.void
    }
  }

  #callOff(really: boolean): Effect.Effect<void> {
    if (!really || this.#inFlight === undefined) return Effect.void
    this.#inFlight.calledOff = true
    return Fiber.interrupt(this.#inFlight.fiber)
  }

  /** Waits for the instant, or until somebody rings. */
  #rest(until: number | undefined): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#stirred) {
        this.#stirred = false
        return resume(Effect.void)
      }
      const callOffAlarm = until === undefined ? undefined : this.#host.alarms.at(until, () => this.#ring())
      this.#wake = () => {
        callOffAlarm?.()
        resume(Effect.void)
      }
      return Effect.sync(() => {
        callOffAlarm?.()
        this.#wake = undefined
      })
    })
  }

  /** Wakes the actor, or keeps it from going to rest. */
  #ring(): void {
    const wake = this.#wake
    this.#wake = undefined
    if (wake === undefined) this.#stirred = true
    else wake()
  }
}
