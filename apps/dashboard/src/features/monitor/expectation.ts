/** When a job's next signal is expected. Pure. */

/** Defaults of the server for fields that the form of a job leaves out. */
const shortestGrace = 60

export interface Expectation {
  /** Seconds that a signal may be late. */
  readonly grace: number
  /** A cron expression, instead of an interval. */
  readonly schedule: string | undefined
  readonly timezone: string | undefined
  /** Milliseconds since 1970; undefined before the first signal, while paused, and by a schedule. */
  readonly nextAt: number | undefined
}

interface Job {
  readonly interval: number
  readonly status: string
  readonly [field: string]: unknown
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** `signals`: newest first. A log says nothing of the end of a run, and a start is not one. */
export const expectationOf = (
  { grace, interval, schedule: cron, status, timezone: zone }: Job,
  signals: ReadonlyArray<{ readonly at: string; readonly kind: string }>
): Expectation => {
  const schedule = text(cron)
  const ended = signals.find(({ kind }) => kind === "success" || kind === "fail")
  return {
    grace:
      typeof grace === "number"
        ? grace
        : Math.max(shortestGrace, schedule === undefined ? Math.ceil(interval / 10) : 0),
    schedule,
    timezone: schedule === undefined ? undefined : (text(zone) ?? "UTC"),
    nextAt:
      ended === undefined || schedule !== undefined || status === "paused"
        ? undefined
        : Date.parse(ended.at) + interval * 1000
  }
}
