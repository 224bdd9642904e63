/** What has to hold of every run, whatever was done to the installation. */
import { assert } from "@effect/vitest"
import type { Accounts } from "./Summary.ts"

/** A dead probe's monitors are asked by the others within this time. */
const takeoverMillis = 10_000

/** Everything but the slots that were lost: of those each run has its own opinion. */
export const hold = ({ alerts, changes, counted, customer, slots, takeovers, truth }: Accounts): void => {
  nothing(slots.twice, "slots stored twice")
  assert.isAtMost(slots.skipped, counted["skipped"] ?? 0, "what was not checked was counted as skipped")
  nothing(truth.false, "observations that say what was not so")
  nothing(changes.wrong, "status histories that do not fit the script")
  assert.strictEqual(changes.told, changes.windows, "every time of being down is told once")
  nothing(alerts.wrong, "alerts")
  nothing(customer.missing, "accepted requests that were lost")
  nothing(customer.twice, "accepted requests that were carried out twice")
  for (const { absence, complete, taken } of takeovers) {
    if (absence.how === "killed" && taken > 0)
      assert.isAtMost(complete!, takeoverMillis, `until the monitors of ${absence.name} were asked by another probe`)
  }
}

/** Fails with the first few. */
export const nothing = (lines: ReadonlyArray<string>, what: string): void =>
  assert.deepStrictEqual(lines.slice(0, 5), [], `${what}: ${lines.length}`)
