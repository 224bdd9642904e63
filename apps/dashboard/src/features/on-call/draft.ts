/** A schedule as its form has it, and what is sent. Pure. */
import { type Hours, type HoursDraft, keyed, unkeyed } from "../../forms/hours.ts"
import { nextKey } from "../../forms/nextKey.ts"
import { dayText } from "./timeline.ts"
import type { Layer, Schedule } from "./types.ts"

export interface LayerDraft extends Omit<Layer, "restrictions" | "endsOn"> {
  readonly key: number
  /** None: always. */
  readonly restrictions: ReadonlyArray<HoursDraft>
  /** Empty: without an end. */
  readonly endsOn: string
}

export interface ScheduleDraft {
  readonly name: string
  readonly timezone: string
  /** None: always. */
  readonly coverage: ReadonlyArray<HoursDraft>
  /** In the order of the schedule: a later one wins. */
  readonly layers: ReadonlyArray<LayerDraft>
}

/** Hours that a reader begins with. */
export const usualHours: Hours = { weekdays: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }

/** The hour of the reader's clock at which turns of a new layer begin. */
const handoffHour = 9

/** The day of the last handoff: a layer that begins on it has somebody on call from now on, also before the handoff of today. */
export const lastHandoffDay = (now: number): string => dayText(now - handoffHour * 3_600_000)

/** Weekly turns from a day on. */
export const newLayer = (
  layers: ReadonlyArray<LayerDraft>,
  name: string,
  startsOn: string,
  userId: string | undefined
): LayerDraft => ({
  key: nextKey(layers),
  name,
  participants: userId === undefined ? [] : [{ userId }],
  rotation: { every: 1, unit: "week" },
  handoff: { time: `${String(handoffHour).padStart(2, "0")}:00`, weekday: "mon" },
  startsOn,
  endsOn: "",
  restrictions: []
})

export const draftOf = ({ coverage, layers, name, timezone }: Schedule): ScheduleDraft => ({
  name,
  timezone,
  coverage: keyed(coverage ?? []),
  layers: layers.map((layer, key) => ({
    ...layer,
    key,
    endsOn: layer.endsOn ?? "",
    restrictions: keyed(layer.restrictions ?? [])
  }))
})

/** The unit of a rotation, with a handoff that fits it. */
export const withUnit = (layer: LayerDraft, unit: Layer["rotation"]["unit"]): LayerDraft => ({
  ...layer,
  rotation: { ...layer.rotation, unit },
  handoff: {
    time: layer.handoff.time,
    ...(unit === "week" ? { weekday: layer.handoff.weekday ?? "mon" } : {}),
    ...(unit === "month" ? { day: layer.handoff.day ?? 1 } : {})
  }
})

/** A list with one of its items moved by one place. */
export const moved = <A>(items: ReadonlyArray<A>, index: number, by: 1 | -1): ReadonlyArray<A> => {
  const target = index + by
  if (index >= items.length || target < 0 || target >= items.length) return items
  const copy = [...items]
  const [item] = copy.splice(index, 1)
  copy.splice(target, 0, item!)
  return copy
}

/** A layer that keeps its first day is sent without it: its rotation goes on where it is. */
const sentLayer = (
  { endsOn, key, restrictions, startsOn, ...layer }: LayerDraft,
  before: ScheduleDraft | undefined
): Omit<Layer, "startsOn"> & { readonly startsOn?: string } => {
  const former = before?.layers.find((each) => each.key === key)
  return {
    ...layer,
    ...(former === undefined || former.startsOn !== startsOn ? { startsOn } : {}),
    ...(endsOn === "" ? {} : { endsOn }),
    ...(restrictions.length === 0 ? {} : { restrictions: restrictions.map(unkeyed) })
  }
}

/** The body that is sent: a new schedule, or a change of `before`. */
export const bodyOf = ({ coverage, layers, name, timezone }: ScheduleDraft, before?: ScheduleDraft) => ({
  name: name.trim(),
  timezone,
  coverage: coverage.length === 0 ? null : coverage.map(unkeyed),
  layers: layers.map((layer) => sentLayer(layer, before))
})

/** The body of a new schedule. Each of its layers has its first day. */
export const newBodyOf = (draft: ScheduleDraft) => {
  const { layers, ...rest } = bodyOf(draft)
  return { ...rest, layers: layers.map((layer, index) => ({ ...layer, startsOn: draft.layers[index]!.startsOn })) }
}

/** Whether a preview can be asked for: every layer has people, a name and a first day. */
export const isWhole = ({ layers }: ScheduleDraft): boolean =>
  layers.every(({ name, participants, startsOn }) => name.trim() !== "" && participants.length > 0 && startsOn !== "")
