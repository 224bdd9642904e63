/** The contract of an event bus. A suite is a function of a layer: NATS and the in-process bus pass the same laws. */
import { eventually } from "./Eventually.ts"
import { assert, describe, it } from "@effect/vitest"
import { type BusUnavailable, EventBus, type Incoming, type Outgoing } from "@kanmon/core/EventBus"
import { Deferred, Effect, Fiber, type Layer, Stream } from "effect"
import * as BucketContract from "./BucketContract.ts"
import { type Law, names } from "./internal/BusLaws.ts"

const message = (subject: string, id: string, payload = id): Outgoing => ({
  subject,
  id,
  payload,
  headers: { "ce-id": id }
})

const prepared = Effect.gen(function* () {
  const bus = yield* EventBus
  const own = yield* names
  yield* bus.ensureStream({ name: own.stream, subjects: [own.subject(">")], maxAgeMillis: 3_600_000 })
  return { bus, ...own }
})

/** Consumes until `done` is true of the received messages. */
const takeUntil = (
  options: {
    readonly stream: string
    readonly durable: string
    readonly filter?: ReadonlyArray<string>
    readonly batch?: number
  },
  done: (taken: ReadonlyArray<Incoming>) => boolean,
  handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, string> = () => Effect.void
) =>
  Effect.gen(function* () {
    const bus = yield* EventBus
    const taken: Array<Incoming> = []
    const finished = yield* Deferred.make<void>()
    const consumer = yield* Effect.forkChild(
      bus.consume({ batch: 100, maxWait: "10 millis", ...options }, (batch) =>
        handle(batch).pipe(
          Effect.tap(() => {
            taken.push(...batch)
            return done(taken) ? Deferred.succeed(finished, undefined) : Effect.void
          })
        )
      )
    )
    yield* Deferred.await(finished)
    // The acknowledgement follows the handling.
    const { durable, filter, stream } = options
    const left = Stream.runCollect(
      bus.backlog({ stream, consumers: [{ durable, ...(filter === undefined ? {} : { filter }) }] })
    )
    const handled = new Set(taken.map(({ sequence }) => sequence))
    yield* eventually(left, (messages) => !messages.some(({ sequence }) => handled.has(sequence)))
    yield* Fiber.interrupt(consumer)
    return taken
  })

/** Runs the whole contract against a bus. */
export const suite = (name: string, layer: Layer.Layer<EventBus, BusUnavailable | Error>): void => {
  describe(`the event bus, ${name}`, () => {
    const law: Law = (sentence, body) =>
      it.live(sentence, () => body.pipe(Effect.scoped, Effect.provide(layer), Effect.asVoid), 60_000)

    law(
      "delivers every message in order, and continues where a consumer stopped",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        yield* bus.publish([1, 2, 3].map((n) => message(subject("a"), `m${n}`)))
        const first = yield* takeUntil({ stream, durable }, (taken) => taken.length === 3)
        yield* bus.publish([4, 5].map((n) => message(subject("a"), `m${n}`)))
        const second = yield* takeUntil({ stream, durable }, (taken) => taken.length === 2)
        assert.deepStrictEqual(
          first.map(({ payload }) => payload),
          ["m1", "m2", "m3"]
        )
        assert.deepStrictEqual(
          second.map(({ payload }) => payload),
          ["m4", "m5"]
        )
        assert.strictEqual(first[0]!.headers["ce-id"], "m1")
        assert.isAbove(second[0]!.sequence, first[2]!.sequence)
      })
    )

    law(
      "redelivers a failed batch before anything later, and counts deliveries",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        yield* bus.publish([1, 2, 3].map((n) => message(subject("a"), `m${n}`)))
        let attempts = 0
        const deliveries: Array<number> = []
        const taken = yield* takeUntil(
          { stream, durable, batch: 2 },
          (all) => all.length >= 3,
          (batch) => {
            deliveries.push(batch[0]!.deliveries)
            return ++attempts < 3 ? Effect.fail("not yet") : Effect.void
          }
        )
        assert.deepStrictEqual(deliveries, [1, 2, 3, 1])
        assert.isAtLeast(attempts, 4)
        assert.deepStrictEqual(
          taken.map(({ payload }) => payload),
          ["m1", "m2", "m3"]
        )
      })
    )

    law(
      "tells of messages that arrive while others are handled",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        const begun = yield* Deferred.make<void>()
        const told = yield* Deferred.make<void>()
        const both = yield* Deferred.make<void>()
        const handled: Array<string> = []
        const arrives = ({ payload }: Incoming): void => {
          if (payload === "m2") Deferred.doneUnsafe(told, Effect.void)
        }
        const options = { stream, durable, filter: [subject("a")], batch: 10, maxWait: 0, arrives }
        const consumer = yield* Effect.forkChild(
          bus.consume(options, (batch) =>
            Effect.gen(function* () {
              yield* Deferred.succeed(begun, undefined)
              // The first batch ends because of the message behind it.
              yield* Deferred.await(told)
              handled.push(...batch.map(({ payload }) => payload))
              if (handled.length === 2) yield* Deferred.succeed(both, undefined)
            })
          )
        )
        yield* bus.publish([message(subject("a"), "m1")])
        yield* Deferred.await(begun)
        yield* bus.publish([message(subject("b"), "other"), message(subject("a"), "m2")])
        yield* Deferred.await(both)
        assert.deepStrictEqual(handled, ["m1", "m2"])
        yield* Fiber.interrupt(consumer)
      })
    )

    law(
      "redelivers a batch after its consumer was interrupted",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        yield* bus.publish([message(subject("a"), "m1"), message(subject("a"), "m2")])
        const begun = yield* Deferred.make<void>()
        const stuck = yield* Effect.forkChild(
          bus.consume({ stream, durable, batch: 10, maxWait: "10 millis" }, () =>
            Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
          )
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(stuck)
        const taken = yield* takeUntil({ stream, durable }, (all) => all.length === 2)
        assert.deepStrictEqual(
          taken.map(({ payload }) => payload),
          ["m1", "m2"]
        )
      })
    )

    law(
      "delivers everything to later consumers while others continue",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        const all = Array.from({ length: 400 }, (_, n) => `m${n}`)
        let published = 0
        const publishing = yield* Effect.forkChild(
          Effect.forEach(
            all,
            (id) => Effect.tap(bus.publish([message(subject("a"), id)]), () => Effect.sync(() => void published++)),
            { discard: true }
          )
        )
        const taken = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => index),
          (index) =>
            Effect.andThen(
              eventually(
                Effect.sync(() => published),
                (count) => count >= 50 * index
              ),
              takeUntil({ stream, durable: `${durable}-${index}`, batch: 7 }, (own) => own.length >= all.length)
            ),
          { concurrency: "unbounded" }
        )
        yield* Fiber.join(publishing)
        for (const own of taken)
          assert.deepStrictEqual(
            own.map(({ payload }) => payload),
            all
          )
      })
    )

    law(
      "delivers only what the filter matches",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        yield* bus.publish(["a.x", "b.x", "c", "a.y", "b.y.z"].map((rest) => message(subject(rest), rest)))
        const one = yield* takeUntil(
          { stream, durable: `${durable}_one`, filter: [subject("a.*")] },
          (taken) => taken.length === 2
        )
        const two = yield* takeUntil(
          { stream, durable: `${durable}_two`, filter: [subject("c"), subject("b.>")] },
          (taken) => taken.length === 3
        )
        const payloads = [...one, ...two].map(({ payload }) => payload)
        assert.deepStrictEqual(payloads, ["a.x", "a.y", "b.x", "c", "b.y.z"])
      })
    )

    law(
      "keeps one message per id",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        yield* bus.publish([
          message(subject("a"), "same", "1"),
          message(subject("b"), "same", "2"),
          message(subject("a"), "other", "3")
        ])
        yield* bus.publish([message(subject("a"), "same", "4"), message(subject("a"), "last", "5")])
        const taken = yield* takeUntil({ stream, durable }, (all) => all.at(-1)?.payload === "5")
        assert.deepStrictEqual(
          taken.map(({ payload }) => payload),
          ["1", "3", "5"]
        )
      })
    )

    law(
      "delivers 10,000 messages without a loss",
      Effect.gen(function* () {
        const { bus, durable, stream, subject, tag } = yield* prepared
        const count = 10_000
        const consumer = yield* Effect.forkChild(
          takeUntil({ stream, durable, batch: 1000 }, (all) => all.length === count)
        )
        for (let from = 0; from < count; from += 500) {
          yield* bus.publish(
            Array.from({ length: 500 }, (_, index) =>
              message(subject(`a.${index % 7}`), `${tag}.${from + index}`, String(from + index))
            )
          )
        }
        const taken = yield* Fiber.join(consumer)
        assert.deepStrictEqual(
          taken.map(({ payload }) => Number(payload)),
          Array.from({ length: count }, (_, index) => index)
        )
      })
    )

    law(
      "replays from a sequence, and follows new messages, by wildcard",
      Effect.gen(function* () {
        const { bus, stream, subject } = yield* prepared
        yield* bus.publish([
          message(subject("a.x"), "m1"),
          message(subject("b.x"), "m2"),
          message(subject("a.y"), "m3")
        ])
        const replayed = yield* bus
          .replay({ stream, filter: [subject("a.*")], from: 1 })
          .pipe(Stream.take(2), Stream.runCollect)
        assert.deepStrictEqual(
          replayed.map(({ payload }) => payload),
          ["m1", "m3"]
        )
        const position = yield* bus.position(stream)
        assert.strictEqual(position, replayed[1]!.sequence)
        const late = yield* Effect.forkChild(
          bus.replay({ stream, from: position + 1 }).pipe(Stream.take(1), Stream.runCollect)
        )
        const fresh = yield* Effect.forkChild(
          bus.replay({ stream, from: "new" }).pipe(Stream.take(1), Stream.runCollect)
        )
        // It begins at some moment that nothing tells: until then, it is published again.
        let last = 3
        const publish = Effect.suspend(() => bus.publish([message(subject("a.z"), `m${++last}`)]))
        yield* eventually(
          Effect.map(publish, () => fresh.pollUnsafe()),
          (exit) => exit !== undefined
        )
        const [first] = yield* Fiber.join(fresh)
        assert.isAbove(first!.sequence, position)
        assert.deepStrictEqual(
          (yield* Fiber.join(late)).map(({ payload }) => payload),
          ["m4"]
        )
      })
    )

    law(
      "shows what a consumer has not acknowledged, without consuming it",
      Effect.gen(function* () {
        const { bus, durable, stream, subject } = yield* prepared
        const left = bus.backlog({ stream, consumers: [{ durable }] }).pipe(
          Stream.runCollect,
          Effect.map((messages) => messages.map(({ headers, payload }) => [payload, headers["ce-id"]]))
        )
        assert.deepStrictEqual(yield* left, [])
        yield* bus.publish([message(subject("a"), "m1")])
        assert.deepStrictEqual(yield* left, [["m1", "m1"]])
        yield* takeUntil({ stream, durable }, (taken) => taken.length === 1)
        assert.deepStrictEqual(yield* left, [])
        yield* bus.publish([2, 3].map((n) => message(subject("a"), `m${n}`)))
        for (const _look of [1, 2])
          assert.deepStrictEqual(yield* left, [
            ["m2", "m2"],
            ["m3", "m3"]
          ])
        const taken = yield* takeUntil({ stream, durable }, (all) => all.length === 2)
        assert.deepStrictEqual(
          taken.map(({ payload }) => payload),
          ["m2", "m3"]
        )
      })
    )

    BucketContract.laws(law)

    law(
      "carries a request to its responder, and fails without one",
      Effect.gen(function* () {
        const { bus, tag } = yield* prepared
        yield* bus.respond(`rpc.${tag}`, (payload) => Effect.succeed(`heard ${payload}`))
        assert.strictEqual(yield* bus.request(`rpc.${tag}`, "you", "2 seconds"), "heard you")
        assert.strictEqual((yield* Effect.flip(bus.request(`nobody.${tag}`, "you", "300 millis")))._tag, "NoResponder")
      })
    )
  })
}
