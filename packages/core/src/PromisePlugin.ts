/**
 * Checks and channels written as async functions, for authors who do not use Effect: the same contract, the same schemas.
 *
 * An attempt gets an `AbortSignal`. The host aborts it at the timeout or when the result is no longer needed, and then
 * waits one second for the promise to settle; pass the signal on to everything that is awaited. A promise that never
 * settles is abandoned and counts as a defect. Failures are thrown: `down` and `unknown` from a check; `rejected`, `gone`,
 * `unreachable` and `throttled` from a channel. Anything else that is thrown is a defect.
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

/** The host's services for one check attempt: the network is subject to the host's policy. */
export interface PromiseAttempt {
  readonly signal: AbortSignal
  /** The region of this probe. */
  readonly region: string
  /** Announces a stage. Cheap: call it as often as needed. */
  readonly stage: Check.Attempt["stage"]
  /** Opens a TCP or TLS connection that closes when the attempt ends. Rejects with the failure to throw. */
  readonly dial: (options: DialOptions) => Promise<Connection>
  /** Looks up DNS records. Rejects with the failure to throw. */
  readonly records: (hostname: string, type: RecordType, server?: string) => Promise<Records>
  /**
   * Evaluates user-written expressions, such as a regular expression, in an isolated process. Rejects with the failure to
   * throw: `down` when it exceeds the limits of time or memory, `unknown` when there was no capacity.
   */
  readonly evaluate: <Settings extends object, Input, Output>(
    evaluation: Evaluation<Settings, Input, Output>
  ) => Promise<Output>
}

/** The host's services for one delivery. */
export interface PromiseDelivery {
  readonly signal: AbortSignal
  /** Sends a request and maps the response by its status; a failure rejects with the error to throw. */
  readonly send: (delivery: HttpDelivery.Delivery) => Promise<HttpRequest.HttpResponse>
  /** Sends a POST request with a JSON body. */
  readonly postJson: (delivery: Parameters<typeof HttpDelivery.postJson>[0]) => Promise<HttpRequest.HttpResponse>
  /** Opens a TCP or TLS connection that closes when the delivery ends. Rejects with the failure to throw. */
  readonly dial: (options: DialOptions) => Promise<Connection>
}

interface Details {
  readonly responseTime?: number
  readonly timing?: Check.Passed["timing"]
  readonly facts?: Check.Passed["facts"]
}

/**
 * Creates the failure to throw when the target did not pass. `code` is stable and in snake_case; `message` is one sentence
 * for users.
 */
export const down = (code: string, message: string, details: Details = {}): Check.CheckFailed =>
  new Check.CheckFailed({ status: "down", code, message, ...details })

/** Creates the failure to throw when the check could not be made, so the target's status is unknown. */
export const unknown = (code: string, message: string, details: Details = {}): Check.CheckFailed =>
  new Check.CheckFailed({ status: "unknown", code, message, ...details })

type CheckOptions<Fields extends Schema.Struct.Fields> = Parameters<typeof Check.define<Fields>>[0]

/** Defines a check kind with an async function. */
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
            dial: (to) => asked(signal, dial({ stage, ...to }).pipe(Effect.mapError(ofDial))),
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

/** Sends a message from Kanmon itself. Required for kinds with a `recipient`. */
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
    /** Wraps an async function: interruption aborts the signal and waits for the promise to settle. */
    readonly message?: (
      message: Channel.Message,
      config: Schema.Struct<Fields>["Type"],
      delivery: PromiseDelivery,
      settings: Schema.Struct<Settings>["Type"]
    ) => Promise<Channel.Receipt>
    /** Ends or changes a message that the provider accepted. */
    readonly callOff?: (
      message: Channel.CalledOff,
      config: Schema.Struct<Fields>["Type"],
      delivery: PromiseDelivery,
      settings: Schema.Struct<Settings>["Type"]
    ) => Promise<void>
  }
): Channel.Channel =>
  Channel.define<Fields, Settings>({
    ...options,
    make: (config, settings) =>
      Effect.succeed({
        deliver: (notice) => delivering((delivery) => options.deliver(notice, config, delivery, settings)),
        ...(options.message === undefined
          ? {}
          : { message: (own) => delivering((delivery) => options.message!(own, config, delivery, settings)) }),
        ...(options.callOff === undefined
          ? {}
          : {
              callOff: (message) => delivering((delivery) => options.callOff!(message, config, delivery, settings))
            })
      })
  })

const delivering = <A>(send: (delivery: PromiseDelivery) => Promise<A>) =>
  Effect.contextWith((context: Context.Context<Dialer | Scope.Scope>) => {
    const asked = askedWith(Effect.runPromiseExitWith(context))
    return settled<A, Channel.DeliveryError>(isDeliveryError, (signal) =>
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

/** Runs a host service for an async function: a failure rejects the promise. */
const askedWith =
  <R>(run: ReturnType<typeof Effect.runPromiseExitWith<R>>) =>
  async <A, E>(signal: AbortSignal, effect: Effect.Effect<A, E, R>): Promise<A> => {
    const exit = await run(effect, { signal })
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }

const dial = (options: DialOptions) => Effect.flatMap(Dialer, (dialer) => dialer.dial(options))

const ofDial = ({ explanation, message, reason, timing }: DialFailed): Check.CheckFailed =>
  new Check.CheckFailed({
    status: reason === "egress_unavailable" ? "unknown" : "down",
    code: reason,
    message,
    explanation,
    timing
  })

const ofResolve = ({ explanation, message, reason }: ResolveFailed): Check.CheckFailed =>
  new Check.CheckFailed({
    status: reason === "resolver_unavailable" ? "unknown" : "down",
    code: reason,
    message,
    explanation
  })

const ofEvaluation = ({ explanation, message, reason }: EvaluationFailed): Check.CheckFailed =>
  new Check.CheckFailed({
    status: reason === "unavailable" ? "unknown" : "down",
    code: `evaluation_${reason}`,
    message,
    explanation
  })

// Not `instanceof`: a plugin may use its own copy of this package.
const isTagged = (thrown: unknown, tag: string): boolean => {
  try {
    return typeof thrown === "object" && thrown !== null && "_tag" in thrown && thrown._tag === tag
  } catch {
    // A value that throws when it is read is not a known failure.
    return false
  }
}

const isCheckFailed = (thrown: unknown): thrown is Check.CheckFailed => isTagged(thrown, "CheckFailed")

const isDeliveryError = (thrown: unknown): thrown is Channel.DeliveryError => isTagged(thrown, "DeliveryError")
