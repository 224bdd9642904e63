/**
 * The columns of a block of results as bytes: integers in bits or as steps, runs of values that rarely change, and numbers as they
 * are. Reading fails on bytes that are no column, and never takes more memory than their results do. Pure.
 */
import { BitWriter, type Prediction, readIntegers, writeIntegers } from "./BlockBits.ts"

/** Durations are whole numbers of these shares of a millisecond, or are written as they are. */
export const scales = [1, 10, 100, 1000]
/** Longer durations are written as they are: as shares of a millisecond, they and their sums may not be exact. */
const largestScaled = 2 ** 40
/** The changes of steps between numbers up to this are exact, and fit a varint. */
const largestStepped = 2 ** 45

class Damaged extends Error {}
export const ensure = (holds: boolean, what: string): void => {
  if (!holds) throw new Damaged(what)
}

/** The sections in their order. Past the end they are empty. */
export class Sections {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  varint(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.bytes[this.at++] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) break
    }
    return value
  }

  next(): Buffer {
    const length = this.varint()
    const from = this.at
    this.at = Math.min(from + length, this.bytes.length)
    return this.bytes.subarray(from, this.at)
  }
}

/** The first byte of a column says how it is written: by a scale in bits, or otherwise. */
export const exact = 255
const stepped = 254

export const writtenNumbers = (values: Float64Array, prediction: Prediction): Uint8Array => {
  const writer = new BitWriter()
  writer.write(0, 8)
  if (!values.every(Number.isInteger) || !writeIntegers(writer, values, prediction)) return writtenExactly(values)
  const bits = writer.finish()
  const steps = prediction === "steady" ? writtenSteps(values) : undefined
  return steps === undefined || steps.length >= bits.length ? bits : steps
}

/** Values that mostly grow as they did last, as runs of how they do not; undefined when they are too large. */
const writtenSteps = (values: Float64Array): Uint8Array | undefined => {
  const changes = new Float64Array(values.length)
  for (let index = 0, last = 0, step = 0; index < values.length; index++) {
    const value = values[index]!
    if (Math.abs(value) > largestStepped) return undefined
    const change = value - last - step
    changes[index] = change >= 0 ? change * 2 : -change * 2 - 1
    // The first step is from zero: it does not go on.
    step = index === 0 ? 0 : value - last
    last = value
  }
  return Buffer.concat([Uint8Array.of(stepped), writtenRuns(changes)])
}

const readSteps = (section: Buffer, count: number): Float64Array => {
  const values = readRuns(section.subarray(1), count, new Float64Array(count))
  for (let index = 0, last = 0, step = 0; index < count; index++) {
    const code = values[index]!
    const value = last + step + (code % 2 === 0 ? code / 2 : -(code + 1) / 2)
    step = index === 0 ? 0 : value - last
    last = value
    values[index] = value
  }
  return values
}

export const writtenExactly = (values: Float64Array): Uint8Array => {
  const bytes = Buffer.alloc(1 + values.length * 8)
  bytes[0] = exact
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 1 + index * 8)
  return bytes
}

export const readNumbers = (section: Buffer, count: number, prediction: Prediction): Float64Array => {
  if (section[0] === stepped) return readSteps(section, count)
  if (section[0] !== exact) return readScaled(section, count, prediction)
  ensure(section.length === 1 + count * 8, "a column is too short")
  return Float64Array.from({ length: count }, (_, index) => section.readDoubleLE(1 + index * 8))
}

export const readScaled = (section: Buffer, count: number, prediction: Prediction): Float64Array => {
  const values = readIntegers(section.subarray(1), count, prediction)
  ensure(values !== undefined, "a column is too short")
  return values!
}

/** The smallest scale by which all values are whole numbers; undefined when there is none, or one value is too large. */
export const scaleOf = (values: Float64Array): number | undefined => {
  let scale = 0
  for (const value of values) {
    if (Math.abs(value) > largestScaled) return undefined
    while (Math.round(value * scales[scale]!) / scales[scale]! !== value)
      if (++scale === scales.length) return undefined
  }
  return scale
}

export const writtenScaled = (mode: number, values: Float64Array): Uint8Array | undefined => {
  const writer = new BitWriter()
  writer.write(mode, 8)
  return writeIntegers(writer, values, "level") ? writer.finish() : undefined
}

/** Values that rarely change: each with how often it follows itself. */
export const writtenRuns = (values: Float64Array): Uint8Array => {
  const bytes: Array<number> = []
  for (let from = 0; from < values.length;) {
    let to = from + 1
    while (values[to] === values[from]) to++
    bytes.push(...varint(values[from]!), ...varint(to - from))
    from = to
  }
  return Uint8Array.from(bytes)
}

export const readRuns = <A extends Int32Array | Float64Array = Int32Array>(
  section: Buffer,
  count: number,
  values = new Int32Array(count) as A
): A => {
  const reader = new Sections(section)
  for (let from = 0; from < count;) {
    const value = reader.varint()
    const length = reader.varint()
    ensure(length > 0 && length <= count - from, "a run is damaged")
    values.fill(value, from, from + length)
    from += length
  }
  return values
}

export const varint = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  bytes.push(left)
  return bytes
}
