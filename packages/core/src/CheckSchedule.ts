/**
 * When the checks of one monitor begin: at its slots, which may wait a moment for those of others, at the one that began before
 * the actor did, and at retries, which take the place of the slots that begin before they end. A slot is begun once.
 */
import { type Gathering, waitOf } from "@kanmon/domain/Gathering"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import { catchUp, nextSlot, phase, slotOf, slotStart } from "@kanmon/domain/Slots"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Retries } from "./Retries.ts"

/** The monitor's fields that a schedule needs. */
type Timing = Pick<MonitorSpec, "id" | "interval" | "retry">

/** A check that begins now. */
export interface DueCheck {
  readonly slot: number
  readonly scheduledAt: EpochMillis
  /** Milliseconds since it should have begun. */
  readonly lagMillis: number
  readonly isRetry: boolean
}

/** The present state of the schedule. */
export interface Begun extends DueCheck {
  /** Slots that are left out: because they were missed, or because the check before is still running. */
  readonly skipped: number
}

/** A check on demand replaces a slot that begins within this time, in milliseconds. */
const standsIn = 1000
/** The longest time for which a schedule is held back, in milliseconds; the clock may have been set back since. */
export const longestHold = 60_000

export class CheckSchedule {
  #timing: Timing
  #phase: number
  readonly #gathering: (() => Gathering | undefined) | undefined
  readonly #retries = new Retries()
  /** Due time of the newest slot that was begun or skipped. */
  #lastDue: EpochMillis | null = null
  /** When the next check begins. */
  #next: EpochMillis | undefined = undefined
  /** How long after it is due a slot's check begins, in milliseconds. */
  #wait = 0
  /** When the slot that began before the actor is caught up on; null: not at all, undefined: not planned yet. */
  #late: EpochMillis | null | undefined
  #notBefore: EpochMillis = 0

  /** With `resumes`, the current slot is caught up on: the monitor was checked elsewhere or before. */
  constructor(timing: Timing, gathering: (() => Gathering | undefined) | undefined, resumes: boolean) {
    this.#timing = timing
    this.#phase = phase(timing.id, timing.interval * 1000)
    this.#gathering = gathering
    this.#late = resumes ? undefined : null
  }

  get #interval(): number {
    return this.#timing.interval * 1000
  }

  /** Starts over with other settings. */
  configure(timing: Timing): void {
    this.#timing = timing
    this.#phase = phase(timing.id, this.#interval)
    this.#late = null
    this.#retries.reset()
    this.clear()
    this.release()
  }

  /** Forgets what is planned: nothing begins until it is planned again. */
  clear(): void {
    this.#next = undefined
  }

  /** Begins nothing before this instant. */
  hold(until: EpochMillis): void {
    this.#notBefore = until
  }

  release(): void {
    this.#notBefore = 0
  }

  /** Forgets the streak of failures, and the retry that it led to. */
  forgetFailures(): void {
    this.#retries.reset()
  }

  /** Takes a result into account; true when a retry is to be planned. */
  observe(status: RegionStatus, scheduledAt: EpochMillis): boolean {
    const { retry } = this.#timing
    return retry !== undefined && this.#retries.observe(status, scheduledAt, retry)
  }

  /** When the next check begins. An overdue one stays; everything else may have changed since it was planned. */
  plan(now: EpochMillis, isChecking: boolean): EpochMillis {
    if (this.#next !== undefined && this.#next <= now && this.#next >= this.#notBefore) return this.#next
    const interval = this.#interval
    // Not while a slot waits for its check, which a shorter wait would leave out.
    if (this.#next === undefined) this.#wait = this.#waitOf()
    // The clock was set back: waiting for the old time to return would stop all checks.
    if (this.#lastDue !== null && this.#lastDue > now + interval) this.#lastDue = this.#late = null
    this.#notBefore = Math.min(this.#notBefore, now + longestHold)
    const last = this.#lastDue === null ? null : slotOf(this.#lastDue, this.#phase, interval)
    const slot = nextSlot(Math.max(now, this.#notBefore) - this.#wait, last, this.#phase, interval)
    const begin = slotStart(slot, this.#phase, interval) + this.#wait
    if (this.#late === undefined) {
      const late = catchUp(now - this.#wait, this.#phase, interval)
      this.#late = late === null ? null : late + this.#wait
    }
    const retry = isChecking ? null : this.#retryAt(now)
    if (retry !== null) return (this.#next = Math.max(retry, this.#notBefore))
    const late = this.#lastDue === null && this.#late !== null ? Math.max(this.#late, this.#notBefore) : begin
    return (this.#next = Math.min(late, begin))
  }

  /** Takes the check that was planned for now; `running` is one that has not ended yet. */
  begin(now: EpochMillis, running: { readonly isRetry: boolean } | undefined): Begun {
    const retry = running === undefined ? this.#retryAt(now) : null
    if (retry !== null && retry <= now) return this.#beginRetry(retry, now)
    const interval = this.#interval
    const planned = this.#next ?? now
    const slot = slotOf(now - this.#wait, this.#phase, interval)
    const scheduledAt = slotStart(slot, this.#phase, interval)
    // A retry takes the place of the slots that begin before it ends.
    const missed =
      Math.round((scheduledAt + this.#wait - planned) / interval) + (running === undefined || running.isRetry ? 0 : 1)
    this.#lastDue = scheduledAt
    this.clear()
    return { slot, scheduledAt, lagMillis: now - planned, isRetry: false, skipped: Math.max(0, missed) }
  }

  /** Takes a check that was asked for; its result decides about retries. Returns its slot. */
  beginNow(now: EpochMillis): number {
    const interval = this.#interval
    const next = slotStart(slotOf(now - this.#wait, this.#phase, interval) + 1, this.#phase, interval)
    this.#late = null
    this.#retries.cancel()
    if (next + this.#wait - now < standsIn) {
      this.#lastDue = next
      this.clear()
    }
    return slotOf(now, this.#phase, interval)
  }

  /** Milliseconds until the check of the next slot begins. */
  untilNext(slot: number, now: EpochMillis): number {
    return Math.max(0, slotStart(slot + 1, this.#phase, this.#interval) + this.#wait - now)
  }

  /** Repeats a failed check. Its slot, and those that began before it, do not run on their own. */
  #beginRetry(scheduledAt: EpochMillis, now: EpochMillis): Begun {
    const slot = slotOf(scheduledAt, this.#phase, this.#interval)
    this.#retries.cancel()
    const due = slotStart(slot, this.#phase, this.#interval)
    this.#lastDue = Math.max(this.#lastDue ?? Number.NEGATIVE_INFINITY, due)
    this.clear()
    return { slot, scheduledAt, lagMillis: now - scheduledAt, isRetry: true, skipped: 0 }
  }

  #retryAt(now: EpochMillis): EpochMillis | null {
    return this.#retries.plan(now, this.#interval, this.#timing.retry)
  }

  #waitOf(): number {
    const gathering = this.#gathering?.()
    return gathering === undefined ? 0 : waitOf(slotStart(0, this.#phase, this.#interval), gathering)
  }
}
