/**
 * Finds out which recurring work has something to do: by the clock, or because another process wrote it down. One statement asks
 * for all work of this process, so that an idle installation makes two a second, however many kinds of work there are.
 */
import { every, failureLog } from "@kanmon/core/Recurring"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "./database/Rows.ts"
import { type Signal, signal } from "./Signal.ts"

/** How late work may begin. */
const interval = "500 millis"
/** After a failure the work is tried again this soon. */
const pauseAfterFailure = "1 second"

/** SQL: whether there is something to do at an instant. It must be cheap: an index finds it, or that there is nothing. */
export type Question = (sql: SqlClient.SqlClient, now: Date) => Statement.Fragment

export class DueWork extends Context.Service<DueWork>()("@kanmon/platform/DueWork", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const workers = new Map<Question, Set<Signal>>()

    const ask = Effect.fnUntraced(function* (questions: ReadonlyArray<Question>) {
      if (questions.length === 0) return
      const now = new Date(yield* Clock.currentTimeMillis)
      const answers = questions.map((isDue) => sql`(${isDue(sql, now)})`)
      const { due } = yield* answered(sql`SELECT ARRAY[${sql.csv(answers)}] AS due`)
      for (const [index, question] of questions.entries())
        if (due[index] === true) for (const { raise } of workers.get(question) ?? []) yield* raise
    })
    yield* every(
      interval,
      "Looking for due work",
      Effect.suspend(() => ask([...workers.keys()]))
    )

    /** Returns what waits until the answer to the question has been yes since it waited last, for work with rounds of its own. */
    const signalOf = Effect.fnUntraced(function* (isDue: Question) {
      const due = yield* signal
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const same = workers.get(isDue) ?? new Set()
          workers.set(isDue, same.add(due))
        }),
        () =>
          Effect.sync(() => {
            const same = workers.get(isDue)
            same?.delete(due)
            if (same?.size === 0) workers.delete(isDue)
          })
      )
      return due.wait
    })

    /**
     * Does the work at once, and again whenever the answer to the question is yes, until the scope closes. `activity` is as in
     * `failureLog` of Recurring.
     */
    const watch = Effect.fnUntraced(function* <E, R>(
      isDue: Question,
      activity: string,
      work: Effect.Effect<unknown, E, R>
    ) {
      const due = yield* signalOf(isDue)
      const { retryUntilSuccess } = failureLog(activity)
      const round = Effect.andThen(retryUntilSuccess(work, pauseAfterFailure), due)
      yield* Effect.forkScoped(Effect.forever(round))
    })

    return { watch, signal: signalOf }
  })
}) {
  static readonly layer = Layer.effect(DueWork, DueWork.make)
}

const answered = Rows.one(Schema.Struct({ due: Schema.Array(Schema.Boolean) }))
