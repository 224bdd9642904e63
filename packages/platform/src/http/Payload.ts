/** Bodies that handlers decode themselves, so that every field that is wrong is named at once. */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Body from "@kanmon/protocol/Body"
import { invalid, type Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, type Result } from "effect"

/** Reads a body; 422 names what is wrong with it. */
export const read =
  <A>(decode: (body: unknown) => Result.Result<A, InvalidFields>) =>
  (payload: unknown): Effect.Effect<A, Problem<"validation_failed">> => {
    const unfit = Body.objection(payload)
    if (unfit !== undefined) return Effect.fail(invalid([unfit]))
    return Effect.mapError(Effect.fromResult(decode(payload)), ({ errors }) => invalid(errors))
  }

/** The end of something that expires, in `expiresAt`; null: never. Refuses one that is over. */
export const endIn = ({
  expiresAt = null
}: {
  readonly expiresAt?: EpochMillis | null
}): Effect.Effect<EpochMillis | null, Problem<"validation_failed">> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    expiresAt !== null && expiresAt <= now
      ? Effect.fail(invalid([{ path: "expiresAt", message: "Expected a time in the future" }]))
      : Effect.succeed(expiresAt)
  )
