/**
 * The results of one monitor in one region over a while as one block of bytes: columns, each written as what it is. Nothing is
 * rounded. Reading is total: bytes that are no block, damaged or made up, give an error and take bounded memory.
 *
 * A block is a version, the number of results, the sections, and a CRC-32 of all of it. Each section is its length as a varint, and
 * its bytes; that of the texts is compressed by zstd. In blocks of the first version all sections are compressed as one.
 */
import type { Timing } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Data, Result, Schema } from "effect"
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import {
  ensure,
  exact,
  readNumbers,
  readRuns,
  readScaled,
  scaleOf,
  scales,
  Sections,
  varint,
  writtenExactly,
  writtenNumbers,
  writtenRuns,
  writtenScaled
} from "./BlockColumns.ts"

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
const version = 2
/** All sections were compressed as one, which took a third of the time of reading a few columns, for a hundredth of the bytes. */
const compressedVersion = 1
const statuses = RegionStatus.literals
/** In the order in which PostgreSQL has them, but for nothing else than that answers stay the same to the byte. */
const phases = ["dns", "tls", "connect", "download", "firstByte"] as const
/** The bit of the response time among those of the phases. */
const wholeBit = 1 << phases.length

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
    texts.size === 0 ? Buffer.alloc(0) : zstdCompressSync(JSON.stringify([...texts.keys()])),
    ...writtenDurations(results)
  ]
  const parts: Array<Uint8Array> = [Uint8Array.of(version, ...varint(results.length))]
  for (const section of sections) parts.push(Uint8Array.from(varint(section.length)), section)
  const body = Buffer.concat(parts)
  const end = Buffer.alloc(4)
  end.writeUInt32LE(crc32(body))
  return Buffer.concat([body, end])
}

/**
 * How much is read of results: all; all but the phases; when they were due and began, their status and response time; or the
 * same without the response time. What is not read is null, and the slot 0.
 */
export type Detail = "all" | "brief" | "times" | "status"

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
  if (block[0] !== version && block[0] !== compressedVersion) return unreadable(`its version is ${block[0]}`)
  const body = block.subarray(1, end)
  return Result.try({
    try: () =>
      block[0] === version
        ? resultsOf(new Sections(body), reading, (texts) => zstdDecompressSync(texts, { maxOutputLength }))
        : resultsOf(new Sections(zstdDecompressSync(body, { maxOutputLength })), reading, (texts) => texts),
    catch: (cause) => new BlockUnreadable({ message: `A block cannot be read: ${String(cause).slice(0, 200)}` })
  })
}

const unreadable = (why: string) => Result.fail(new BlockUnreadable({ message: `A block cannot be read: ${why}` }))

const resultsOf = (
  sections: Sections,
  { detail = "all", keep, newest }: Reading,
  unpacked: (texts: Buffer) => Buffer
): Array<BlockResult> => {
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

  const bare = detail === "times"
  const slots = bare ? undefined : readNumbers(slotSection, count, "steady")
  const masks = readRuns(sections.next(), count)
  const [failureSection, factSection, textSection] = [sections.next(), sections.next(), sections.next()]
  const failures = bare ? undefined : readRuns(failureSection, count)
  const facts = bare ? undefined : readRuns(factSection, count)
  const texts = bare ? [] : textsOf(textSection, unpacked)
  const textOf = (number: number): string | null => {
    if (number === 0) return null
    const text = texts[number - 1]
    ensure(text !== undefined, "a text is missing")
    return text!
  }
  const whole = readDurations(sections.next(), countOf(masks, wholeBit))
  const series = detail === "all" ? readPhases(sections, masks, whole) : []
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
      slot: slots?.[index] ?? 0,
      checkedAt: scheduled[index]! + waited[index]!,
      status: statuses[status[index]!]!,
      responseTime: (mask & wholeBit) === 0 ? null : whole[places[phases.length]!]!,
      timing,
      failure: textOf(failures?.[index] ?? 0),
      facts: textOf(facts?.[index] ?? 0)
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

/** Columns whose first byte is this and a scale are the rest of the response time by that scale. */
const restOf = 16

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

const textsOf = (section: Buffer, unpacked: (texts: Buffer) => Buffer): ReadonlyArray<string> =>
  section.length === 0 ? [] : decodeTexts(unpacked(section).toString())

const decodeTexts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))
