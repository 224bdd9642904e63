/**
 * Compares the settings of this process with those of the others, each minute, so that the process that started first tells of
 * the difference too. A difference is logged once, and again after it was gone.
 */
import { every } from "@kanmon/core/Recurring"
import { Effect, Layer } from "effect"
import { disagreements, explain, type RunningProcess } from "./Disagreement.ts"
import { ProcessRepository } from "./ProcessRepository.ts"

/** Announces this process until the scope closes. */
export const layer = (own: RunningProcess) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const processes = yield* ProcessRepository
      let told: ReadonlySet<string> = new Set()
      const compare = Effect.gen(function* () {
        yield* processes.renew(own)
        const lines = new Set(disagreements(own, yield* processes.running).map((found) => explain(own, found)))
        for (const line of lines) if (!told.has(line)) yield* Effect.logWarning(line)
        told = lines
      })
      // A row that stays is ignored after three minutes; a database that is gone must not make an orderly stop a failure.
      yield* Effect.addFinalizer(() =>
        Effect.ignoreCause(Effect.timeoutOption(Effect.interruptible(processes.remove(own.id)), "1 second"))
      )
      yield* every("1 minute", "Comparison of settings between processes", compare)
    })
  ).pipe(Layer.provide(ProcessRepository.layer))
