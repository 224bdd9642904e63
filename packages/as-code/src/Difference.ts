/** The difference of two values as a short text that shows where they differ, however long they are. Pure. */
import { isDeepStrictEqual } from "node:util"
import type { Schema } from "effect"

type Json = Schema.Json
type JsonObject = Readonly<Record<string, Json>>

/** Characters of a value that is shown. */
const longest = 120
/** Characters before the first difference. */
const before = 20
/** Parts of a list or an object that are named on each side. */
const most = 5
/** Objects in objects whose fields are named. */
const deepest = 2

/**
 * `800 → 900`. Of long lists it names what is taken away and what is added (`- "a", + "b"`), of long objects the fields that
 * differ, and of long texts the part around the first difference.
 */
export const difference = (from: Json | undefined, to: Json | undefined): string => within(from, to, 0)

const within = (from: Json | undefined, to: Json | undefined, depth: number): string => {
  const [was, becomes] = [written(from), written(to)]
  if (was.length <= longest && becomes.length <= longest) return `${was} → ${becomes}`
  if (Array.isArray(from) && Array.isArray(to) && from.length > 0 && to.length > 0) return ofLists(from, to)
  if (isObject(from) && isObject(to) && depth < deepest) return ofObjects(from, to, depth)
  return sides(was, becomes, longest).join(" → ")
}

const written = (json: Json | undefined): string => (json === undefined ? "(none)" : JSON.stringify(json))

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

const ofLists = (from: ReadonlyArray<Json>, to: ReadonlyArray<Json>): string => {
  const [was, becomes] = [from.map(written), to.map(written)]
  const [removed, added] = [without(was, becomes), without(becomes, was)]
  const touched = new Set([...removed, ...added])
  const kept = (list: ReadonlyArray<string>): ReadonlyArray<string> => list.filter((one) => !touched.has(one))
  const isMoved = !isDeepStrictEqual(kept(was), kept(becomes))
  if (removed.length === 0 && added.length === 0) return `in another order: ${moved(was, becomes)}`
  const order = isMoved ? "; the others in another order" : ""
  return [...marked("-", clipped(removed, added)), ...marked("+", clipped(added, removed))].join(", ") + order
}

/** What is in the one list more often than in the other. */
const without = (list: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const one of other) counts.set(one, (counts.get(one) ?? 0) + 1)
  return list.filter((one) => {
    const left = counts.get(one) ?? 0
    if (left > 0) counts.set(one, left - 1)
    return left === 0
  })
}

/** The part of two lists between their first and their last difference. */
const moved = (was: ReadonlyArray<string>, becomes: ReadonlyArray<string>): string => {
  const start = was.findIndex((one, index) => one !== becomes[index])
  const end = was.findLastIndex((one, index) => one !== becomes[index]) + 1
  const part = (list: ReadonlyArray<string>): string => list.slice(start, end).join(", ")
  return sides(part(was), part(becomes), longest).join(" → ")
}

const ofObjects = (from: JsonObject, to: JsonObject, depth: number): string => {
  const only = (one: JsonObject, other: JsonObject): ReadonlyArray<string> =>
    Object.keys(one)
      .filter((name) => !Object.hasOwn(other, name))
      .map((name) => `${name}: ${sides(written(one[name]), "", longest / 2)[0]}`)
  const changed = Object.keys(from).flatMap((name) =>
    Object.hasOwn(to, name) && !isDeepStrictEqual(from[name], to[name])
      ? [`${name}: ${within(from[name], to[name], depth + 1)}`]
      : []
  )
  return [...marked("-", only(from, to)), ...marked("+", only(to, from)), ...marked("~", changed)].join(", ")
}

/** The parts of one side, each around its first difference from its counterpart. */
const clipped = (own: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> =>
  own.map((one, index) => sides(one, other[index] ?? "", longest / 2)[0])

const marked = (mark: string, parts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...parts.slice(0, most).map((part) => `${mark} ${part}`),
  ...(parts.length > most ? [`${mark} ${parts.length - most} more`] : [])
]

/** Both texts around their first difference. */
const sides = (was: string, becomes: string, room: number): readonly [string, string] => {
  let same = 0
  while (same < was.length && was[same] === becomes[same]) same++
  const isFitting = was.length <= room && becomes.length <= room
  const start = isFitting || same <= before * 2 ? 0 : same - before
  return [clip(was, start, room), clip(becomes, start, room)]
}

const clip = (text: string, start: number, room: number): string =>
  `${start > 0 ? "…" : ""}${text.slice(start, start + room).toWellFormed()}${text.length > start + room ? "…" : ""}`
