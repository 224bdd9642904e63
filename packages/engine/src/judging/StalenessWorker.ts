/**
 * Notices silence: marks the monitors that should have had a result by now and have not, tells the operator, and has alerts
 * decided about them. Only what the engines have judged counts: as long as observations from before wait on the bus, and for
 * as long as Kanmon itself was away, silence is not the monitor's.
 */
import { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { healed, type JudgeState, type StatusChange } from "@kanmon/domain/Judge"
import { isStale, markStale, staleAt } from "@kanmon/domain/Staleness"
import { checksStream } from "@kanmon/domain/Subjects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type JudgedMonitor, Judging, settingsOf, type SweepVerdicts } from "@kanmon/store/history/Judging"
import { Clock, Effect, Layer, Metric, Option, Stream } from "effect"
import { deciding } from "../alerts/AlertReview.ts"
import { Alerts } from "../alerts/Alerts.ts"
import * as Metrics from "../EngineMetrics.ts"
import { every } from "../Job.ts"
import { takers } from "./Judge.ts"
import { entriesOfHealing, stalenessEvent } from "./Verdict.ts"

const pollInterval = "5 seconds"
const page = 500
/** When to look again at one whose time is over while observations wait to be judged. */
const waitMillis = 5000
const logMillis = 60_000
const mostNamed = 5

export interface Watching {
  readonly now: EpochMillis
  /** Since when silence has been watched for without a break. */
  readonly since: EpochMillis
  /** Everything that was observed before this instant has been judged. */
  readonly judgedUpTo: EpochMillis
}

export interface Swept extends SweepVerdicts {
  readonly marked: ReadonlyArray<JudgedMonitor>
  /** How many may be stale, as soon as it is known that nothing of theirs waits to be judged. */
  readonly waiting: number
}

/** Which of these monitors are stale, and when to look at each again. Pure. */
export const decide = (monitors: ReadonlyArray<JudgedMonitor>, { judgedUpTo, now, since }: Watching): Swept => {
  const looks = new Map<MonitorId, EpochMillis | null>()
  const states = new Map<MonitorId, JudgeState>()
  const changes: Array<{ monitorId: MonitorId; change: StatusChange }> = []
  const marked: Array<JudgedMonitor> = []
  let waiting = 0
  const mended: Array<MonitorId> = []
  for (const monitor of monitors) {
    const { changedAt, id, passive, timeout } = monitor
    const state = healed(monitor.state, now)
    if (state !== monitor.state) {
      mended.push(id)
      states.set(id, state)
      changes.push(...entriesOfHealing(monitor, state))
    }
    if (passive || state.status === "paused" || isStale(state)) {
      looks.set(id, null)
      continue
    }
    const settings = {
      ...settingsOf(monitor),
      timeoutMillis: timeout * 1000,
      countsFrom: Math.max(changedAt, since)
    }
    const due = staleAt(state, settings)
    if (due > now) looks.set(id, due)
    else if (due > judgedUpTo) {
      waiting++
      looks.set(id, now + waitMillis)
    } else {
      const judgement = markStale(state, settings, now)
      looks.set(id, null)
      states.set(id, judgement.state)
      for (const change of judgement.changes) changes.push({ monitorId: id, change })
      marked.push({ ...monitor, state: judgement.state })
    }
  }
  return {
    looks,
    states,
    changes,
    marked,
    waiting,
    healed: mended,
    events: marked.map((monitor) => stalenessEvent(monitor, "stale", monitor.state.staleSince!)),
    watched: marked.map(({ id }) => id)
  }
}

/** One look at the monitors whose turn it is. To be repeated: what it learns about the bus counts from one to the next. */
export const make = Effect.gen(function* () {
  const alerts = yield* Alerts
  const bus = yield* EventBus
  const judging = yield* Judging
  /** Observations with smaller sequences than `sequence` were published before `at`. */
  let mark: { readonly at: EpochMillis; readonly sequence: number } | undefined
  let judgedUpTo = Number.NEGATIVE_INFINITY
  let told = Number.NEGATIVE_INFINITY

  /** Moves on how far observations are known to be judged: to the mark, when nothing waits from before it. */
  const advance = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const oldest = yield* Stream.runHead(bus.backlog({ stream: checksStream.name, takers }))
    if (mark !== undefined && Option.match(oldest, { onNone: () => true, onSome: isAfter(mark.sequence) })) {
      judgedUpTo = mark.at
      mark = undefined
    }
    mark ??= { at: now, sequence: yield* bus.position(checksStream.name) }
  })

  const tell = Effect.fnUntraced(function* (marked: ReadonlyArray<JudgedMonitor>) {
    const now = yield* Clock.currentTimeMillis
    if (marked.length === 0 || now - told < logMillis) return
    told = now
    yield* Effect.logWarning("Monitors have had no result for three intervals and their timeout").pipe(
      Effect.annotateLogs({
        stale: yield* judging.countStale,
        monitors: marked
          .slice(0, mostNamed)
          .map(({ id }) => id)
          .join(", ")
      })
    )
  })

  return Effect.gen(function* () {
    // Where the bus is away nothing can be heard: that is a break, too.
    if (!(yield* bus.healthy)) return yield* new BusUnavailable({ detail: "It does not answer" })
    const since = yield* judging.attend
    let waiting = 0
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const marked: Array<JudgedMonitor> = []
      const looked = yield* judging.sweep(
        page,
        (monitors) => {
          const swept = decide(monitors, { now, since, judgedUpTo })
          waiting += swept.waiting
          marked.push(...swept.marked)
          return swept
        },
        (swept, book) => deciding(alerts, now)(swept.marked, book)
      )
      yield* tell(marked)
      if (looked < page) break
    }
    if (waiting > 0) yield* advance
    else mark = undefined
    yield* Metric.update(Metrics.stale, yield* judging.countStale)
  })
})

const isAfter =
  (sequence: number) =>
  (message: { readonly sequence: number }): boolean =>
    message.sequence > sequence

export const layer: Layer.Layer<never, never, Alerts | EventBus | Judging> = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Effect.addFinalizer(() => Metric.update(Metrics.stale, 0))
    yield* every(pollInterval, "Watching for monitors without results", yield* make)
  })
)
