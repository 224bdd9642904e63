/** One attempt of the http check against a server on loopback, as the host makes it. */
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { type CheckResult, CheckRunner } from "@kanmon/core/CheckRunner"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import plugin from "../src/index.ts"

export const check = plugin.checks[0]!

const network = NodeDialer.layer({ allowPrivate: true }).pipe(
  Layer.provideMerge(NodeResolver.layer({ allowPrivate: true }))
)
const runner = CheckRunner.layer({ region: "test-lab", concurrency: 10, hostConcurrency: 10 }).pipe(
  Layer.provide([BoundedEvaluator.layer, network])
)

const timeoutMillis = 20_000

/** The result of one check of `http://127.0.0.1:<port>/` with these settings. */
export const attempt = (port: number, settings: Readonly<Record<string, unknown>> = {}): Effect.Effect<CheckResult> =>
  Effect.flatMap(CheckRunner, ({ run }) =>
    run(
      Result.getOrThrow(check.prepare({ url: `http://127.0.0.1:${port}/`, ...settings })),
      timeoutMillis,
      timeoutMillis
    )
  ).pipe(Effect.provide(runner))

/**
 * The same of a target that goes silent: the timeout comes, in simulated time, when the target has done what it does and the
 * check has received all of it.
 */
export const timedOut = (
  port: number,
  settings: Readonly<Record<string, unknown>>,
  isSilent: () => boolean
): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(attempt(port, settings))
    yield* eventually(Effect.sync(isSilent), (value) => value)
    yield* delivered
    yield* TestClock.adjust(timeoutMillis)
    return yield* Fiber.join(running)
  })
