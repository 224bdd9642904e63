/**
 * Evaluates what users wrote (regular expressions, JSONPath, recurrence rules) where it can harm nobody else: in a process
 * beside this one, within limits of CPU time and memory. The event loop goes on meanwhile.
 *
 * There are two lanes, each with processes of its own. Everything begins in the quick lane, where an evaluation may use
 * {@link quickMillis} of CPU time. One that needs more is ended and begun again in the slow lane, with {@link limitMillis}, and
 * its settings begin there from then on; so do, for ten minutes, settings of the same owner that are not known yet. Hostile
 * settings therefore hold up the quick lane once, and sending ever new ones does not help. In each lane cheap evaluations go
 * first, and among equals those of the owner who used the least CPU time lately: many monitors, or many projects, only wait
 * for each other.
 *
 * What decides is CPU time, so that a busy machine never makes settings look bad. What had no turn, or no answer, within
 * {@link waitMillis} by the clock is `unavailable`, which says nothing of the settings.
 *
 * Processes are started when there is something to do, and ended after a minute without. Each takes about 30 MB. A question
 * costs the event loop about 15 µs, and 500 µs for each MiB of input; so nothing has to be evaluated inline to be cheap.
 */
import { availableParallelism } from "node:os"
import { Context, Data, Effect, Layer } from "effect"
import * as AlarmClock from "./AlarmClock.ts"
import * as EvaluationProcess from "./internal/EvaluationProcess.ts"
import * as EvaluationQueue from "./internal/EvaluationQueue.ts"

/** CPU time of an evaluation in the quick lane, in milliseconds. A power of two, as are the costs that the queue tells apart. */
export const quickMillis = 128
/** CPU time of an evaluation at all, in milliseconds. */
export const limitMillis = 1024
/** How long an evaluation may take by the clock, its turn included, in milliseconds. */
export const waitMillis = 10_000

/** A pure function of a module, and what it is called with. All of it has to be data: it is copied to another process. */
export interface Evaluation<Settings extends object, Input, Output> {
  /**
   * The module's URL. A module that exports its `import.meta.url` names itself, as a source and as what it is compiled to. It
   * is imported in another process, where there is nothing of the host.
   */
  readonly module: string
  /** A function that the module exports under the function's own name. What it returns has to be data, too. */
  readonly function: (settings: Settings, input: Input) => Output
  /** What a user wrote. The same object again is known by what it cost before. */
  readonly settings: Settings
  /** What it is held against. */
  readonly input: Input
}

/**
 * `too_expensive`: the settings need more CPU time, or memory, on this input than there is for one evaluation.
 * `unavailable`: there was no room for it; nothing is known of the settings.
 */
export class EvaluationFailed extends Data.TaggedError("EvaluationFailed")<{
  readonly reason: "too_expensive" | "unavailable"
  readonly message: string
}> {}

/** Whose evaluations they are: the id of a project. The host sets it around what it runs. */
export const EvaluationOwner = Context.Reference<string>("@kanmon/core/EvaluationOwner", { defaultValue: () => "" })

export class BoundedEvaluator extends Context.Service<
  BoundedEvaluator,
  {
    /** Calls the function, in a process beside this one. It is a defect when the function throws, or cannot be found. */
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

/** An evaluation that waits or runs. */
interface Task extends EvaluationQueue.Waiting {
  readonly question: EvaluationProcess.Asked
  readonly resume: (result: Effect.Effect<unknown, EvaluationFailed>) => void
  expected: number
  /** It wants a process that nobody used: it broke one that others had used before. */
  alone: boolean
}

interface Lane {
  /** Takes evaluations that are expected to use more than `from` and at most `to` milliseconds. */
  readonly from: number
  readonly to: number
  /** Milliseconds of CPU time for each. */
  readonly cpu: number
  process: EvaluationProcess.EvaluationProcess | undefined
  busy: boolean
  callOffEnd: () => void
}

/** Input that may wait, in bytes. */
const capacity = 64 * 1024 * 1024
/** What an evaluation holds besides its input, in bytes. */
const overhead = 1024
/** A process without work is ended after so long, in milliseconds. */
const idleMillis = 60_000
/** How long new settings of an owner begin in the slow lane after some overran, in milliseconds. */
const probationMillis = 600_000
/** Owners to remember for that before the oldest are forgotten. */
const manyOffenders = 10_000

const make = Effect.gen(function* () {
  const alarms = yield* AlarmClock.make
  const context = yield* Effect.context<never>()
  const { after: later, now } = alarms

  const queue = EvaluationQueue.make<Task>(capacity)
  /** What settings cost when they were evaluated last, in milliseconds. */
  const costs = new WeakMap<object, number>()
  /** When an owner's settings overran last, by owner, oldest first. */
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

  /** Lets a lane that is free take what is next. */
  const go = (each: Lane): void => {
    if (each.busy) return
    const task = queue.take(each.from, each.to, now())
    if (task === undefined) return
    each.busy = true
    each.callOffEnd()
    if (task.alone || each.process?.isAlive() === false) end(each)
    const running = (each.process ??= EvaluationProcess.start(later, each.from > 0))
    const wasNew = !running.isUsed()
    running.ask(task.question, { cpu: each.cpu, wait: waitMillis }, (outcome) => {
      each.busy = false
      settle(each, task, wasNew, outcome)
      go(each)
      if (!each.busy) each.callOffEnd = later(idleMillis, () => end(each))
    })
  }

  const settle = (each: Lane, task: Task, wasNew: boolean, outcome: EvaluationProcess.Outcome): void => {
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
        Effect.runForkWith(context)(Effect.logWarning(`An evaluator's process was lost: ${outcome.message}`))
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
          const callOff = later(waitMillis, () => {
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
  message: `It needs more than ${limitMillis} ms of CPU time, or too much memory`
})

const unavailable = new EvaluationFailed({
  reason: "unavailable",
  message: "There was no capacity to evaluate it now"
})
