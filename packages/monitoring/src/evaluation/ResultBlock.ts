/**
 * The results of one monitor in one region over a while as one block of bytes: columns, each written as what it is. Nothing is
 * rounded. Reading is total: bytes that are no block, damaged or made up, give an error and take bounded memory.
 *
 * A block is a version, the sections compressed by zstd, and a CRC-32 of both. Before the sections is the number of results; each
 * section is its length as a varint, and its bytes.
 */
import type { Timing } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Data, Result, Schema } from "effect"
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { BitWriter, type Prediction, readIntegers, writeIntegers } from "./BlockBits.ts"

/** A stored result. Failures and facts are JSON texts. */
export interface BlockResult {
  readonly scheduledAt: EpochMillis
  readonly slot: number
  readonly checkedAt: EpochMillis
  readonly status: RegionStatus
  readonly responseTime: number | null
  readonly timing: Timing | null
  readonly failure: string | null
  readonly facts: string | null
}

/** The bytes are no block that this version reads. */
export class BlockUnreadable extends Data.TaggedError("BlockUnreadable")<{ readonly message: string }> {}

/** The most results of one block. */
export const maxResults = 20_000
/** The most bytes of the texts of one block, each different one counted once. */
export const maxTextBytes = 8_388_608

/** All columns as they are, and the texts, of which JSON escapes and UTF-8 make more bytes than characters. */
const maxOutputLength = 4 * maxTextBytes + 128 * maxResults
const version = 1
const statuses = RegionStatus.literals
/** In the order in which PostgreSQL has them, but for nothing else than that answers stay the same to the byte. */
const phases = ["dns", "tls", "connect", "download", "firstByte"] as const
/** The bit of the response time among those of the phases. */
const wholeBit = 1 << phases.length
/** Durations are whole numbers of these shares of a millisecond, or are written as they are. */
const scales = [1, 10, 100, 1000]
/** Longer durations are written as they are: as shares of a millisecond, they and their sums may not be exact. */
const largestScaled = 2 ** 40

/** Writes at most {@link maxResults} results, in their order. */
export const encode = (results: ReadonlyArray<BlockResult>): Uint8Array => {
  const texts = new Map<string, number>()
  const numberOf = (text: string | null): number => {
    if (text === null) return 0
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size + 1)
    return texts.size
  }
  const column = (value: (result: BlockResult) => number): Float64Array => Float64Array.from(results, value)
  const scheduled = column(({ scheduledAt }) => scheduledAt)
  const slots = column(({ slot }) => slot)
  const waited = column(({ checkedAt, scheduledAt }) => checkedAt - scheduledAt)
  const failures = column(({ failure }) => numberOf(failure))
  const facts = column(({ facts }) => numberOf(facts))
  const sections = [
    writtenNumbers(scheduled, "steady"),
    writtenNumbers(slots, "steady"),
    writtenNumbers(waited, "level"),
    writtenRuns(column(({ status }) => statuses.indexOf(status))),
    writtenRuns(column(maskOf)),
    writtenRuns(failures),
    writtenRuns(facts),
    texts.size === 0 ? Buffer.alloc(0) : Buffer.from(JSON.stringify([...texts.keys()])),
    ...writtenDurations(results)
  ]
  const parts: Array<Uint8Array> = [Uint8Array.from(varint(results.length))]
  for (const section of sections) parts.push(Uint8Array.from(varint(section.length)), section)
  const body = Buffer.concat([Uint8Array.of(version), zstdCompressSync(Buffer.concat(parts))])
  const end = Buffer.alloc(4)
  end.writeUInt32LE(crc32(body))
  return Buffer.concat([body, end])
}

/**
 * How much is read of results: all, all but the phases, or only when they were due and began and their status. What is not read
 * is null, and the slot 0.
 */
export type Detail = "all" | "brief" | "status"

/** What to read of a block. */
export interface Reading {
  /** All unless given. */
  readonly detail?: Detail | undefined
  /** Which results; all unless given. */
  readonly keep?: (scheduledAt: EpochMillis, status: RegionStatus, checkedAt: EpochMillis) => boolean
  /** Only so many, the last ones. */
  readonly newest?: number | undefined
}

/** Reads the results of a block that are to be kept. */
export const decode = (
  bytes: Uint8Array,
  reading: Reading = {}
): Result.Result<Array<BlockResult>, BlockUnreadable> => {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (block.length < 6) return unreadable("it is too short")
  const end = block.length - 4
  if (block.readUInt32LE(end) !== crc32(block.subarray(0, end))) return unreadable("its checksum is wrong")
  if (block[0] !== version) return unreadable(`its version is ${block[0]}`)
  return Result.try({
    try: () => resultsOf(new Sections(zstdDecompressSync(block.subarray(1, end), { maxOutputLength })), reading),
    catch: (cause) => new BlockUnreadable({ message: `A block cannot be read: ${String(cause).slice(0, 200)}` })
  })
}

const unreadable = (why: string) => Result.fail(new BlockUnreadable({ message: `A block cannot be read: ${why}` }))

class Damaged extends Error {}
const ensure = (holds: boolean, what: string): void => {
  if (!holds) throw new Damaged(what)
}

/** The sections in their order. Past the end they are empty. */
class Sections {
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

const resultsOf = (sections: Sections, { detail = "all", keep, newest }: Reading): Array<BlockResult> => {
  const count = sections.varint()
  ensure(count <= maxResults, "it has too many results")
  const scheduled = readNumbers(sections.next(), count, "steady")
  const slotSection = sections.next()
  const waited = readNumbers(sections.next(), count, "level")
  const status = readRuns(sections.next(), count)
  for (const each of status) ensure(each < statuses.length, "a status is unknown")
  const all: Array<number> = []
  for (let index = 0; index < count; index++) {
    const due = scheduled[index]!
    if (keep === undefined || keep(due, statuses[status[index]!]!, due + waited[index]!)) all.push(index)
  }
  const kept = newest === undefined ? all : all.slice(-newest)
  if (kept.length === 0) return []
  if (detail === "status")
    return kept.map((index) => ({
      scheduledAt: scheduled[index]!,
      slot: 0,
      checkedAt: scheduled[index]! + waited[index]!,
      status: statuses[status[index]!]!,
      responseTime: null,
      timing: null,
      failure: null,
      facts: null
    }))

  const slots = readNumbers(slotSection, count, "steady")
  const masks = readRuns(sections.next(), count)
  const failures = readRuns(sections.next(), count)
  const facts = readRuns(sections.next(), count)
  const texts = textsOf(sections.next())
  const textOf = (number: number): string | null => {
    if (number === 0) return null
    const text = texts[number - 1]
    ensure(text !== undefined, "a text is missing")
    return text!
  }
  const whole = readDurations(sections.next(), countOf(masks, wholeBit))
  const series = detail === "brief" ? [] : readPhases(sections, masks, whole)
  // Where each column is: results have a value in some of them only.
  const places = new Int32Array(phases.length + 1)
  let reached = 0
  return kept.map((index): BlockResult => {
    for (; reached < index; reached++) {
      const mask = masks[reached]!
      for (let column = 0; column <= phases.length; column++) places[column]! += (mask >> column) & 1
    }
    const mask = masks[index]!
    let timing: { -readonly [P in keyof Timing]: Timing[P] } | null = null
    if (detail === "all")
      for (let phase = 0; phase < phases.length; phase++)
        if ((mask & (1 << phase)) !== 0) {
          timing ??= {}
          timing[phases[phase]!] = series[phase]![places[phase]!]!
        }
    return {
      scheduledAt: scheduled[index]!,
      slot: slots[index]!,
      checkedAt: scheduled[index]! + waited[index]!,
      status: statuses[status[index]!]!,
      responseTime: (mask & wholeBit) === 0 ? null : whole[places[phases.length]!]!,
      timing,
      failure: textOf(failures[index]!),
      facts: textOf(facts[index]!)
    }
  })
}

/** Which durations a result has, as bits. */
const maskOf = ({ responseTime, timing }: BlockResult): number => {
  let mask = responseTime === null ? 0 : wholeBit
  if (timing !== null)
    for (let phase = 0; phase < phases.length; phase++) if (timing[phases[phase]!] !== undefined) mask |= 1 << phase
  return mask
}

const countOf = (masks: Int32Array, bit: number): number => {
  let count = 0
  for (const mask of masks) if ((mask & bit) !== 0) count++
  return count
}

/** The first byte of a column says how it is written: by a scale, as the rest of the response time by a scale, or as it is. */
const exact = 255
const restOf = 16

const writtenNumbers = (values: Float64Array, prediction: Prediction): Uint8Array => {
  const writer = new BitWriter()
  writer.write(0, 8)
  return values.every(Number.isInteger) && writeIntegers(writer, values, prediction)
    ? writer.finish()
    : writtenExactly(values)
}

const writtenExactly = (values: Float64Array): Uint8Array => {
  const bytes = Buffer.alloc(1 + values.length * 8)
  bytes[0] = exact
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 1 + index * 8)
  return bytes
}

const readNumbers = (section: Buffer, count: number, prediction: Prediction): Float64Array => {
  if (section[0] !== exact) return readScaled(section, count, prediction)
  ensure(section.length === 1 + count * 8, "a column is too short")
  return Float64Array.from({ length: count }, (_, index) => section.readDoubleLE(1 + index * 8))
}

const readScaled = (section: Buffer, count: number, prediction: Prediction): Float64Array => {
  const values = readIntegers(section.subarray(1), count, prediction)
  ensure(values !== undefined, "a column is too short")
  return values!
}

/** The smallest scale by which all values are whole numbers; undefined when there is none, or one value is too large. */
const scaleOf = (values: Float64Array): number | undefined => {
  let scale = 0
  for (const value of values) {
    if (Math.abs(value) > largestScaled) return undefined
    while (Math.round(value * scales[scale]!) / scales[scale]! !== value)
      if (++scale === scales.length) return undefined
  }
  return scale
}

const writtenScaled = (mode: number, values: Float64Array): Uint8Array | undefined => {
  const writer = new BitWriter()
  writer.write(mode, 8)
  return writeIntegers(writer, values, "level") ? writer.finish() : undefined
}

/** The response time, the phases, and last the one that is nearly always what the others leave of the response time. */
const writtenDurations = (results: ReadonlyArray<BlockResult>): ReadonlyArray<Uint8Array> => {
  const present = (value: (result: BlockResult) => number | null | undefined): Float64Array => {
    const values = new Float64Array(results.length)
    let count = 0
    for (const result of results) {
      const found = value(result)
      if (found !== null && found !== undefined) values[count++] = found
    }
    return values.subarray(0, count)
  }
  const columns = [
    present(({ responseTime }) => responseTime),
    ...phases.map((phase) => present((r) => r.timing?.[phase]))
  ]
  const columnScales = columns.map(scaleOf)
  const sections = columns.map((values, index) => {
    const scale = columnScales[index]
    const scaled =
      scale === undefined
        ? undefined
        : writtenScaled(
            scale,
            values.map((v) => Math.round(v * scales[scale]!))
          )
    return scaled ?? writtenExactly(values)
  })
  if (columnScales.includes(undefined)) return sections
  const scale = Math.max(...columnScales.map((own) => own!))
  const rests = present(({ responseTime, timing }) => {
    if (timing?.firstByte === undefined) return undefined
    return Math.round(timing.firstByte * scales[scale]!) - restAt(scales[scale]!, responseTime ?? 0, timing)
  })
  const shorter = writtenScaled(restOf + scale, rests)
  return shorter === undefined || shorter.length >= sections.at(-1)!.length
    ? sections
    : [...sections.slice(0, -1), shorter]
}

/** What the other phases of a connection leave of a response time, in shares of a millisecond. */
const restAt = (scale: number, responseTime: number, timing: Timing): number =>
  Math.round(responseTime * scale) -
  Math.round((timing.connect ?? 0) * scale) -
  Math.round((timing.tls ?? 0) * scale) -
  Math.round((timing.download ?? 0) * scale)

const readDurations = (section: Buffer, count: number): Float64Array => {
  const mode = section[0] ?? exact
  if (mode === exact) return count === 0 ? new Float64Array(0) : readNumbers(section, count, "level")
  const scale = scales[mode]
  ensure(scale !== undefined, "a scale is unknown")
  return readScaled(section, count, "level").map((value) => value / scale!)
}

/** The columns of the phases. */
const readPhases = (sections: Sections, masks: Int32Array, whole: Float64Array): ReadonlyArray<Float64Array> => {
  const last = phases.length - 1
  const columns = phases.slice(0, last).map((_, phase) => readDurations(sections.next(), countOf(masks, 1 << phase)))
  const section = sections.next()
  const count = countOf(masks, 1 << last)
  const mode = section[0] ?? exact
  if (mode < restOf || mode === exact) return [...columns, readDurations(section, count)]
  const scale = scales[mode - restOf]
  ensure(scale !== undefined, "a scale is unknown")
  const rests = readScaled(section, count, "level")
  const places = new Int32Array(phases.length)
  let wholes = 0
  for (const mask of masks) {
    const responseTime = (mask & wholeBit) === 0 ? 0 : whole[wholes++]!
    const [, tls = 0, connect = 0, download = 0] = columns.map((column, phase) =>
      (mask & (1 << phase)) === 0 ? 0 : column[places[phase]!++]!
    )
    if ((mask & (1 << last)) === 0) continue
    const at = places[last]!++
    rests[at] = (rests[at]! + restAt(scale!, responseTime, { connect, tls, download })) / scale!
  }
  return [...columns, rests]
}

/** Values that rarely change: each with how often it follows itself. */
const writtenRuns = (values: Float64Array): Uint8Array => {
  const bytes: Array<number> = []
  for (let from = 0; from < values.length;) {
    let to = from + 1
    while (values[to] === values[from]) to++
    bytes.push(...varint(values[from]!), ...varint(to - from))
    from = to
  }
  return Uint8Array.from(bytes)
}

const readRuns = (section: Buffer, count: number): Int32Array => {
  const values = new Int32Array(count)
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

const varint = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  bytes.push(left)
  return bytes
}

const textsOf = (section: Buffer): ReadonlyArray<string> =>
  section.length === 0 ? [] : decodeTexts(section.toString())

const decodeTexts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))
