/** What reads hostile answers in this thread, from servers in another one, and how long each reading holds the event loop. */
import { Worker } from "node:worker_threads"
import { Dialer } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { certificates } from "@kanmon/testkit/Certificates"
import { Effect, Layer, type Scope } from "effect"
import type { Answers, Ports } from "./Answerer.ts"
import type { Named } from "./HostileAnswers.ts"
import { held, limitMillis } from "./LongestTurn.ts"

export interface Answerer {
  readonly ports: Ports
  readonly say: (answers: Answers) => Effect.Effect<void>
}

const told = (worker: Worker, wanted?: Answers): Effect.Effect<any> =>
  Effect.callback((resume) => {
    worker.once("message", (message) => resume(Effect.succeed(message)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    if (wanted !== undefined) worker.postMessage(wanted)
  })

/** Starts the servers. */
export const answerer: Effect.Effect<Answerer, never, Scope.Scope> = Effect.gen(function* () {
  const certificate = (yield* certificates).good
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(new URL("./Answerer.ts", import.meta.url), { workerData: { certificate } })),
    (one) => Effect.promise(() => one.terminate())
  )
  const ports: Ports = yield* told(worker)
  return { ports, say: (answers) => told(worker, answers) }
})

const only = process.env["KANMON_STALL"]

/**
 * c-ares, which reads DNS in Node, looks each alias up among all before it: some 60 ms for the most that a message has, which Node
 * does not let us limit.
 */
const bounded = new Set(["a chain of aliases", "aliases of themselves"])

/** Those whose reading held the loop. */
export const slow = <R>(
  { say }: Answerer,
  all: Iterable<Named<Answers>>,
  reading: Effect.Effect<unknown, unknown, R>
): Effect.Effect<ReadonlyArray<string>, never, R> =>
  Effect.gen(function* () {
    const found: Array<string> = []
    let count = 0
    for (const [name, answers] of all) {
      if (only !== undefined && !name.includes(only)) continue
      count++
      yield* say(answers)
      const longest = yield* held(Effect.exit(reading))
      if (longest >= limitMillis * (bounded.has(name) ? 3 : 1))
        found.push(`${name.slice(0, 100)}: ${Math.round(longest)} ms`)
    }
    process.stdout.write(`${count} hostile answers\n`)
    return found
  })

export const policy = { allowPrivate: true }
export const resolver = NodeResolver.layer(policy)

/** Leads every connection to a port, in plain text. */
export const leadingTo = (port: number) =>
  Layer.effect(
    Dialer,
    Effect.map(Dialer, ({ dial, ping }) =>
      Dialer.of({ ping, dial: ({ stage }) => dial({ host: "127.0.0.1", port, ...(stage && { stage }) }) })
    )
  ).pipe(Layer.provide(NodeDialer.layer(policy)), Layer.provideMerge(resolver))
