/**
 * Marks the monitors that should have had a result by now, reports them to operators, and has their alerts decided. Only
 * evaluated observations count: while older ones wait on the bus, and for the time in which Kanmon was down, silence is not
 * the monitor's.
 */
import { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { every } from "@kanmon/core/Recurring"
import type { EvaluatedMonitor } from "@kanmon/domain/BatchEvaluation"
import type { MonitorId } from "@kanmon/domain/Ids"
import { silenceOf, type Watching } from "@kanmon/domain/StalenessEvaluation"
import { checksStream } from "@kanmon/domain/Subjects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Layer, Metric, Option, Stream } from "effect"
import * as Metrics from "./EvaluationMetrics.ts"
import { Evaluation } from "./Evaluation.ts"
import { EvaluationRepository } from "./EvaluationRepository.ts"
import { consumers } from "./EvaluationWorker.ts"
import * as WatchSchedule from "./WatchSchedule.ts"

const pollInterval = "5 seconds"
const page = 500
/** After a longer break the time before it does not count: another engine takes over sooner. */
const breakSeconds = 60
/** The delay before an overdue monitor is examined again while observations wait to be evaluated. */
const waitMillis = 5000
/** Watches are read again from this far back: they are dated by the clocks of other processes. */
const overlapMillis = 300_000
/** How often all watches are read again. */
const reloadMillis = 600_000
const logMillis = 60_000
const maxNamed = 5

/** One look at the monitors that are due. To be repeated: it remembers the bus and the schedule from one look to the next. */
export const make = Effect.gen(function* () {
  const bus = yield* EventBus
  const evaluation = yield* Evaluation
  const repository = yield* EvaluationRepository
  const schedule = WatchSchedule.make()
  /** Observations with smaller sequences than `sequence` were published before `at`. */
  let mark: { readonly at: EpochMillis; readonly sequence: number } | undefined
  let evaluatedUpTo = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  let reloadedAt = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY

  /** Reads the watches that began since the last look; all of them now and then. */
  const readWatches = Effect.fnUntraced(function* (now: EpochMillis) {
    const isWhole = now - reloadedAt >= reloadMillis
    schedule.add(yield* repository.findWatches(isWhole ? undefined : readAt - overlapMillis))
    readAt = now
    if (isWhole) reloadedAt = now
  })

  /** Advances `evaluatedUpTo` to the mark when no observation from before it waits. */
  const advance = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const oldest = yield* Stream.runHead(bus.backlog({ stream: checksStream.name, consumers }))
    if (mark !== undefined && Option.match(oldest, { onNone: () => true, onSome: isAfter(mark.sequence) })) {
      evaluatedUpTo = mark.at
      mark = undefined
    }
    mark ??= { at: now, sequence: yield* bus.position(checksStream.name) }
  })

  const report = Effect.fnUntraced(function* (marked: ReadonlyArray<EvaluatedMonitor>) {
    const now = yield* Clock.currentTimeMillis
    if (marked.length === 0 || now - loggedAt < logMillis) return
    loggedAt = now
    yield* Effect.logWarning("Monitors have had no result for three intervals and their timeout").pipe(
      Effect.annotateLogs({
        stale: yield* repository.countStale,
        monitors: marked
          .slice(0, maxNamed)
          .map(({ id }) => id)
          .join(", ")
      })
    )
  })

  /** Looks at these monitors; returns how many wait for the bus. */
  const lookAt = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, watching: Watching) {
    const monitors = new Map((yield* repository.findWatched(ids)).map((monitor) => [monitor.id, monitor]))
    const silent: Array<MonitorId> = []
    let waiting = 0
    for (const id of ids) {
      const monitor = monitors.get(id)
      const silence = monitor === undefined ? undefined : silenceOf(monitor, watching)
      if (silence === undefined || silence._tag === "unwatched") schedule.remove(id)
      else schedule.postpone(id, silence._tag === "expected" ? silence.at : watching.now + waitMillis)
      if (silence?._tag === "unclear") waiting++
      if (silence?._tag === "silent") silent.push(id)
    }
    if (silent.length === 0) return waiting
    const marked = yield* evaluation.markStale(silent, watching)
    for (const { id } of marked) schedule.remove(id)
    yield* report(marked)
    return waiting
  })

  return Effect.gen(function* () {
    // While the bus is down no result can arrive: that counts as a break.
    if (!(yield* bus.healthy)) return yield* new BusUnavailable({ detail: "It does not answer" })
    const now = yield* Clock.currentTimeMillis
    const since = yield* repository.recordWatch(now, breakSeconds)
    yield* readWatches(now)
    let waiting = 0
    for (;;) {
      const due = schedule.due(now, page)
      if (due.length === 0) break
      waiting += yield* lookAt(due, { now, since, evaluatedUpTo })
    }
    if (waiting > 0) yield* advance
    else mark = undefined
    yield* Metric.update(Metrics.stale, yield* repository.countStale)
  })
})

const isAfter =
  (sequence: number) =>
  (message: { readonly sequence: number }): boolean =>
    message.sequence > sequence

export const layer: Layer.Layer<never, never, EventBus | Evaluation | EvaluationRepository> = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Effect.addFinalizer(() => Metric.update(Metrics.stale, 0))
    yield* every(pollInterval, "Staleness detection", yield* make)
  })
)
