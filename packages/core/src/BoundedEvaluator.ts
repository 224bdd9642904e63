/**
 * Evaluates user-written expressions (regular expressions, JSONPath) in a child process with limits on
 * CPU time and memory, so that they cannot block the event loop.
 *
 * There are two lanes with separate processes. Evaluations start in the quick lane with {@link quickMillis} of CPU time.
 * One that needs more is restarted in the slow lane with {@link limitMillis}; from then on its settings start there, and
 * for ten minutes so do unknown settings of the same owner. Hostile settings therefore delay the quick lane once, and
 * sending new ones each time does not help. In each lane cheap evaluations run first; among equals, those of the owner who
 * used the least CPU time recently.
 *
 * The limit is CPU time, so that a busy machine never makes valid settings fail. An evaluation that could not start or
 * answer within {@link waitMillis} of wall-clock time is `unavailable`, which says nothing about its settings.
 *
 * Processes start on demand and end after a minute without work. Each takes about 30 MB. An evaluation costs the event loop
 * about 15 µs plus 500 µs per MiB of input, so there is no need to evaluate anything inline.
 */
import { availableParallelism } from "node:os"
import type { Explanation } from "@kanmon/domain/Explanation"
import { reason as why } from "@kanmon/domain/Reason"
import { Context, Data, Effect, Layer } from "effect"
import * as AlarmClock from "./AlarmClock.ts"
import * as EvaluationProcess from "./internal/EvaluationProcess.ts"
import * as EvaluationQueue from "./internal/EvaluationQueue.ts"

/** CPU time limit of the quick lane, in milliseconds. A power of two, like the cost ranks of the queue. */
export const quickMillis = 128
/** CPU time limit of an evaluation, in milliseconds. */
export const limitMillis = 1024
/** Wall-clock limit of an evaluation including its time in the queue, in milliseconds. */
export const waitMillis = 10_000
/** The same as it applies. Only tests set another one, which busy machines do not reach. */
export const EvaluationWait = Context.Reference<number>("@kanmon/core/EvaluationWait", {
  defaultValue: () => waitMillis
})

/** A pure function of a module and its arguments. All of it must be data, because it is copied to another process. */
export interface Evaluation<Settings extends object, Input, Output> {
  /**
   * The module's URL; `import.meta.url` works both in source and in compiled form. The module is imported in a process that
   * has none of the host's state.
   */
  readonly module: string
  /** A function exported under its own name. Its result must be data, too. */
  readonly function: (settings: Settings, input: Input) => Output
  /** The user-written part. Costs are remembered per object. */
  readonly settings: Settings
  /** The input for the settings. */
  readonly input: Input
}

/**
 * `too_expensive`: the settings need more CPU time or memory on this input than one evaluation may use. `unavailable`:
 * there was no capacity; nothing is known about the settings.
 */
export class EvaluationFailed extends Data.TaggedError("EvaluationFailed")<{
  readonly reason: "too_expensive" | "unavailable"
  readonly message: string
  readonly explanation?: Explanation
}> {}

/** The id of the project that the evaluations are for. Set by the host. */
export const EvaluationOwner = Context.Reference<string>("@kanmon/core/EvaluationOwner", { defaultValue: () => "" })

export class BoundedEvaluator extends Context.Service<
  BoundedEvaluator,
  {
    /** Calls the function in a child process. An exception or a missing function is a defect. */
    readonly evaluate: <Settings extends object, Input, Output>(
      evaluation: Evaluation<Settings, Input, Output>
    ) => Effect.Effect<Output, EvaluationFailed>
  }
>()("@kanmon/core/BoundedEvaluator") {
  static readonly layer: Layer.Layer<BoundedEvaluator> = Layer.effect(
    BoundedEvaluator,
    Effect.suspend(() => make)
  )
}

/** A queued or running evaluation. */
interface Task extends EvaluationQueue.Waiting {
  readonly question: EvaluationProcess.Asked
  readonly resume: (result: Effect.Effect<unknown, EvaluationFailed>) => void
  expected: number
  /** Needs a fresh process, because it crashed one that had been used before. */
  alone: boolean
}

interface Lane {
  /** Accepts evaluations expected to use more than `from` and at most `to` milliseconds. */
  readonly from: number
  readonly to: number
  /** CPU time limit of each, in milliseconds. */
  readonly cpu: number
  process: EvaluationProcess.EvaluationProcess | undefined
  busy: boolean
  callOffEnd: () => void
}

/** Bytes of input that may be queued. */
const capacity = 64 * 1024 * 1024
/** Memory per evaluation besides its input, in bytes. */
const overhead = 1024
/** An idle process ends after this time, in milliseconds. */
const idleMillis = 60_000
/** How long new settings of an owner start in the slow lane after an overrun, in milliseconds. */
const probationMillis = 600_000
/** Bounds the owners remembered for that; the oldest are dropped. */
const manyOffenders = 10_000

const make = Effect.gen(function* () {
  const alarms = yield* AlarmClock.make
  const context = yield* Effect.context<never>()
  const wait = yield* EvaluationWait
  const { after: later, now } = alarms

  const queue = EvaluationQueue.make<Task>(capacity)
  /** Cost of the last evaluation per settings object, in milliseconds. */
  const costs = new WeakMap<object, number>()
  /** Time of the last overrun per owner, oldest first. */
  const offences = new Map<string, number>()

  const lane = (from: number, to: number, cpu: number): Lane => ({
    from,
    to,
    cpu,
    process: undefined,
    busy: false,
    callOffEnd: () => undefined
  })
  const lanes = [
    ...Array.from({ length: Math.min(4, Math.max(1, availableParallelism() - 2)) }, () =>
      lane(0, quickMillis, quickMillis)
    ),
    lane(quickMillis, Number.POSITIVE_INFINITY, limitMillis)
  ]

  const expectedOf = (settings: object, owner: string): number =>
    costs.get(settings) ??
    (now() - (offences.get(owner) ?? Number.NEGATIVE_INFINITY) < probationMillis ? limitMillis : quickMillis)

  const offended = (owner: string): void => {
    offences.delete(owner)
    offences.set(owner, now())
    if (offences.size > manyOffenders) offences.delete(offences.keys().next().value!)
  }

  const offer = (task: Task): void => {
    for (const gone of queue.offer(task, now())) gone.resume(unavailable)
    for (const each of lanes) go(each)
  }

  const end = (each: Lane): void => {
    each.callOffEnd()
    each.process?.end()
    each.process = undefined
  }

  /** Starts the next evaluation if the lane is free. */
  const go = (each: Lane): void => {
    if (each.busy) return
    const task = queue.take(each.from, each.to, now())
    if (task === undefined) return
    each.busy = true
    each.callOffEnd()
    if (task.alone || each.process?.isAlive() === false) end(each)
    const running = (each.process ??= EvaluationProcess.start(later, each.from > 0))
    const wasNew = !running.isUsed()
    running.ask(task.question, { cpu: each.cpu, wait }, (outcome) => {
      each.busy = false
      settle(each, task, wasNew, outcome)
      go(each)
      if (!each.busy) each.callOffEnd = later(idleMillis, () => end(each))
    })
  }

  const settle = (each: Lane, task: Task, wasNew: boolean, outcome: EvaluationProcess.EvaluationOutcome): void => {
    const { owner, question, resume } = task
    const cost = "cpu" in outcome ? outcome.cpu : each.cpu
    queue.charge(owner, cost, now())
    switch (outcome._tag) {
      case "Returned":
        costs.set(question.settings, cost)
        return resume(Effect.succeed(outcome.value))
      case "Threw":
        return resume(Effect.die(new Error(`${question.function} of ${question.module}: ${outcome.message}`)))
      case "Lost":
        Effect.runForkWith(context)(Effect.logWarning(`An evaluator process was lost: ${outcome.message}`))
        return resume(unavailable)
      case "Overran":
      case "Crashed": {
        costs.set(question.settings, limitMillis)
        offended(owner)
        const isSlow = each.from > 0
        if (isSlow && (outcome._tag === "Overran" || wasNew)) return resume(tooExpensive)
        task.expected = limitMillis
        task.alone = isSlow
        return offer(task)
      }
    }
  }

  yield* Effect.addFinalizer(() => Effect.sync(() => lanes.forEach(end)))

  return BoundedEvaluator.of({
    evaluate: <Settings extends object, Input, Output>(evaluation: Evaluation<Settings, Input, Output>) =>
      Effect.flatMap(EvaluationOwner, (owner) =>
        Effect.callback<Output, EvaluationFailed>((resume) => {
          const { input, settings } = evaluation
          const callOff = later(wait, () => {
            queue.remove(task)
            resume(unavailable)
          })
          const task: Task = {
            question: { ...evaluation, function: evaluation.function.name },
            resume: (result) => {
              callOff()
              resume(result as Effect.Effect<Output, EvaluationFailed>)
            },
            owner,
            expected: expectedOf(settings, owner),
            size: overhead + sizeOf(input),
            alone: false
          }
          offer(task)
          return Effect.sync(() => {
            callOff()
            queue.remove(task)
          })
        })
      )
  })
})

const sizeOf = (input: unknown): number =>
  typeof input === "string" ? 2 * input.length : ArrayBuffer.isView(input) ? input.byteLength : 0

const tooExpensive = new EvaluationFailed({
  reason: "too_expensive",
  ...why("evaluation_too_expensive", { limit: limitMillis })
})

const unavailable = new EvaluationFailed({
  reason: "unavailable",
  ...why("evaluation_no_capacity", {})
})
