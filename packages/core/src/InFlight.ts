/**
 * The attempts of third-party plugins that run now, in memory that another thread can read while the event loop stands still. An
 * attempt that finds no place is not listed.
 */
import type { Activity } from "./Activity.ts"

const places = 128
/** Bytes of each place: its length, and that many bytes of JSON. */
const placeBytes = 512
const header = 4

const encoder = new TextEncoder()

const lengthAt = (memory: SharedArrayBuffer, place: number): Int32Array => new Int32Array(memory, place * placeBytes, 1)
const textAt = (memory: SharedArrayBuffer, place: number): Uint8Array =>
  new Uint8Array(memory, place * placeBytes + header, placeBytes - header)

/** Where this thread lists its attempts. */
export const memory = new SharedArrayBuffer(places * placeBytes)
const free = Array.from({ length: places }, (_, place) => place)

const nothing = (): void => undefined

/** Lists an attempt, and returns what ends that. */
export const enter = (activity: Activity): (() => void) => {
  const place = free.pop()
  if (place === undefined) return nothing
  const text = JSON.stringify(activity)
  const { read, written } = encoder.encodeInto(text, textAt(memory, place))
  const length = lengthAt(memory, place)
  // A part of it could not be decoded.
  Atomics.store(length, 0, read === text.length ? written : 0)
  return () => {
    Atomics.store(length, 0, 0)
    free.push(place)
  }
}

/** The attempts that another thread lists, as JSON. */
export const read = (of: SharedArrayBuffer): ReadonlyArray<unknown> =>
  Array.from({ length: places }, (_, place) => place).flatMap((place) => {
    const length = Atomics.load(lengthAt(of, place), 0)
    if (length === 0) return []
    const text = Buffer.from(textAt(of, place).slice(0, length)).toString("utf8")
    try {
      return [JSON.parse(text) as unknown]
    } catch {
      return []
    }
  })
