/**
 * Checks and channels for authors who write async functions and do not know Effect: the same contract, the same schemas.
 *
 * An attempt is given an `AbortSignal`. The host aborts it when the time is over or nobody wants the result any more, and waits
 * a second for the promise to settle: an author hands the signal on to whatever he waits for. A promise that never settles is
 * left behind and counts as a defect. A failure is thrown: `down` and `unknown` from a check; `rejected`, `gone`, `unreachable`
 * and `throttled` from a channel. Whatever else is thrown is a defect.
 */
import { Cause, type Context, Effect, Exit, type Schema, type Scope } from "effect"
import { BoundedEvaluator, type Evaluation, type EvaluationFailed } from "./BoundedEvaluator.ts"
import * as Channel from "./Channel.ts"
import * as Check from "./Check.ts"
import { type Connection, Dialer, type DialFailed, type DialOptions } from "./Dialer.ts"
import * as HttpDelivery from "./HttpDelivery.ts"
import type * as HttpRequest from "./HttpRequest.ts"
import type { Notice } from "./Notice.ts"
import { type Records, type RecordType, type ResolveFailed, Resolver } from "./Resolver.ts"

export { gone, rejected, throttled, unreachable } from "./Channel.ts"
export { define as definePlugin } from "./Plugin.ts"

/** What the host gives a check for one attempt: the network goes through it, so that its policy holds. */
export interface PromiseAttempt {
  readonly signal: AbortSignal
  /** The label of the region this probe stands in. */
  readonly region: string
  /** Announces a stage. Cheap: call it as often as there is news. */
  readonly stage: Check.Attempt["stage"]
  /** Opens a TCP or TLS connection that is closed when the attempt ends. Rejects with the failure to throw. */
  readonly dial: (options: Omit<DialOptions, "stage">) => Promise<Connection>
  /** Asks for records of a name. Rejects with the failure to throw. */
  readonly records: (hostname: string, type: RecordType, server?: string) => Promise<Records>
  /**
   * Evaluates what users wrote, such as a regular expression, where it can harm nobody else. Rejects with the failure to throw:
   * `down` when it uses too much time or memory, `unknown` when there was no room for it.
   */
  readonly evaluate: <Settings extends object, Input, Output>(
    evaluation: Evaluation<Settings, Input, Output>
  ) => Promise<Output>
}

/** What the host gives a channel for one delivery. */
export interface PromiseDelivery {
  readonly signal: AbortSignal
  /** Sends a request and sorts the answer by its status: what is refused rejects with the failure to throw. */
  readonly send: (delivery: HttpDelivery.Delivery) => Promise<HttpRequest.Answer>
  /** The same with a JSON body, by POST. */
  readonly postJson: (delivery: Parameters<typeof HttpDelivery.postJson>[0]) => Promise<HttpRequest.Answer>
  /** Opens a TCP or TLS connection that is closed when the delivery ends. Rejects with the failure to throw. */
  readonly dial: (options: Omit<DialOptions, "stage">) => Promise<Connection>
}

interface Details {
  readonly responseTime?: number
  readonly timing?: Check.Passed["timing"]
  readonly facts?: Check.Passed["facts"]
}

/** To be thrown: the target did not pass. `code` is stable and in snake_case; `message` is one sentence for a person. */
export const down = (code: string, message: string, details: Details = {}): Check.CheckFailed =>
  new Check.CheckFailed({ status: "down", code, message, ...details })

/** To be thrown: nobody could look, so nobody knows how the target is. */
export const unknown = (code: string, message: string, details: Details = {}): Check.CheckFailed =>
  new Check.CheckFailed({ status: "unknown", code, message, ...details })

type CheckOptions<Fields extends Schema.Struct.Fields> = Parameters<typeof Check.define<Fields>>[0]

/** Defines a check kind whose attempt is an async function. */
export const definePromiseCheck = <const Fields extends Schema.Struct.Fields>(
  options: Omit<CheckOptions<Fields>, "run"> & {
    readonly run: (config: Schema.Struct<Fields>["Type"], attempt: PromiseAttempt) => Promise<Check.Passed>
  }
): Check.Check =>
  Check.define<Fields>({
    ...options,
    run: (config, { region, stage }) =>
      Effect.contextWith((context: Context.Context<Check.Capabilities | Scope.Scope>) => {
        const asked = askedWith(Effect.runPromiseExitWith(context))
        return settled<Check.Passed, Check.CheckFailed>(isCheckFailed, (signal) =>
          options.run(config, {
            signal,
            region,
            stage,
            dial: (to) => asked(signal, dial({ ...to, stage }).pipe(Effect.mapError(ofDial))),
            records: (hostname, type, server) => {
              stage("dns")
              return asked(
                signal,
                Effect.flatMap(Resolver, (resolver) => resolver.records(hostname, type, server)).pipe(
                  Effect.mapError(ofResolve)
                )
              )
            },
            evaluate: (evaluation) => {
              stage("evaluate")
              return asked(
                signal,
                Effect.flatMap(BoundedEvaluator, (evaluator) => evaluator.evaluate(evaluation)).pipe(
                  Effect.mapError(ofEvaluation)
                )
              )
            }
          })
        )
      }).pipe(Effect.scoped)
  })

type ChannelOptions<Fields extends Schema.Struct.Fields, Settings extends Schema.Struct.Fields> = Parameters<
  typeof Channel.define<Fields, Settings>
>[0]

/** Defines a channel kind whose delivery is an async function. */
export const definePromiseChannel = <
  const Fields extends Schema.Struct.Fields,
  const Settings extends Schema.Struct.Fields = Record<never, never>
>(
  options: Omit<ChannelOptions<Fields, Settings>, "make"> & {
    readonly deliver: (
      notice: Notice,
      config: Schema.Struct<Fields>["Type"],
      delivery: PromiseDelivery,
      settings: Schema.Struct<Settings>["Type"]
    ) => Promise<Channel.Receipt>
    /** Sends a message of the host's own. A kind with a `recipient` has it. */
    readonly message?: (
      message: Channel.Message,
      config: Schema.Struct<Fields>["Type"],
      delivery: PromiseDelivery,
      settings: Schema.Struct<Settings>["Type"]
    ) => Promise<Channel.Receipt>
  }
): Channel.Channel =>
  Channel.define<Fields, Settings>({
    ...options,
    make: (config, settings) =>
      Effect.succeed({
        deliver: (notice) => delivering((delivery) => options.deliver(notice, config, delivery, settings)),
        ...(options.message === undefined
          ? {}
          : { message: (own) => delivering((delivery) => options.message!(own, config, delivery, settings)) })
      })
  })

const delivering = (send: (delivery: PromiseDelivery) => Promise<Channel.Receipt>) =>
  Effect.contextWith((context: Context.Context<Dialer | Scope.Scope>) => {
    const asked = askedWith(Effect.runPromiseExitWith(context))
    return settled<Channel.Receipt, Channel.DeliveryError>(isDeliveryError, (signal) =>
      send({
        signal,
        send: (delivery) => asked(signal, HttpDelivery.send(delivery)),
        postJson: (delivery) => asked(signal, HttpDelivery.postJson(delivery)),
        dial: (to) => asked(signal, dial(to).pipe(Effect.mapError(({ message }) => Channel.unreachable(message))))
      })
    )
  }).pipe(Effect.scoped)

/** An async function as an attempt: interrupting it aborts the signal, and waits for the promise to settle. */
const settled = <A, E>(
  isFailure: (thrown: unknown) => thrown is E,
  start: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, E> =>
  Effect.callback<A, E>((resume) => {
    const controller = new AbortController()
    const ended = (async () => start(controller.signal))()
    ended.then(
      (value) => resume(Effect.succeed(value)),
      (thrown: unknown) => resume(isFailure(thrown) ? Effect.fail(thrown) : Effect.die(thrown))
    )
    return Effect.callback<void>((over) => {
      const settle = () => over(Effect.void)
      ended.then(settle, settle)
      controller.abort(new Error("The attempt is over"))
    })
  })

/** Runs what the host offers on behalf of an async function: a failure is what the promise rejects with. */
const askedWith =
  <R>(run: ReturnType<typeof Effect.runPromiseExitWith<R>>) =>
  async <A, E>(signal: AbortSignal, effect: Effect.Effect<A, E, R>): Promise<A> => {
    const exit = await run(effect, { signal })
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }

const dial = (options: DialOptions) => Effect.flatMap(Dialer, (dialer) => dialer.dial(options))

const ofDial = ({ message, reason, timing }: DialFailed): Check.CheckFailed =>
  new Check.CheckFailed({ status: reason === "egress_unavailable" ? "unknown" : "down", code: reason, message, timing })

const ofResolve = ({ message, reason }: ResolveFailed): Check.CheckFailed =>
  new Check.CheckFailed({ status: reason === "resolver_unavailable" ? "unknown" : "down", code: reason, message })

const ofEvaluation = ({ message, reason }: EvaluationFailed): Check.CheckFailed =>
  new Check.CheckFailed({
    status: reason === "unavailable" ? "unknown" : "down",
    code: `evaluation_${reason}`,
    message
  })

// Not by their classes: a plugin may have brought its own copy of this package.
const isTagged = (thrown: unknown, tag: string): boolean => {
  try {
    return typeof thrown === "object" && thrown !== null && "_tag" in thrown && thrown._tag === tag
  } catch {
    // What throws when it is read is no failure of ours.
    return false
  }
}

const isCheckFailed = (thrown: unknown): thrown is Check.CheckFailed => isTagged(thrown, "CheckFailed")

const isDeliveryError = (thrown: unknown): thrown is Channel.DeliveryError => isTagged(thrown, "DeliveryError")
