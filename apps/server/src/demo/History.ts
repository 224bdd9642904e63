/**
 * The made-up past of the demonstration, as results of checks that never ran. Pure, and the same every time: what looks
 * like chance is drawn from the parts' names. The judge, the time line and the rollups do the rest, as with real results.
 */
import { hash } from "@kanmon/domain/Slots"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import type { Part } from "./Shop.ts"

const minute = 60_000
const hour = 60 * minute

/** A time in which a part was not well; the one that lasts has no end. */
export interface Episode {
  readonly from: EpochMillis
  readonly to: EpochMillis | null
  readonly status: "degraded" | "down"
}

/** What a check would have found. */
export interface Result {
  readonly at: EpochMillis
  readonly status: "degraded" | "down" | "up"
  /** Milliseconds; null where nothing was measured. */
  readonly responseTime: number | null
}

/** A number from 0 up to 1 that looks like chance and is always the same. */
const draw = (...key: ReadonlyArray<number | string>): number => hash(key.join(":")) / 2 ** 32

const midnight = (at: EpochMillis): EpochMillis => Math.floor(at / dayMillis) * dayMillis

/** When the part began to be watched. */
export const beginning = (part: Pick<Part, "days">, now: EpochMillis): EpochMillis =>
  midnight(now) - part.days * dayMillis + 7 * hour

/** The instant of an hour (UTC) on a day so many days ago. */
export const ago = (daysAgo: number, hourOfDay: number, now: EpochMillis): EpochMillis =>
  Math.round(midnight(now) - daysAgo * dayMillis + hourOfDay * hour)

/** Everything that went wrong with the part, oldest first; no two touch. */
export const episodes = (part: Part, now: EpochMillis): ReadonlyArray<Episode> => {
  const remembered = part.troubles.map(({ daysAgo, hour: at, minutes, status }): Episode => {
    const from = ago(daysAgo, at, now)
    return { from, to: from + minutes * minute, status }
  })
  const blips = Array.from({ length: part.blips }, (_, index): Episode => {
    // The weeks before the newest ones: what just happened is told by the part's behaviour.
    const daysAgo = 2 + Math.floor(draw(part.key, "day", index) * (part.days - 3))
    const from = ago(daysAgo, 1 + draw(part.key, "hour", index) * 21, now)
    return { from, to: from + Math.round((1.5 + draw(part.key, "length", index) ** 3 * 26) * minute), status: "down" }
  })
  const lasting: ReadonlyArray<Episode> =
    part.unwellFor === null
      ? []
      : [
          {
            from: now - part.unwellFor * minute,
            to: null,
            status: part.behaviour === "broken" ? "down" : "degraded"
          }
        ]
  const apart: Array<Episode> = []
  for (const episode of [...remembered, ...blips, ...lasting].toSorted((one, other) => one.from - other.from)) {
    const before = apart.at(-1)
    if (before === undefined || before.to! <= episode.from) apart.push(episode)
  }
  return apart
}

/** How far apart results of the last day lie, and how far those before it. The judge is told the latter for the interval. */
const dense = 10 * minute
export const sparseSeconds = dayMillis / 1000

/**
 * Results at every turn of the past, and between them as often as it takes: once a day, and every ten minutes of the last
 * 24 hours and a bit, which are what response times are shown of. Oldest first; the newest is a moment old.
 */
export const results = (part: Part, now: EpochMillis): ReadonlyArray<Result> => {
  const began = beginning(part, now)
  const own = episodes(part, now)
  const instants = new Set<EpochMillis>([began, now - 1000])
  for (const { from, to } of own) {
    instants.add(from)
    if (to !== null) instants.add(to)
  }
  for (let at = began; at < now - dayMillis; at += dayMillis) instants.add(at)
  for (let at = Math.floor(now / hour) * hour - 25 * hour; at < now - minute; at += dense) {
    // Not to the minute: checks of a real installation are spread.
    const spread = at + Math.floor(draw(part.key, "spread", (at % dayMillis) / dense) * dense)
    if (spread > began && spread < now - minute) instants.add(spread)
  }
  return [...instants]
    .toSorted((one, other) => one - other)
    .map((at) => {
      const status = own.find(({ from, to }) => from <= at && at < (to ?? Number.POSITIVE_INFINITY))?.status ?? "up"
      return { at, status, responseTime: part.usual === null ? null : responseTime(part, at, status) }
    })
}

/** A slow night and a busy evening, an hour that is better or worse than its neighbours, and noise; every day alike. */
export const responseTime = (part: Part, at: EpochMillis, status: Result["status"]): number => {
  const time = at % dayMillis
  const load = 1 + 0.22 * Math.sin((time / dayMillis - 0.55 - 0.2 * draw(part.key, "peak")) * 2 * Math.PI)
  const weather = 0.85 + 0.45 * draw(part.key, "weather", Math.floor(time / hour)) ** 2
  const noise = 0.86 + 0.28 * draw(part.key, "noise", Math.floor(time / minute))
  return Math.round((part.usual ?? 0) * load * weather * noise * factors[status] * 100) / 100
}

const factors: Record<Result["status"], number> = { up: 1, degraded: 6.5, down: 0.4 }
