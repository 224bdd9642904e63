/**
 * Alerts against the status histories: one for each rule, monitor and time of being down, dated as there. Notices against their receiver: each
 * arrived, and none that was not queued. One that arrives more than once bears the same id, and needs an excuse: somebody was
 * killed or frozen between sending it and writing that down.
 */
import { byTarget, type Alerted, type Changed, type Evidence } from "./Evidence.ts"

export interface AlertAccount {
  readonly alerts: number
  readonly notices: number
  readonly received: number
  /** Repeated arrivals of one notice, each around a fault of an engine or the database. */
  readonly repeated: number
  readonly wrong: ReadonlyArray<string>
}

/** Rules that watch every target for being down. */
export const account = (evidence: Evidence, rules: ReadonlyArray<string>): AlertAccount => {
  const wrong: Array<string> = []
  const alerted = byTarget(evidence.alerted, evidence.monitors.length)
  const changed = byTarget(evidence.changed, evidence.monitors.length)
  for (const [target, windows] of evidence.windows.entries()) {
    for (const rule of rules) {
      const own = alerted[target]!.filter((one) => one.rule === rule && one.trigger === "monitor_down")
      if (own.length !== windows.length)
        wrong.push(`target ${target} ${rule}: ${own.length} alerts for ${windows.length} times of being down`)
      wrong.push(
        ...own.flatMap((one) =>
          flaws(one, changed[target]!).map((flaw) => `target ${target} ${rule} ${one.id}: ${flaw}`)
        )
      )
    }
  }
  const arrivals = Map.groupBy(evidence.received, ({ id }) => id)
  const queued = new Map(evidence.alerted.flatMap(({ notices }) => notices.map((notice) => [notice.id, notice])))
  let repeated = 0
  for (const { id, purpose, status } of queued.values()) {
    const own = arrivals.get(id) ?? []
    if (status === "delivered" && own.length === 0) wrong.push(`notice ${id} (${purpose}) never arrived`)
    for (const [index, { at, sentAt }] of own.entries()) {
      const before = own[index - 1]
      if (before === undefined) continue
      repeated++
      if (!isExcused(evidence, before.sentAt, at))
        wrong.push(
          `notice ${id} (${purpose}) of ${iso(before.sentAt)} arrived again without a fault, sent ${iso(sentAt)}`
        )
    }
  }
  for (const id of arrivals.keys()) if (!queued.has(id)) wrong.push(`notice ${id} arrived and was never queued`)
  return {
    alerts: evidence.alerted.length,
    notices: queued.size,
    received: evidence.received.length,
    repeated,
    wrong
  }
}

/** What people were to be told of one alert: that it began and that it ended, or both at once. */
const flaws = ({ notices, resolvedAt, startedAt }: Alerted, line: ReadonlyArray<Changed>): ReadonlyArray<string> => {
  const of = (purpose: string) => notices.filter((one) => one.purpose === purpose)
  const found: Array<string> = []
  const stands = (status: string, at: number) => line.some((entry) => entry.status === status && entry.at === at)
  if (!stands("down", startedAt)) found.push("it begins at another time than the outage")
  if (resolvedAt === null) found.push("it is still open")
  else if (!stands("up", resolvedAt)) found.push("it ends at another time than the outage")
  if (of("open").length !== 1) found.push(`${of("open").length} notices of its beginning`)
  if (resolvedAt !== null && of("close").length !== 1) found.push(`${of("close").length} notices of its end`)
  for (const { id, purpose, status } of notices)
    if (status !== "delivered" && !(purpose === "open" && status === "merged"))
      found.push(`${purpose} ${id} is ${status}`)
  return found
}

/**
 * The outcome is stored a moment after sending; a kill or freeze in between causes a repeat. So does an engine that goes on with
 * what it had begun when it thaws, though another one has taken its channels over.
 */
const isExcused = ({ absences }: Evidence, sentAt: number, again: number): boolean =>
  absences.some(
    ({ from, how, name, to }) =>
      /^(engine|postgres)/.test(name) &&
      from <= again &&
      (from >= sentAt || (how === "frozen" && (to ?? again) >= sentAt - thawMillis))
  )

/** An engine goes on with what it had begun for this long after a thaw. */
const thawMillis = 2000

const iso = (at: number): string => new Date(at).toISOString().slice(11, 23)
