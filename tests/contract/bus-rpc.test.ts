/** Calls travel over both buses in the same way, and what is not carried is refused in words. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as BusRpc from "@kanmon/core/BusRpc"
import { EventBus } from "@kanmon/core/EventBus"
import { assert, describe, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Result, Schema, Stream } from "effect"
import { Rpc, RpcClient, type RpcClientError, RpcGroup, RpcServer } from "effect/rpc"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"

class Odd extends Schema.TaggedError<Odd>()("Odd", { number: Schema.Int }) {}

class Counting extends RpcGroup.make(
  Rpc.make("Half", { payload: { of: Schema.Int }, success: Schema.Int, error: Odd }),
  Rpc.make("Repeat", { payload: { text: Schema.String, times: Schema.Int }, success: Schema.String }),
  Rpc.make("Break", {}),
  Rpc.make("Wait", {}),
  Rpc.make("Up", { success: Schema.Int, stream: true })
) {}

const handlers = Counting.toLayer({
  Half: ({ of }) => (of % 2 === 0 ? Effect.succeed(of / 2) : Effect.fail(new Odd({ number: of }))),
  Repeat: ({ text, times }) => Effect.succeed(text.repeat(times)),
  Break: () => Effect.die(new Error("broken")),
  Wait: () => Effect.never,
  Up: () => Stream.make(1, 2, 3)
})

let subjects = 0

const serving = Effect.gen(function* () {
  const subject = `kanmon.rpc.test.${process.pid}-${++subjects}`
  const server = RpcServer.layer(Counting, { disableFatalDefects: true }).pipe(
    Layer.provide([handlers, BusRpc.layerServer(subject)])
  )
  yield* Layer.build(server)
  return subject
})

type Client = RpcClient.FromGroup<typeof Counting, RpcClientError.RpcClientError>

const call = <A, E>(subject: string, use: (client: Client) => Effect.Effect<A, E>, timeoutMillis = 10_000) =>
  Effect.scoped(Effect.flatMap(RpcClient.make(Counting), use)).pipe(
    Effect.provide(BusRpc.layerClient(subject, timeoutMillis))
  )

/** The tag of what kept the call from its exit. */
const failed = <A>(exit: Exit.Exit<A, unknown>): string => {
  if (Exit.isSuccess(exit)) return "nothing"
  const error = Cause.findError(exit.cause)
  return Result.isFailure(error)
    ? String(Cause.squash(exit.cause))
    : BusRpc.failureOf(error.success as RpcClientError.RpcClientError)._tag
}

const suite = (bus: Layer.Layer<EventBus, unknown>) =>
  layer(bus, { excludeTestServices: true, timeout: "30 seconds" })((it) => {
    it.effect("returns results and errors to the right caller, with many calls at once", () =>
      Effect.gen(function* () {
        const subject = yield* serving
        const answers = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, of) => of),
          (of) => Effect.result(call(subject, ({ Half }) => Half({ of }))),
          { concurrency: "unbounded" }
        )
        answers.forEach((answer, of) =>
          Result.isSuccess(answer)
            ? assert.strictEqual(answer.success * 2, of)
            : assert.deepStrictEqual(answer.failure, new Odd({ number: of }))
        )
        assert.strictEqual(answers.filter(Result.isSuccess).length, 50)
      })
    )

    it.effect("returns a defect, and continues to answer", () =>
      Effect.gen(function* () {
        const subject = yield* serving
        const exit = yield* Effect.exit(call(subject, ({ Break }) => Break()))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.include(failed(exit), "broken")
        assert.strictEqual(yield* call(subject, ({ Half }) => Half({ of: 4 })), 2)
      })
    )

    it.effect("distinguishes a missing server from a silent one", () =>
      Effect.gen(function* () {
        const nobody = yield* Effect.exit(call("kanmon.rpc.test.nobody", ({ Half }) => Half({ of: 2 })))
        assert.strictEqual(failed(nobody), "NoResponder")
        const subject = yield* serving
        assert.strictEqual(failed(yield* Effect.exit(call(subject, ({ Wait }) => Wait(), 200))), "NoResponder")
        assert.strictEqual(yield* call(subject, ({ Half }) => Half({ of: 4 })), 2)
      })
    )

    it.effect("sends large messages, and refuses messages above the bus's limit", () =>
      Effect.gen(function* () {
        const subject = yield* serving
        const repeat = (text: string, times: number) => call(subject, ({ Repeat }) => Repeat({ text, times }))
        assert.strictEqual((yield* repeat("1234567890", 99_000)).length, 990_000)
        assert.match(failed(yield* Effect.exit(repeat("1234567890", 100_000))), /response is too large/)
        assert.strictEqual(failed(yield* Effect.exit(repeat("ü".repeat(500_000), 1))), "CallTooLarge")
      })
    )

    it.effect("refuses streams and messages that are not calls", () =>
      Effect.gen(function* () {
        const subject = yield* serving
        const exit = yield* Effect.exit(call(subject, ({ Up }) => Stream.runCollect(Up())))
        assert.include(failed(exit), "Streams are not supported")
        const bus = yield* EventBus
        for (const odd of ["", "nonsense", "null", "[]", '{"_tag":"Ping"}', '{"_tag":"Request","id":1,"tag":"Half"}']) {
          assert.include(yield* bus.request(subject, odd, "5 seconds"), "Expected a call")
        }
        const unknown = { _tag: "Request", id: "1", tag: "Third", payload: {}, headers: [] }
        assert.include(yield* bus.request(subject, JSON.stringify(unknown), "5 seconds"), "Unknown request tag")
        assert.strictEqual(yield* call(subject, ({ Half }) => Half({ of: 4 })), 2)
      })
    )

    it.effect("fails on an invalid reply", () =>
      Effect.gen(function* () {
        const bus = yield* EventBus
        yield* bus.respond("kanmon.rpc.test.parrot", Effect.succeed)
        assert.strictEqual(
          failed(yield* Effect.exit(call("kanmon.rpc.test.parrot", ({ Half }) => Half({ of: 2 })))),
          "Garbled"
        )
      })
    )
  })

describe("calls over the bus in one process", () => suite(InProcessBus.layer()))
describe.skipIf(NatsServer.skipped)(`calls over NATS${NatsServer.note}`, () => suite(Nats.bus))
