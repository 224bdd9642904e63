/**
 * A second reckoning of on-call shifts, which knows nothing of handoffs as instants: it walks through time minute by minute and
 * looks at the wall. Local time that runs backwards is not taken back, so the latest local time so far is what counts.
 */
import type { UserId } from "../src/Ids.ts"
import { zoneOf } from "../src/LocalTime.ts"
import type { Layer } from "../src/OnCallSchedule.ts"
import type { Reckoning } from "../src/OnCallShifts.ts"
import type { WeeklyWindow } from "../src/WeeklyWindows.ts"

const minute = 60_000
const day = 86_400_000
/** Offsets of zones change at quarters of an hour. */
const quarter = 15 * minute

/** The latest local time so far, in minutes, for each minute from an instant on. */
export const wallsOf = (timezone: string, from: number, minutes: number): Int32Array => {
  const zone = zoneOf(timezone)!
  const walls = new Int32Array(minutes)
  let latest = -1
  // Local time may have run backwards just before the first minute.
  for (let at = from - 4 * 3_600_000; at < from + minutes * minute; at += quarter) {
    const offset = zone.offsetAt(at)
    for (let one = at; one < at + quarter; one += minute) {
      latest = Math.max(latest, (one + offset) / minute)
      const index = (one - from) / minute
      if (index >= 0 && index < minutes) walls[index] = latest
    }
  }
  return walls
}

const minutesOf = (time: string): number => {
  const [hours, rest] = time.split(":").map(Number)
  return hours! * 60 + rest!
}

const names = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"]

/** Whether hours of the windows are on, for each minute of the week that begins on a Thursday, as 1970 did. */
const weekOf = (windows: ReadonlyArray<WeeklyWindow>): Uint8Array => {
  const week = new Uint8Array(7 * 1440)
  for (const { from, to, weekdays } of windows)
    for (const weekday of weekdays) {
      const begin = names.indexOf(weekday) * 1440 + minutesOf(from)
      const length = (minutesOf(to) - minutesOf(from) + 1440) % 1440 || 1440
      for (let index = begin; index < begin + length; index++) week[index % week.length] = 1
    }
  return week
}

const startOf = (layer: Layer): number => Date.parse(layer.startsOn) / minute + minutesOf(layer.handoff.time)

/** Local time of every handoff until a local time, in minutes. The first one may be before the layer begins. */
const handoffsOf = (layer: Layer, until: number): ReadonlyArray<number> => {
  const { every, unit } = layer.rotation
  const time = minutesOf(layer.handoff.time)
  let start = Date.parse(layer.startsOn)
  const handoffs: Array<number> = []
  if (unit === "month") {
    const wanted = layer.handoff.day ?? new Date(start).getUTCDate()
    const first = new Date(start)
    const dateIn = (months: number): number => {
      const month = first.getUTCMonth() + months
      const last = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
      return Date.UTC(first.getUTCFullYear(), month, Math.min(wanted, last))
    }
    for (let months = dateIn(0) > start ? -1 : 0; ; months += every) {
      handoffs.push(dateIn(months) / minute + time)
      if (handoffs.at(-1)! > until) return handoffs
    }
  }
  if (layer.handoff.weekday !== undefined) while (names[(start / day) % 7] !== layer.handoff.weekday) start -= day
  const step = every * { hour: 60, day: 1440, week: 10_080 }[unit]
  for (let at = start / minute + time; ; at += step) {
    handoffs.push(at)
    if (at > until) return handoffs
  }
}

interface Walker {
  /** The person with the turn at a local time; times ascend. */
  readonly at: (wall: number) => UserId | undefined
}

const walker = (layer: Layer, until: number): Walker => {
  const handoffs = handoffsOf(layer, until)
  const hours = layer.restrictions === undefined ? undefined : weekOf(layer.restrictions)
  const begin = startOf(layer)
  const end = layer.endsOn === undefined ? Infinity : Date.parse(layer.endsOn) / minute + minutesOf(layer.handoff.time)
  const counts = (turn: number): boolean => {
    if (layer.rotation.skipEmpty !== true || hours === undefined) return true
    for (let at = Math.max(handoffs[turn]!, begin); at < handoffs[turn + 1]!; at++)
      if (hours[at % hours.length] === 1) return true
    return false
  }
  let turn = 0
  let person = 0
  return {
    at: (wall) => {
      if (wall < begin || wall >= end) return undefined
      while (handoffs[turn + 1]! <= wall) {
        if (counts(turn)) person++
        turn++
      }
      if (hours !== undefined && hours[wall % hours.length] === 0) return undefined
      return layer.participants[person % layer.participants.length]!.userId
    }
  }
}

/** When who is on call changes, from an instant on: each time with the layer or override that decides, and the person. */
export const minuteByMinute = (
  { absences, overrides, schedule }: Reckoning,
  from: number,
  walls: Int32Array
): ReadonlyArray<readonly [from: number, source: number | string | null, user: UserId | null]> => {
  const walkers = schedule.layers.map((layer) => walker(layer, walls.at(-1)!))
  const isThere = (userId: UserId, at: number): boolean => {
    const away = absences.get(userId)
    return away === undefined || !away.some((span) => span.from <= at && at < span.to)
  }
  const changes: Array<readonly [number, number | string | null, UserId | null]> = []
  for (let index = 0; index < walls.length; index++) {
    const at = from + index * minute
    let user: UserId | null = null
    let source: number | string | null = null
    for (let layer = 0; layer < walkers.length; layer++) {
      const turn = walkers[layer]!.at(walls[index]!)
      if (turn === undefined || !isThere(turn, at)) continue
      user = turn
      source = layer
    }
    for (const override of overrides) {
      if (at < override.from || at >= override.to) continue
      if (override.replaces !== undefined && override.replaces !== user) continue
      if (override.userId !== null && !isThere(override.userId, at)) continue
      user = override.userId
      source = override.id
    }
    const last = changes.at(-1)
    if (last === undefined || last[1] !== source || last[2] !== user) changes.push([at, source, user])
  }
  return changes
}
