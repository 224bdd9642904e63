/**
 * Generates the history of the demo as check results. Deterministic: pseudo-random values are derived from the keys of the
 * components. The results are evaluated, stored and rolled up like those of real checks.
 */
import { hash } from "@kanmon/domain/Slots"
import { dayMillis, type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import type { Component } from "./Shop.ts"

const minute = 60_000
const hour = 60 * minute

/** A period in which a component was degraded or down; `to` is null while it lasts. */
export interface Episode {
  readonly from: EpochMillis
  readonly to: EpochMillis | null
  readonly status: "degraded" | "down"
}

/** One generated check result. */
export interface Result {
  readonly at: EpochMillis
  readonly status: "degraded" | "down" | "up"
  /** Milliseconds; null if none is measured. */
  readonly responseTime: number | null
}

/** A pseudo-random number in [0, 1) that depends only on the key. */
const random = (...key: ReadonlyArray<number | string>): number => hash(key.join(":")) / 2 ** 32

/** When monitoring of the component began. */
export const startOf = (component: Pick<Component, "days">, now: EpochMillis): EpochMillis =>
  floorDay(now) - component.days * dayMillis + 7 * hour

/** The instant `daysAgo` days ago at `hourOfDay` (UTC, fractional). */
export const ago = (daysAgo: number, hourOfDay: number, now: EpochMillis): EpochMillis =>
  Math.round(floorDay(now) - daysAgo * dayMillis + hourOfDay * hour)

/** The problems of a component, oldest first, without overlaps. */
export const episodes = (component: Component, now: EpochMillis): ReadonlyArray<Episode> => {
  const declared = component.problems.map(({ daysAgo, hour: at, minutes, status }): Episode => {
    const from = ago(daysAgo, at, now)
    return { from, to: from + minutes * minute, status }
  })
  const blips = Array.from({ length: component.blips }, (_, index): Episode => {
    // Not in the last two days, where the component's current behaviour shows.
    const daysAgo = 2 + Math.floor(random(component.key, "day", index) * (component.days - 3))
    const from = ago(daysAgo, 1 + random(component.key, "hour", index) * 21, now)
    return {
      from,
      to: from + Math.round((1.5 + random(component.key, "length", index) ** 3 * 26) * minute),
      status: "down"
    }
  })
  const current: ReadonlyArray<Episode> =
    component.failingFor === null
      ? []
      : [
          {
            from: now - component.failingFor * minute,
            to: null,
            status: component.behaviour === "broken" ? "down" : "degraded"
          }
        ]
  const disjoint: Array<Episode> = []
  for (const episode of [...declared, ...blips, ...current].toSorted((one, other) => one.from - other.from)) {
    const before = disjoint.at(-1)
    if (before === undefined || before.to! <= episode.from) disjoint.push(episode)
  }
  return disjoint
}

/** The distance between results of the last day. */
const dense = 10 * minute
/** The distances between results of the last week, and of the time before it. */
const ofWeek = hour
const ofQuarter = 4 * hour
/** The distance between results, at most: the monitors' interval while the history is evaluated. */
export const sparseSeconds = dayMillis / 1000

/**
 * The results of a component, oldest first; the newest is one second old. One at each change of status, one every minute
 * of the last hour, one every ten minutes of the last 25 hours, and one an hour or every four hours before: charts of every
 * period have something to show.
 */
export const results = (component: Component, now: EpochMillis): ReadonlyArray<Result> => {
  const began = startOf(component, now)
  const own = episodes(component, now)
  const instants = new Set<EpochMillis>([began, now - 1000])
  for (const { from, to } of own) {
    instants.add(from)
    if (to !== null) instants.add(to)
  }
  const addFrom = (first: EpochMillis, until: EpochMillis, distance: number) => {
    for (let at = first; at < until; at += distance) {
      // Real checks are spread over the interval, too.
      const spread = at + Math.floor(random(component.key, "spread", daysBefore(now, at), at % dayMillis) * distance)
      if (spread > began && spread < now - minute) instants.add(spread)
    }
  }
  const recent = Math.floor(now / hour) * hour - 25 * hour
  const week = recent - 6 * dayMillis
  addFrom(floorDay(began), week, ofQuarter)
  addFrom(week, recent, ofWeek)
  addFrom(recent, now - hour, dense)
  addFrom(now - hour, now - minute, minute)
  return [...instants]
    .toSorted((one, other) => one - other)
    .map((at) => {
      const status = own.find(({ from, to }) => from <= at && at < (to ?? Number.POSITIVE_INFINITY))?.status ?? "up"
      return {
        at,
        status,
        responseTime: component.usual === null ? null : responseTime(component, at, status, daysBefore(now, at))
      }
    })
}

const daysBefore = (now: EpochMillis, at: EpochMillis): number => (floorDay(now) - floorDay(at)) / dayMillis

/** The response time at an instant of a day so many days ago: a daily load curve, a variation for each hour, and noise. */
export const responseTime = (component: Component, at: EpochMillis, status: Result["status"], daysAgo = 0): number => {
  const time = at % dayMillis
  const load = 1 + 0.22 * Math.sin((time / dayMillis - 0.55 - 0.2 * random(component.key, "peak")) * 2 * Math.PI)
  const hourly = 0.85 + 0.45 * random(component.key, "weather", daysAgo, Math.floor(time / hour)) ** 2
  const noise = 0.86 + 0.28 * random(component.key, "noise", daysAgo, Math.floor(time / minute))
  return Math.round((component.usual ?? 0) * load * hourly * noise * factors[status] * 100) / 100
}

const factors: Record<Result["status"], number> = { up: 1, degraded: 6.5, down: 0.4 }
