/**
 * The contract of a channel plugin. A suite is a function of a plugin and its destination. With a `golden` folder, the
 * payload of every sample notice is also compared with a file.
 */
import { eventually, interrupted } from "./Eventually.ts"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { Channel, DeliveryError, Receipt, Started } from "@kanmon/core/Channel"
import { Dialer } from "@kanmon/core/Dialer"
import { masked, secretValues, unmasked } from "@kanmon/core/Masking"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import type { Notice } from "@kanmon/core/Notice"
import { configFor, recipientsOf } from "@kanmon/core/Recipient"
import { shownWhenOf } from "@kanmon/core/ShownWhen"
import { Effect, Fiber, Inspectable, Layer, Logger, References, Result, Schema, type Scope, Tracer } from "effect"
import { expect } from "vitest"
import { type Destination, type Mood, retryAfter, type World } from "./ChannelWorld.ts"
import { notices, ownMessage } from "./SampleNotices.ts"
import * as Targets from "./Targets.ts"
import * as Titles from "./internal/Titles.ts"

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

/** Runs the suite for one channel kind. */
export const suite = (channel: Channel, world: World, options: { readonly golden?: URL } = {}): void => {
  describe(`the channel ${channel.type}`, () => {
    const law = (sentence: string, body: Effect.Effect<void, unknown, Scope.Scope | Dialer>) =>
      it.live(sentence, () => body.pipe(Effect.scoped, Effect.provide(network)), 30_000)
    const lawOf = (mood: Mood, sentence: string, body: Effect.Effect<void, unknown, Scope.Scope | Dialer>) => {
      const reason = world.exempt?.[mood]
      if (reason === undefined) law(sentence, body)
      else it.skip(`${sentence} (does not apply: ${reason})`)
    }

    law(
      "rejects an invalid configuration and names each field",
      Effect.sync(() => {
        for (const input of [null, undefined, 7, "text", []])
          assert.isTrue(Result.isFailure(channel.start(input)), String(input))
        const misspelt = channel.start({ ...channel.example, surely_no_field: "x" })
        assert.deepStrictEqual(pathsOf(misspelt), ["surely_no_field"])
        for (const field of Object.keys(channel.example)) {
          assert.deepStrictEqual(pathsOf(channel.start({ ...channel.example, [field]: 42n })), [field])
        }
      })
    )

    law(
      "accepts its own example, normalizes it to itself, and declares secrets, destination and conditions among its fields",
      Effect.sync(() => {
        const normal = Result.getOrThrow(channel.normalize(channel.example))
        assert.deepStrictEqual(Result.getOrThrow(channel.normalize(normal)), normal)
        const { schema } = Schema.toJsonSchemaDocument(channel.config)
        Titles.hold(channel.title, (schema as { readonly properties?: Record<string, object> }).properties ?? {})
        for (const field of [...channel.secrets, ...(channel.destination ?? [])])
          assert.isTrue(field in channel.config.fields, field)
        for (const [name, field] of Object.entries(channel.config.fields)) {
          const condition = shownWhenOf(field)
          if (condition !== undefined) assert.property(channel.config.fields, condition.field, name)
        }
      })
    )

    law(
      "masks its secrets on read, and keeps them when they are sent back masked",
      Effect.gen(function* () {
        const { config } = yield* world.start
        const shown = masked(config, channel)
        const text = JSON.stringify(shown)
        for (const secret of secretValues(config, channel)) assert.isFalse(text.includes(secret), "a secret is shown")
        assert.deepStrictEqual(Result.getOrThrow(unmasked(shown, config, channel)), config)
      })
    )

    law(
      "takes no answer without the signature of its provider, and reads any text",
      Effect.gen(function* () {
        const { replies } = channel
        if (replies === undefined) return
        const { settings = {} } = yield* world.start
        assert.match(replies.provider, /^[a-z][a-z0-9-]{0,63}$/)
        for (const hook of replies.hooks) {
          assert.match(hook, /^[a-z][a-z0-9-]{0,63}$/)
          for (const body of ["", "a=b", "{}", "=&=&%", "From=%2B4915112345678&Body=ack+12345678"]) {
            const incoming = { hook, url: `https://kanmon.example/${hook}?message=dlv_1`, headers: {}, body }
            assert.isFalse(replies.isFrom(incoming, settings), `${hook} takes an unsigned request`)
            replies.read(incoming)
          }
        }
      })
    )

    law(
      "can send messages exactly when it names a recipient or reaches a person, and sends them within its destination's rules",
      Effect.gen(function* () {
        const there = yield* world.start
        const started = yield* start(channel, there)
        assert.strictEqual(
          channel.recipient !== undefined || channel.reachesPerson === true,
          started.message !== undefined
        )
        assert.strictEqual(channel.callsOff === true, started.callOff !== undefined, "callsOff")
        if (started.message === undefined) return
        if (channel.recipient !== undefined)
          assert.isString(channel.example[channel.recipient.field], "the recipient's field")
        for (const recipient of recipientsOf(channel, channel.example)) {
          const alone = configFor(channel, channel.example, recipient)
          assert.isTrue(
            Result.isSuccess(channel.start(alone)),
            `the host sends to each recipient by itself, so a configuration that names only ${recipient.text} must be valid`
          )
        }
        const receipt = yield* Effect.result(started.message(ownMessage))
        assert.deepStrictEqual(there.complaints(), [])
        assert.isTrue(Result.isSuccess(receipt), describeFailure(receipt))
        assert.isAtMost(there.attempts(), 1)
        there.behave("refuse")
        const refused = yield* observe(started.message(ownMessage))
        for (const secret of [...secretValues(there.config, channel), ...settingSecrets(there)])
          assert.isFalse(refused.includes(secret), `a secret shows: ${refused.slice(0, 2000)}`)
        assert.isTrue(Result.isFailure(yield* Effect.result(started.message(ownMessage))), "a rejection needs an error")
      })
    )

    for (const [name, notice] of Object.entries(notices)) {
      law(
        `delivers the notice "${name}" within its destination's rules`,
        Effect.gen(function* () {
          const there = yield* world.start
          const started = yield* start(channel, there)
          const receipt = yield* Effect.result(started.deliver(notice))
          assert.deepStrictEqual(there.complaints(), [])
          assert.isTrue(Result.isSuccess(receipt), describeFailure(receipt))
          assert.isAtMost(there.attempts(), world.requests ?? 1)
          if (options.golden !== undefined) {
            const file = fileURLToPath(new URL(`${name}.json`, withSlash(options.golden)))
            yield* Effect.promise(() => expect(`${JSON.stringify(there.taken(), null, 2)}\n`).toMatchFileSnapshot(file))
          }
        })
      )
    }

    law(
      "shows the links of a notice as they are, and no other address of the installation",
      Effect.gen(function* () {
        const there = yield* world.start
        const started = yield* start(channel, there)
        yield* started.deliver(linked)
        const taken = there.taken()
        const shown = linksIn(JSON.stringify(taken))
        for (const address of shown) assert.include([linked.links.monitor, linked.acknowledgeUrl], address)
        // What is read aloud has none, and a world for any channel does not know where it would be.
        if (channel.rings !== true && taken.length > 0) assert.include(shown, linked.links.monitor)
      })
    )

    const classifies = (mood: Mood, tag: string, sentence: string) =>
      lawOf(
        mood,
        sentence,
        Effect.gen(function* () {
          const there = yield* world.start
          there.behave(mood)
          const { error } = yield* fail(channel, there)
          assert.strictEqual(error.reason._tag, tag, error.message)
          assert.strictEqual(error.isRetryable, tag !== "Rejected")
          if (error.reason._tag === "Throttled") assert.strictEqual(error.reason.retryAfter, retryAfter)
          assert.isNotEmpty(error.message)
          assert.strictEqual(there.attempts(), 1, "one attempt for each call")
        })
      )
    classifies("refuse", "Rejected", "reports a refusal as final, after one attempt")
    classifies("throttle", "Throttled", "reports the delay of a throttling destination")
    classifies("broken", "Unreachable", "reports a failing destination as retryable, after one attempt")
    classifies("cut", "Unreachable", "reports a cut connection as retryable, after one attempt")

    for (const mood of ["refuse", "throttle", "broken", "hang", "cut", "well"] as const) {
      lawOf(
        mood,
        `leaks no secret into errors, logs or spans (the destination's mood: ${mood})`,
        Effect.gen(function* () {
          const there = yield* world.start
          there.behave(mood)
          const observed = yield* observe(deliverOnce(channel, there, notices.down))
          for (const secret of [...secretValues(there.config, channel), ...settingSecrets(there)]) {
            for (const form of [secret, encodeURIComponent(secret)])
              assert.isFalse(observed.includes(form), `a secret shows: ${observed.slice(0, 2000)}`)
          }
        })
      )
    }

    lawOf(
      "hang",
      "stops when it is interrupted",
      Effect.gen(function* () {
        const there = yield* world.start
        there.behave("hang")
        const started = yield* start(channel, there)
        const attempt = yield* Effect.forkChild(started.deliver(notices.down))
        const arrives = eventually(Effect.sync(there.attempts), (count) => count > 0)
        yield* Effect.raceFirst(arrives, Fiber.join(attempt))
        assert.isAbove(there.attempts(), 0, "it ended before anything arrived at its destination")
        yield* interrupted(attempt)
      })
    )

    law(
      "works twice concurrently, and again after a failure",
      Effect.gen(function* () {
        const there = yield* world.start
        const [one, two] = [yield* start(channel, there), yield* start(channel, there)]
        yield* Effect.all([one.deliver(notices.down), two.deliver({ ...notices.down, id: "ntc_other" })], {
          concurrency: 2
        })
        there.behave("cut")
        yield* Effect.flip(one.deliver(notices.up))
        there.behave("well")
        yield* one.deliver(notices.up)
        assert.deepStrictEqual(there.complaints(), [])
      })
    )
  })
}

/** A provider's response and its meaning for the channel: the tag of the reason, and the seconds of a `Throttled`. */
export type ResponseMeaning = readonly [
  status: number,
  body: string | object,
  meaning: "Rejected" | "Gone" | "Unreachable" | "Throttled" | `Throttled ${number}`,
  headers?: Readonly<Record<string, string>>
]

/**
 * Tests the meaning of single responses. `settle` configures a channel for a server at an address, as for
 * `ChannelWorld.http`.
 */
export const answers = (
  channel: Channel,
  settle: (address: string) => { readonly config: Schema.JsonObject; readonly settings?: object },
  rows: ReadonlyArray<ResponseMeaning>
): void => {
  describe(`the channel ${channel.type}`, () => {
    it.live.each(rows.map((row) => ({ row, name: `${row[0]} ${JSON.stringify(row[1])}`, meaning: row[2] })))(
      "maps $name to $meaning",
      ({ row: [status, body, meaning, headers = {}] }) =>
        Effect.gen(function* () {
          const text = typeof body === "string" ? body : JSON.stringify(body)
          const there = yield* Targets.http(Targets.answer({ status, body: text, headers }))
          const { config, settings } = settle(there.url)
          const started = yield* Result.getOrThrow(channel.start(config, settings))
          const { reason } = yield* Effect.flip(started.deliver(notices.down))
          const seconds = reason._tag === "Throttled" ? reason.retryAfter : undefined
          assert.strictEqual(seconds === undefined ? reason._tag : `${reason._tag} ${seconds}`, meaning)
        }).pipe(Effect.scoped, Effect.provide(network))
    )
  })
}

const linked = {
  ...notices.acknowledgeable,
  links: { monitor: "https://kanmon.example.test/team_a/monitors/mon_01k9zq-_0*0?project=prj_1&at=2026" },
  acknowledgeUrl: "https://kanmon.example.test/team_a/api/v1/public/acknowledgements/01k9_-.tg_d3.x2V9-_sKq"
} satisfies Notice

/** The addresses of the installation in what was sent, as its reader's programs take them. */
const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/https:\/\/kanmon\.example\.test[^\s"'<>\\)|]*/g)].map(([address]) =>
    address.replaceAll("&amp;", "&")
  )

const withSlash = (folder: URL): URL => (folder.pathname.endsWith("/") ? folder : new URL(`${folder.href}/`))

const start = (
  channel: Channel,
  { config, dialer, settings }: Destination
): Effect.Effect<Started, never, Dialer | Scope.Scope> => {
  const starting = Result.getOrThrow(channel.start(config, settings))
  if (dialer === undefined) return starting
  const there = Effect.provideService(Dialer, dialer)
  return Effect.map(there(starting), ({ deliver, message }) => ({
    deliver: (notice) => there(deliver(notice)),
    ...(message === undefined ? {} : { message: (own) => there(message(own)) })
  }))
}

const deliverOnce = (
  channel: Channel,
  there: Destination,
  notice: Notice
): Effect.Effect<Receipt, DeliveryError, Dialer | Scope.Scope> =>
  Effect.flatMap(start(channel, there), ({ deliver }) => deliver(notice))

const fail = (channel: Channel, there: Destination) =>
  Effect.map(Effect.flip(deliverOnce(channel, there, notices.down)), (error) => ({ error }))

const pathsOf = (result: Result.Result<unknown, { readonly errors: ReadonlyArray<{ readonly path: string }> }>) =>
  Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : ["nothing was refused"]

const describeFailure = (result: Result.Result<Receipt, DeliveryError>): string =>
  Result.isFailure(result) ? result.failure.message : ""

const settingSecrets = ({ settings }: Destination): ReadonlyArray<string> =>
  Object.entries(settings ?? {}).flatMap(([name, value]) =>
    /TOKEN|SECRET|PASSWORD|KEY/.test(name) && typeof value === "string" ? [value] : []
  )

/** Everything readable that a delivery produces: its outcome, its logs at every level, its spans. */
const observe = <R>(delivery: Effect.Effect<Receipt, DeliveryError, R>): Effect.Effect<string, never, R> =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const show = (value: unknown): string => {
      const shown = Inspectable.toStringUnknown(value)
      return value instanceof Error ? `${shown} ${value.message} ${value.stack ?? ""}` : shown
    }
    const logger = Logger.make(({ cause, message }) => void seen.push(show(message), show(cause)))
    const tracer = Tracer.make({
      span: (spanOptions) => {
        const span = new Tracer.NativeSpan(spanOptions)
        spans.push(span)
        return span
      }
    })
    const spans: Array<Tracer.NativeSpan> = []
    const outcome = yield* delivery.pipe(
      Effect.timeoutOption("300 millis"),
      Effect.exit,
      Effect.withTracer(tracer),
      Effect.provide(Logger.layer([logger])),
      Effect.provideService(References.MinimumLogLevel, "All")
    )
    seen.push(show(outcome))
    for (const span of spans) seen.push(span.name, show([...span.attributes]), show(span.events), show(span.status))
    return seen.join("\n")
  })

/** For configurations in tests of channels. */
export type Config = Schema.JsonObject
