/**
 * Limits a plugin's log output: a number of lines per minute, then one line about the limit, then nothing for the rest of
 * the minute.
 */

/** Log lines per plugin and minute. */
export const linesPerMinute = 100

const minute = 60_000

export interface LogQuota {
  /** Whether to write a line at this instant. `last`: drop it and report the limit. */
  readonly take: (now: number) => "write" | "last" | "drop"
}

export const make = (): LogQuota => {
  let begun = Number.NEGATIVE_INFINITY
  let lines = 0
  return {
    take: (now) => {
      if (now - begun >= minute || now < begun) {
        begun = now
        lines = 0
      }
      lines++
      return lines <= linesPerMinute ? "write" : lines === linesPerMinute + 1 ? "last" : "drop"
    }
  }
}

const quotas = new Map<string, LogQuota>()

/** The quota of a plugin, shared by all its parts. */
export const of = (plugin: string): LogQuota => {
  const quota = quotas.get(plugin) ?? make()
  quotas.set(plugin, quota)
  return quota
}

export const exhausted = (plugin: string): string =>
  `Plugin ${plugin} wrote more than ${linesPerMinute} log lines in a minute; further lines are dropped`
