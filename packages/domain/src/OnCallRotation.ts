/**
 * The turns of a layer. Handoffs are local times at equal distances from the first one, read from the wall clock; months are
 * counted from the start and clamped (31, 28, 31). Pure; a question takes a bounded number of steps however old the layer is.
 */
import type { UserId } from "./Ids.ts"
import { dayMillis, type Zone } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"
import { dayOfDate, type Layer, type RotatingLayer } from "./OnCallSchedule.ts"
import type { Span } from "./Spans.ts"
import { instantOf, type WallMillis } from "./WallClock.ts"
import { millisOfDay, wallOf, weekdayOf, weekdays, type WeeklyWindow } from "./WeeklyWindows.ts"

/** A turn, or the part of it that the layer's beginning or end leaves. */
export interface Turn extends Span {
  readonly userId: UserId
}

const unitMillis = { hour: 3_600_000, day: dayMillis, week: 7 * dayMillis }

/** The handoffs of a layer by their numbers, before they are read from the clock. The layer may begin after handoff 0. */
interface Grid {
  readonly handoff: (turn: number) => WallMillis
  /** The number of a turn near a local time; it may be wrong by one. */
  readonly near: (wall: WallMillis) => number
  /** The number of turns after which the hours of the week that they cover repeat; undefined if they do not. */
  readonly period: number | undefined
}

const gridOf = ({ handoff, rotation: { every, unit }, startsOn }: Layer): Grid => {
  const time = millisOfDay(handoff.time)
  const start = dayOfDate(startsOn)
  if (unit === "month") return monthly(start, handoff.day, every, time)
  const back =
    handoff.weekday === undefined ? 0 : (weekdays.indexOf(weekdayOf(start)) - weekdays.indexOf(handoff.weekday) + 7) % 7
  const first = (start - back) * dayMillis + time
  const step = every * unitMillis[unit]
  const week = unitMillis.week
  return {
    handoff: (turn) => first + turn * step,
    near: (wall) => Math.floor((wall - first) / step),
    period: week / divisor(step, week)
  }
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other))

const monthly = (start: number, day: number | undefined, every: number, time: number): Grid => {
  const date = new Date(start * dayMillis)
  const wanted = day ?? date.getUTCDate()
  const dayIn = (month: number): number => {
    const year = Math.floor(month / 12)
    const length = new Date(Date.UTC(year, (month % 12) + 1, 0)).getUTCDate()
    return Date.UTC(year, month % 12, Math.min(wanted, length)) / dayMillis
  }
  const own = monthOf(start * dayMillis)
  const first = dayIn(own) > start ? own - 1 : own
  return {
    handoff: (turn) => dayIn(first + turn * every) * dayMillis + time,
    near: (wall) => Math.floor((monthOf(wall) - first) / every),
    period: undefined
  }
}

const monthOf = (wall: WallMillis): number => {
  const date = new Date(wall)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Whether any hours of the windows are between two local times. */
const covers = (windows: ReadonlyArray<WeeklyWindow>, from: WallMillis, to: WallMillis): boolean => {
  // Every window is in any eight days.
  const until = Math.min(to, from + 9 * dayMillis)
  for (let day = Math.floor(from / dayMillis) - 1; day * dayMillis < until; day++)
    for (const window of windows) {
      const wall = wallOf(window, day)
      if (window.weekdays.includes(weekdayOf(day)) && wall.from < to && wall.to > from) return true
    }
  return false
}

/** Windows are reckoned in parts, each of which asks again. */
const remembered = new WeakMap<Layer, (turn: number) => number>()

/** How many turns before this one count. */
const counting = (layer: Layer, grid: Grid): ((turn: number) => number) => {
  const known = remembered.get(layer)
  if (known !== undefined) return known
  const counted = makeCounting(layer, grid)
  remembered.set(layer, counted)
  return counted
}

const makeCounting = ({ handoff, restrictions, rotation, startsOn }: Layer, grid: Grid): ((turn: number) => number) => {
  if (rotation.skipEmpty !== true || restrictions === undefined) return (turn) => turn
  const begin = dayOfDate(startsOn) * dayMillis + millisOfDay(handoff.time)
  const counts = (turn: number): number =>
    Number(covers(restrictions, Math.max(grid.handoff(turn), begin), grid.handoff(turn + 1)))
  const first = counts(0)
  /** How many of the turns 1 to n count, at n. */
  const sums = [0]
  const upTo = (turn: number): number => {
    while (sums.length <= turn) sums.push(sums.at(-1)! + counts(sums.length))
    return sums[turn]!
  }
  return (turn) => {
    if (turn === 0) return 0
    const others = turn - 1
    if (grid.period === undefined) return first + upTo(others)
    return first + Math.floor(others / grid.period) * upTo(grid.period) + upTo(others % grid.period)
  }
}

/** The index of the participant of each turn that counts, by the number of the turn. */
const orderOf = (layer: RotatingLayer, zone: Zone, grid: Grid): ((turn: number) => number) => {
  const { anchor, participants } = layer
  const counted = counting(layer, grid)
  // Counts before an edit may be below those at it.
  const index = (count: number): number => ((count % participants.length) + participants.length) % participants.length
  if (anchor === undefined) return (turn) => index(counted(turn))
  const first = counted(turnIn(zone, grid, anchor.at) + 1)
  return (turn) => index(anchor.next + counted(turn) - first)
}

/** The person of each turn, by the number of the turn. The person with the turn at an edit keeps it. */
const peopleOf = (layer: RotatingLayer, zone: Zone, grid: Grid): ((turn: number) => UserId) => {
  const { anchor, participants } = layer
  const order = orderOf(layer, zone, grid)
  const kept = anchor === undefined ? undefined : turnIn(zone, grid, anchor.at)
  return (turn) => (turn === kept ? anchor!.userId : participants[order(turn)]!.userId)
}

/** The number of the turn in progress at an instant; 0 before the first one. */
const turnIn = (zone: Zone, { handoff, near }: Grid, instant: EpochMillis): number => {
  const at = (turn: number): EpochMillis => instantOf(zone, handoff(turn))
  let turn = Math.max(0, near(instant))
  while (turn > 0 && at(turn) > instant) turn--
  while (at(turn + 1) <= instant) turn++
  return turn
}

/** When a layer begins and ends. */
const boundsOf = ({ endsOn, handoff, startsOn }: Layer, zone: Zone): Span => {
  const at = (date: string) => instantOf(zone, dayOfDate(date) * dayMillis + millisOfDay(handoff.time))
  return { from: at(startsOn), to: endsOn === undefined ? Number.POSITIVE_INFINITY : at(endsOn) }
}

/** The turn in progress at an instant, restrictions aside. */
export interface TurnNow {
  readonly userId: UserId
  /** Where the person stands, or stood, in the order. */
  readonly place: number
  /** The index of the participant of the next turn that counts. */
  readonly next: number
}

/** The turn in progress at an instant; undefined before the beginning and after the end of the layer. */
export const turnAt = (layer: RotatingLayer, zone: Zone, instant: EpochMillis): TurnNow | undefined => {
  const bounds = boundsOf(layer, zone)
  if (instant < bounds.from || instant >= bounds.to) return undefined
  const grid = gridOf(layer)
  const turn = turnIn(zone, grid, instant)
  const order = orderOf(layer, zone, grid)
  return { userId: peopleOf(layer, zone, grid)(turn), place: order(turn), next: order(turn + 1) }
}

/** Whether the turn in progress at an instant counts. */
export const isCounted = (layer: Layer, zone: Zone, instant: EpochMillis): boolean => {
  const grid = gridOf(layer)
  const turn = turnIn(zone, grid, instant)
  const counted = counting(layer, grid)
  return counted(turn + 1) > counted(turn)
}

/** The turns of a layer that touch `[from, to)`, in order. Turns of no length are used up, and not listed. */
export const turnsOf = (layer: RotatingLayer, zone: Zone, from: EpochMillis, to: EpochMillis): ReadonlyArray<Turn> => {
  const { from: begin, to: end } = boundsOf(layer, zone)
  const since = Math.max(from, begin)
  const until = Math.min(to, end)
  if (since >= until) return []
  const grid = gridOf(layer)
  const at = (turn: number): EpochMillis => instantOf(zone, grid.handoff(turn))
  const personOf = peopleOf(layer, zone, grid)
  const turns: Array<Turn> = []
  let turn = turnIn(zone, grid, since)
  for (let start = at(turn); start < until; turn++) {
    const next = at(turn + 1)
    if (next > start) turns.push({ from: Math.max(start, begin), to: Math.min(next, end), userId: personOf(turn) })
    start = next
  }
  return turns
}
