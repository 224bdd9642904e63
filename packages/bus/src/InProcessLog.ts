/** A stream of the in-process bus: its messages, consumers and limits. */
import type { Incoming, Outgoing, StreamDefinition } from "@kanmon/core/EventBus"
import { Effect, type Semaphore } from "effect"
import { matcher } from "./Subject.ts"

const dedupeMillis = 120_000

/** A stored message and when it was published. */
export interface Kept {
  readonly sequence: number
  readonly at: number
  readonly message: Outgoing
}

/** The position of a consumer. */
export interface Consumer {
  /** Sequence of the last message that was acknowledged. */
  position: number
  /** How often the batch after `position` has been delivered. */
  attempts: number
  readonly turn: Semaphore.Semaphore
}

/** A stream: its messages and consumers. */
export interface Log {
  definition: StreamDefinition
  matches: (subject: string) => boolean
  messages: Array<Kept>
  last: number
  readonly ids: Map<string, number>
  readonly consumers: Map<string, Consumer>
  /** Called once each when a message arrives. */
  waiting: Array<() => void>
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
  waiting: [],
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
  for (const follow of log.followers) follow(kept)
  return true
}

/** Wakes everyone waiting for a message. */
export const wake = (log: Log): void => {
  const waiting = log.waiting
  log.waiting = []
  for (const one of waiting) one()
}

/** The message as delivered for the `deliveries`th time. */
export const incoming = ({ message, sequence }: Kept, deliveries: number): Incoming => ({
  subject: message.subject,
  payload: message.payload,
  headers: message.headers ?? {},
  sequence,
  deliveries
})

/** Returns when another message has arrived. */
export const arrival = (log: Log): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const wake = (): void => resume(Effect.void)
    log.waiting.push(wake)
    return Effect.sync(() => {
      log.waiting = log.waiting.filter((other) => other !== wake)
    })
  })

/** The index of the first message after a sequence. Sequences are dense, so this is arithmetic. */
export const indexAfter = (log: Log, sequence: number): number => {
  const first = log.messages[0]?.sequence ?? 0
  return Math.max(0, sequence + 1 - first)
}

/** Drops what is too old or above the limits; returns how many pending messages were dropped. */
export const trim = (log: Log, now: number, { keep, keepUntaken }: Room): number => {
  let taken = log.last
  for (const { position } of log.consumers.values()) if (position < taken) taken = position
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
  if (cut > 0 && (cut >= 4096 || dropped > 0 || cut === log.messages.length)) log.messages = log.messages.slice(cut)
  for (const [id, at] of log.ids) {
    if (now - at < dedupeMillis) break
    log.ids.delete(id)
  }
  return dropped
}
