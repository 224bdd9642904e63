/** When the failed check of one monitor is repeated: its failure streak, and the due time of the next retry. */
import type { Retry } from "@kanmon/domain/Monitor"
import { retryAt } from "@kanmon/domain/Slots"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

export class Retries {
  #failures = 0
  /** Due time of a failed check with an unplanned retry. */
  #failed: EpochMillis | null = null
  #due: EpochMillis | null = null

  /** Counts a result; true when a retry is to be planned. An unknown result neither extends nor ends the streak. */
  observe(status: RegionStatus, scheduledAt: EpochMillis, retry: Retry): boolean {
    this.cancel()
    if (status === "down") {
      this.#failures++
      if (this.#failures < retry.failures) this.#failed = scheduledAt
    } else if (status !== "unknown") this.#failures = 0
    return this.#failed !== null
  }

  /** When the planned retry is due; null without one. */
  plan(now: EpochMillis, intervalMillis: number, retry: Retry | undefined): EpochMillis | null {
    if (this.#failed !== null && retry !== undefined) {
      this.#due = retryAt(this.#failed, now, retry.interval * 1000, intervalMillis)
      this.#failed = null
    }
    // After the clock was set back, or a suspension, the normal schedule decides.
    if (this.#due !== null && Math.abs(this.#due - now) > intervalMillis) this.#due = null
    return this.#due
  }

  /** Drops the planned retry. */
  cancel(): void {
    this.#failed = this.#due = null
  }

  /** Forgets the failures, too. */
  reset(): void {
    this.cancel()
    this.#failures = 0
  }
}
