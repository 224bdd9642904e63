/** A stream of the in-process bus: its messages, consumers and limits. */
import type { Incoming, Outgoing, StreamDefinition } from "@kanmon/core/EventBus"
import { Latch, Semaphore } from "effect"
import { matcher } from "./Subject.ts"
import * as SubjectIndex from "./SubjectIndex.ts"

const dedupeMillis = 120_000

/** A stored message and when it was published. */
export interface Kept {
  readonly sequence: number
  readonly at: number
  readonly message: Outgoing
}

type Patterns = ReadonlyArray<string> | undefined

/** A consumer and what it has not acknowledged. */
export interface Consumer {
  filter: Patterns
  /** Oldest first. */
  untaken: Array<Kept>
  /** How often the first of them have been delivered. */
  attempts: number
  /** Open while something is untaken. */
  readonly arrived: Latch.Latch
  readonly turn: Semaphore.Semaphore
  /** Called for each message that arrives while others are untaken. */
  arrives: ((message: Incoming) => void) | undefined
}

/** A stream: its messages and consumers. */
export interface Log {
  definition: StreamDefinition
  matches: (subject: string) => boolean
  messages: Array<Kept>
  last: number
  readonly ids: Map<string, number>
  readonly consumers: Map<string, Consumer>
  /** The consumers by what they filter. */
  readonly receivers: SubjectIndex.SubjectIndex<Consumer>
  readonly followers: Set<(kept: Kept) => void>
}

/** The limits of a stream. */
export interface Room {
  /** Messages kept for replay after every consumer has handled them. */
  readonly keep: number
  /** Messages kept for consumers that have not handled them. */
  readonly keepUntaken: number
}

export const make = (definition: StreamDefinition): Log => ({
  definition,
  matches: matcher(definition.subjects),
  messages: [],
  last: 0,
  ids: new Map(),
  consumers: new Map(),
  receivers: SubjectIndex.make(),
  followers: new Set()
})

/** Stores the message, unless one with its id was stored less than two minutes before. Returns whether it did. */
export const append = (log: Log, message: Outgoing, now: number): boolean => {
  if (now - (log.ids.get(message.id) ?? Number.NEGATIVE_INFINITY) < dedupeMillis) return false
  // Deleted first, so that the map stays ordered by time.
  log.ids.delete(message.id)
  log.ids.set(message.id, now)
  const kept = { sequence: ++log.last, at: now, message }
  log.messages.push(kept)
  for (const consumer of log.receivers.find(message.subject)) {
    consumer.untaken.push(kept)
    consumer.arrived.openUnsafe()
    if (consumer.untaken.length > 1) consumer.arrives?.(incoming(kept, 1))
  }
  for (const follow of log.followers) follow(kept)
  return true
}

/** The consumer of this name, from where it stopped; a new one begins with the oldest message. */
export const consumer = (log: Log, durable: string, filter: Patterns): Consumer => {
  const known = log.consumers.get(durable)
  if (known !== undefined && String(known.filter) === String(filter)) return known
  const after = known === undefined ? 0 : positionOf(log, known)
  const matches = matcher(filter)
  const untaken = log.messages.slice(indexAfter(log, after)).filter(({ message }) => matches(message.subject))
  const made: Consumer = known ?? {
    filter,
    untaken,
    attempts: 0,
    arrived: Latch.makeUnsafe(false),
    turn: Semaphore.makeUnsafe(1),
    arrives: undefined
  }
  if (known !== undefined) log.receivers.remove(known.filter, known)
  made.filter = filter
  made.untaken = untaken
  if (untaken.length > 0) made.arrived.openUnsafe()
  log.consumers.set(durable, made)
  log.receivers.add(filter, made)
  return made
}

/** The sequence up to which the consumer has acknowledged everything. */
export const positionOf = ({ last }: Log, { untaken }: Consumer): number =>
  untaken.length === 0 ? last : untaken[0]!.sequence - 1

/** The consumer has no more to do with messages before a sequence. */
export const dropUntaken = (consumer: Consumer, before: number): void => {
  let count = 0
  while (count < consumer.untaken.length && consumer.untaken[count]!.sequence < before) count++
  consumer.untaken.splice(0, count)
  if (consumer.untaken.length === 0) consumer.arrived.closeUnsafe()
}

/** The message as delivered for the `deliveries`th time. */
export const incoming = ({ message, sequence }: Kept, deliveries: number): Incoming => ({
  subject: message.subject,
  payload: message.payload,
  headers: message.headers ?? {},
  sequence,
  deliveries
})

/** The index of the first message after a sequence. Sequences are dense, so this is arithmetic. */
export const indexAfter = (log: Log, sequence: number): number => {
  const first = log.messages[0]?.sequence ?? 0
  return Math.max(0, sequence + 1 - first)
}

/** Drops what is too old or above the limits; returns how many pending messages were dropped. */
export const trim = (log: Log, now: number, { keep, keepUntaken }: Room): number => {
  let taken = log.last
  for (const consumer of log.consumers.values()) taken = Math.min(taken, positionOf(log, consumer))
  const oldest = now - log.definition.maxAgeMillis
  let cut = 0
  while (cut < log.messages.length && log.messages[cut]!.at < oldest) cut++
  const first = log.messages[0]!.sequence
  const spare = Math.min(taken - first + 1, log.messages.length - keep)
  cut = Math.max(cut, Math.min(spare, log.messages.length))
  let dropped = 0
  if (log.messages.length - cut > keepUntaken) {
    dropped = log.messages.length - cut - keepUntaken
    cut += dropped
  }
  // Cuts in large pieces, because each cut copies the array.
  if (cut > 0 && (cut >= 4096 || dropped > 0 || cut === log.messages.length)) {
    log.messages = log.messages.slice(cut)
    for (const consumer of log.consumers.values()) dropUntaken(consumer, first + cut)
  }
  for (const [id, at] of log.ids) {
    if (now - at < dedupeMillis) break
    log.ids.delete(id)
  }
  return dropped
}
