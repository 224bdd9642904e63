/**
 * Says in the log what the server refuses to this user. Such a refusal does not go away by trying again, so it must not drown
 * in what the parts say about their own failures; nor is it told for each message.
 */
import type { PermissionViolationError } from "@nats-io/nats-core"
import { Clock, Effect, Queue } from "effect"

const silenceMillis = 600_000

/** Begins to tell; the returned function takes what the client heard. */
export const tell = Effect.gen(function* () {
  const heard = yield* Queue.sliding<PermissionViolationError>(100)
  const told = new Map<string, number>()
  const one = Effect.fnUntraced(function* (refusal: PermissionViolationError) {
    const now = yield* Clock.currentTimeMillis
    const kind = kindOf(refusal)
    if (now - (told.get(kind) ?? Number.NEGATIVE_INFINITY) < silenceMillis) return
    told.set(kind, now)
    yield* Effect.logError(lineOf(refusal))
  })
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(heard), one)))
  return (refusal: PermissionViolationError): void => void Queue.offerUnsafe(heard, refusal)
})

export const lineOf = ({ operation, subject }: Pick<PermissionViolationError, "operation" | "subject">): string =>
  `NATS_URL: the server does not let this user ${operation === "publish" ? "publish to" : "subscribe to"} ${subject}. ` +
  "Its configuration decides that: kanmon nats config writes one with a user for each role."

/** Subjects end in ids: those that differ only there are refused for the same reason. */
export const kindOf = ({ operation, subject }: Pick<PermissionViolationError, "operation" | "subject">): string =>
  `${operation} ${subject
    .split(".")
    .slice(0, subject.startsWith("$JS.API.") ? 5 : 3)
    .join(".")}`
