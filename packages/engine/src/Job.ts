/** Jobs that are done again and again. */
import { Duration, Effect, Schedule, type Scope } from "effect"
import * as Trouble from "./Trouble.ts"

/** A job that failed is tried again after its own interval, but neither at once nor much later. */
const soonest = Duration.seconds(1)
const latest = Duration.seconds(30)

/** Does the job until the scope closes, with the interval between its end and its next beginning. `what` is as in Trouble. */
export const every = <A, E, R>(
  interval: Duration.Input,
  what: string,
  job: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const { untilWell } = Trouble.make(what)
    const pause = Duration.clamp(Duration.fromInputUnsafe(interval), { minimum: soonest, maximum: latest })
    return Effect.asVoid(Effect.forkScoped(Effect.repeat(untilWell(job, pause), Schedule.spaced(interval))))
  })
