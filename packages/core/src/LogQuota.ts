/** How much a plugin may write into the log: so many lines a minute, then one that says so, then nothing for the rest of it. */

/** Lines of one plugin in a minute. */
export const linesPerMinute = 100

const minute = 60_000

export interface LogQuota {
  /** What becomes of a line at this instant. `last`: it is left out, and that is told. */
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

/** The quota of a plugin, the same for all that it writes. */
export const of = (plugin: string): LogQuota => {
  const quota = quotas.get(plugin) ?? make()
  quotas.set(plugin, quota)
  return quota
}

export const exhausted = (plugin: string): string =>
  `The plugin ${plugin} wrote more than ${linesPerMinute} lines in a minute; the rest of them is left out`
