/**
 * The queue of observations for the bus: a bounded buffer that one fiber empties in order. It fills while the bus is down;
 * when it is full, the oldest observations are dropped and counted. Observations that repeat what is known wait up to a second
 * for company: every publication costs this process, the bus and the engine more than another message in it.
 */
import { BusUnavailable, EventBus, type Outgoing } from "@kanmon/core/EventBus"
import { Cause, Effect, Latch, Result, Schedule, type Scope } from "effect"

export interface Outbound {
  /** Never blocks. Unless it is `urgent`, the message may wait a moment for others; an urgent one takes them along. */
  readonly offer: (message: Outgoing, urgent: boolean) => void
  /** Waits until everything has reached the bus. */
  readonly flush: Effect.Effect<void>
  readonly size: () => number
  /** Number of dropped messages. */
  readonly dropped: () => number
}

/** Messages per publication. */
const chunk = 512
/** How long messages are collected: fewer, larger publications cost less. */
const gather = "20 millis"
/** An urgent message, of which somebody may have to be told, waits for less company: others fail in the same moment. */
const gatherUrgent = "5 millis"
/** How long messages that are not urgent wait for others. */
const patience = "1 second"
/** As many messages as this do not wait: a publication costs little more for each, but nothing else runs meanwhile. */
const company = 64
/** A publication without a response within this time is repeated; its ids make that harmless. */
const answeredWithin = "30 seconds"

export const make = (capacity: number): Effect.Effect<Outbound, never, EventBus | Scope.Scope> =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const filled = Latch.makeUnsafe(false)
    const hurried = Latch.makeUnsafe(false)
    const flushing = Latch.makeUnsafe(false)
    const emptied = Latch.makeUnsafe(true)
    let waiting: Array<Outgoing> = []
    let head = 0
    let dropped = 0
    let urgentWaits = false

    const size = (): number => waiting.length - head
    const advance = (count: number): void => {
      head += count
      // Cuts in large pieces, because each cut copies the array.
      if (head >= 4096 || head === waiting.length) {
        waiting = waiting.slice(head)
        head = 0
      }
    }

    /** Evaluated on each try: messages dropped meanwhile are not sent. */
    const publish = Effect.suspend(() => {
      let away = false
      let messages: ReadonlyArray<Outgoing> = []
      return Effect.suspend(() => bus.publish((messages = waiting.slice(head, head + chunk)))).pipe(
        Effect.timeoutOrElse({ duration: answeredWithin, orElse: () => Effect.fail(unanswered) }),
        Effect.sandbox,
        Effect.tapError((cause) => {
          if (away) return Effect.void
          away = true
          const error = Cause.findError(cause)
          return Effect.logWarning(
            "The bus is down; observations are buffered",
            Result.isSuccess(error) ? error.success.detail : cause
          )
        }),
        Effect.retry(backoff),
        Effect.orDie,
        Effect.tap(() =>
          away
            ? Effect.logInfo("The bus is available again").pipe(Effect.annotateLogs({ waiting: size(), dropped }))
            : Effect.void
        ),
        Effect.map(() => {
          // Some may have been dropped from the head during the publication, so compare by identity.
          const last = waiting.indexOf(messages.at(-1)!, head)
          if (last >= 0) advance(last - head + 1)
        })
      )
    })

    const drain = Effect.gen(function* () {
      yield* filled.await
      yield* Effect.timeoutOption(hurried.await, patience)
      yield* Effect.timeoutOption(flushing.await, urgentWaits ? gatherUrgent : gather)
      urgentWaits = false
      while (size() > 0) yield* publish
      yield* Effect.sync(() => {
        if (size() > 0) return
        filled.closeUnsafe()
        hurried.closeUnsafe()
        flushing.closeUnsafe()
        emptied.openUnsafe()
      })
    })
    yield* Effect.forkScoped(Effect.forever(drain))

    return {
      offer: (message, urgent) => {
        if (size() >= capacity) {
          advance(1)
          dropped++
        }
        waiting.push(message)
        emptied.closeUnsafe()
        filled.openUnsafe()
        if (urgent) urgentWaits = true
        if (urgent || size() >= company) hurried.openUnsafe()
      },
      flush: Effect.suspend(() => {
        if (size() === 0) return Effect.void
        hurried.openUnsafe()
        flushing.openUnsafe()
        return emptied.await
      }),
      size,
      dropped: () => dropped
    }
  })

const unanswered = new BusUnavailable({ detail: `it did not answer within ${answeredWithin}` })

const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])
