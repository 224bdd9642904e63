/**
 * Edits of on-call schedules. An edit of the participants or of the times of a layer keeps who has the turn until the next handoff
 * and goes on after them in the new order; a layer with another first day begins again. Pure.
 */
import type { UserId } from "./Ids.ts"
import { type Zone, zoneOf } from "./LocalTime.ts"
import { isCounted, turnAt, type TurnNow } from "./OnCallRotation.ts"
import type { Layer, RotatingLayer } from "./OnCallSchedule.ts"
import type { Shift } from "./OnCallShifts.ts"
import { joined, type Span } from "./Spans.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The earlier layer of each new one: the one with its name, else the one in its place, if no other has that one's name. */
export const formerLayers = <L extends Pick<Layer, "name">>(
  before: ReadonlyArray<L>,
  after: ReadonlyArray<Pick<Layer, "name">>
): ReadonlyArray<L | undefined> => {
  const names = new Set(after.map(({ name }) => name))
  return after.map(({ name }, index) => {
    const inPlace = before[index]
    return before.find((layer) => layer.name === name) ?? (inPlace && !names.has(inPlace.name) ? inPlace : undefined)
  })
}

/** The fields that decide the order of turns, besides the first day. */
const rotationOf = ({ handoff, participants, restrictions, rotation }: Layer, timezone: string): string =>
  JSON.stringify([
    timezone,
    participants.map(({ userId }) => userId),
    [rotation.every, rotation.unit, rotation.skipEmpty === true],
    [handoff.time, handoff.weekday ?? null, handoff.day ?? null],
    rotation.skipEmpty === true ? (restrictions ?? null) : null
  ])

/** The new layers, so that rotations go on after the person who has the turn now. */
export const continued = (
  before: { readonly timezone: string; readonly layers: ReadonlyArray<RotatingLayer> },
  after: { readonly timezone: string; readonly layers: ReadonlyArray<Layer> },
  now: EpochMillis
): ReadonlyArray<RotatingLayer> => {
  const former = formerLayers(before.layers, after.layers)
  const zones = { before: zoneOf(before.timezone)!, after: zoneOf(after.timezone)! }
  return after.layers.map((layer, index) => {
    const earlier = former[index]
    if (earlier === undefined || earlier.startsOn !== layer.startsOn) return layer
    if (rotationOf(earlier, before.timezone) === rotationOf(layer, after.timezone))
      return earlier.anchor === undefined ? layer : { ...layer, anchor: earlier.anchor }
    const turn = turnAt(earlier, zones.before, now)
    return turn === undefined ? layer : anchored(layer, earlier, turn, zones.after, now)
  })
}

const anchored = (
  layer: Layer,
  earlier: Layer,
  { next, place, userId }: TurnNow,
  zone: Zone,
  now: EpochMillis
): RotatingLayer => {
  const order = layer.participants.map((participant) => participant.userId)
  const formerOrder = earlier.participants.map((participant) => participant.userId)
  const size = order.length
  // Somebody may be in the order more than once: the place is kept if it is theirs still.
  const own = order[place] === userId ? place : order.indexOf(userId)
  if (own >= 0) {
    // A turn without any hours that count is not their turn yet.
    const isTheirs = isCounted(layer, zone, now)
    return { ...layer, anchor: { at: now, userId, next: (own + (isTheirs ? 1 : 0)) % size } }
  }
  const following = formerOrder.map((_, step) => formerOrder[(next + step) % formerOrder.length]!)
  const successor = following.find((one) => order.includes(one))
  return { ...layer, anchor: { at: now, userId, next: successor === undefined ? 0 : order.indexOf(successor) } }
}

/** The people who are on call at other times in one list of shifts than in another, in the order of their ids. */
export const movedPeople = (before: ReadonlyArray<Shift>, after: ReadonlyArray<Shift>): ReadonlyArray<UserId> => {
  const [was, is] = [spansByPerson(before), spansByPerson(after)]
  const people = new Set([...was.keys(), ...is.keys()])
  const told = (spans: ReadonlyArray<Span> | undefined) => (spans ?? []).map(({ from, to }) => `${from} ${to}`).join()
  return [...people].filter((userId) => told(was.get(userId)) !== told(is.get(userId))).toSorted()
}

const spansByPerson = (shifts: ReadonlyArray<Shift>): ReadonlyMap<UserId, ReadonlyArray<Span>> => {
  const found = new Map<UserId, Array<Span>>()
  for (const { from, to, userId } of shifts) {
    if (userId === null) continue
    const own = found.get(userId) ?? []
    own.push({ from, to })
    found.set(userId, own)
  }
  return new Map([...found].map(([userId, spans]) => [userId, joined(spans)] as const))
}

/** The people in the layers of a schedule, and those who keep a turn through an edit. */
export const peopleIn = (layers: ReadonlyArray<RotatingLayer>): ReadonlySet<UserId> =>
  new Set(
    layers.flatMap(({ anchor, participants }) => [
      ...participants.map(({ userId }) => userId),
      ...(anchor === undefined ? [] : [anchor.userId])
    ])
  )
