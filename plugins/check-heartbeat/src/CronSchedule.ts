/** Cron schedules in time zones. What the clock skips in spring runs when it goes on; what it repeats in autumn runs once. */
import { Cron } from "croner"

const make = (expression: string, timezone: string): Cron =>
  new Cron(expression, { timezone, paused: true, mode: "5-part" })

/** Why an expression cannot be used; undefined when it can. */
export const scheduleProblem = (expression: string): string | undefined => {
  try {
    return make(expression, "UTC").nextRun(new Date(0)) === null ? "This schedule never comes" : undefined
  } catch (error) {
    return `Expected a cron expression such as "30 3 * * *": ${(error as Error).message.replace(/^CronPattern: /, "")}`
  }
}

const unknownZone = "Expected an IANA time zone such as Europe/Berlin"

/** Why a time zone cannot be used; undefined when it can. */
export const timezoneProblem = (timezone: string): string | undefined => {
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone !== ""
    return known ? undefined : unknownZone
  } catch {
    return unknownZone
  }
}

/** The first time after an instant at which the schedule is due. */
export const nextRun = (expression: string, timezone: string, after: number): number =>
  make(expression, timezone).nextRun(new Date(after))?.getTime() ?? Number.MAX_SAFE_INTEGER
