/** Recurring maintenance: which recurrence rules are accepted (RFC 5545, §3.3.10), and when the next window begins. */
import { BoundedEvaluator, type EvaluationFailed } from "@kanmon/core/BoundedEvaluator"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import * as RecurrenceRule from "./RecurrenceRule.ts"
import type { Beginnings, Recurrence } from "./RecurrenceRule.ts"

export { isTimezone, type Recurrence } from "./RecurrenceRule.ts"

/** Hourly and more frequent windows are not accepted. */
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
/** The accepted parts of a rule, with their largest values. */
const parts: Readonly<Record<string, number>> = {
  FREQ: 0,
  UNTIL: Number.POSITIVE_INFINITY,
  WKST: 0,
  BYDAY: 53,
  COUNT: 10_000,
  INTERVAL: 366,
  BYSETPOS: 366,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYHOUR: 23,
  BYMINUTE: 59
}
/** Limits the windows of a day, and the combinations of all BY parts. */
const maxOfDay = 24
const maxCombinations = 400
/** How many windows are checked for overlaps. */
const checkedWindows = 60

/** What is wrong with the text of a rule; undefined if it can be evaluated. */
export const textObjection = (rule: string): string | undefined => {
  const text = rule.replace(/^RRULE:/i, "").toUpperCase()
  if (!/^[A-Z0-9=;,+-]{1,500}$/.test(text)) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
  const given = new Map<string, ReadonlyArray<string>>()
  for (const part of text.split(";")) {
    const [name = "", values] = part.split("=", 2)
    if (part === "") continue
    if (values === undefined) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
    if (!Object.hasOwn(parts, name)) return `${name} cannot be used here; expected ${Object.keys(parts).join(", ")}`
    if (given.has(name)) return `${name} occurs twice; remove one`
    given.set(name, values.split(","))
    const max = parts[name]!
    const tooLarge = given.get(name)!.find((value) => Math.abs(Number.parseInt(value, 10)) > max)
    if (tooLarge !== undefined) return `${name} is at most ${max}, not ${tooLarge}`
  }
  const [frequency] = given.get("FREQ") ?? []
  if (frequency === undefined) return "Expected an RRULE such as FREQ=WEEKLY;BYDAY=SU (RFC 5545)"
  if (!frequencies.includes(frequency))
    return `Expected FREQ to be one of ${frequencies.join(", ")}; for several windows a day, list their hours in BYHOUR`
  const count = (names: ReadonlyArray<string>) =>
    names.reduce((all, name) => all * new Set(given.get(name) ?? [""]).size, 1)
  if (count(["BYHOUR", "BYMINUTE"]) > maxOfDay)
    return `BYHOUR and BYMINUTE together make more than ${maxOfDay} windows a day: list fewer`
  return count([...given.keys()].filter((name) => name.startsWith("BY") && name !== "BYSETPOS")) > maxCombinations
    ? `The BY parts together make more than ${maxCombinations} combinations: list fewer`
    : undefined
}

const evaluated = (
  find: typeof RecurrenceRule.first,
  recurrence: Recurrence,
  argument: number
): Effect.Effect<Beginnings, EvaluationFailed, BoundedEvaluator> =>
  Effect.flatMap(BoundedEvaluator, (evaluator) =>
    evaluator.evaluate({ module: RecurrenceRule.url, function: find, settings: recurrence, input: argument })
  ).pipe(
    Effect.catchTag("EvaluationFailed", (error) =>
      error.reason === "unavailable"
        ? Effect.fail(error)
        : Effect.succeed({ _tag: "Unusable" as const, why: "computing its windows takes too long; use fewer BY parts" })
    )
  )

/** The first beginning after an instant. Fails only if the evaluator has no capacity. */
export const next = (recurrence: Recurrence, after: EpochMillis) => evaluated(RecurrenceRule.next, recurrence, after)

/** What is wrong with a rule for windows of this length; undefined if it can be used. Fails only if the evaluator has no capacity. */
export const objection = Effect.fnUntraced(function* (recurrence: Recurrence, millis: number) {
  const unfit = textObjection(recurrence.rule)
  if (unfit !== undefined) return unfit
  const beginnings = yield* evaluated(RecurrenceRule.first, recurrence, checkedWindows)
  if (beginnings._tag === "Unusable") return `The rule cannot be used: ${beginnings.why}`
  const { at } = beginnings
  if (!at.some((beginning) => beginning > recurrence.start)) return "This rule has no window after the first one"
  const overlaps = at.some((beginning, index) => index > 0 && beginning - at[index - 1]! < millis)
  return overlaps ? "The windows would overlap: make them shorter or less frequent" : undefined
})
