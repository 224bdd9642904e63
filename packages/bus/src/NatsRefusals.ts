/**
 * Says in the log what the server refuses to this user. Such a refusal does not go away by trying again, so it must not drown
 * in what the parts say about their own failures; nor is it told for each message.
 */
import { AuthorizationError, PermissionViolationError } from "@nats-io/nats-core"
import { Clock, Effect, Queue } from "effect"

const silenceMillis = 600_000

/** Begins to tell; the returned function takes every error that the client hears of. */
export const tell = Effect.gen(function* () {
  const heard = yield* Queue.sliding<Refusal>(100)
  const told = new Map<string, number>()
  const one = Effect.fnUntraced(function* ({ kind, line }: Refusal) {
    const now = yield* Clock.currentTimeMillis
    if (now - (told.get(kind) ?? Number.NEGATIVE_INFINITY) < silenceMillis) return
    told.set(kind, now)
    yield* Effect.logError(line)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(heard), one)))
  return (error: Error): void => {
    const refusal = refusalOf(error)
    if (refusal !== undefined) Queue.offerUnsafe(heard, refusal)
  }
})

/** What is told once in ten minutes. */
export interface Refusal {
  /** Refusals of one kind have one reason. */
  readonly kind: string
  readonly line: string
}

export const refusalOf = (error: Error): Refusal | undefined => {
  if (error instanceof AuthorizationError) {
    return {
      kind: "login",
      line: "NATS_URL: the server does not know this user any more; what is done here waits until it does, or until a start with another key."
    }
  }
  if (!(error instanceof PermissionViolationError)) return undefined
  const { operation, subject } = error
  // Subjects end in ids: those that differ only there are refused for the same reason.
  const beginning = subject.split(".").slice(0, subject.startsWith("$JS.API.") ? 5 : 3)
  const what = operation === "publish" ? "publish to" : "subscribe to"
  return {
    kind: `${operation} ${beginning.join(".")}`,
    line:
      `NATS_URL: the server does not let this user ${what} ${subject}. ` +
      "Its configuration decides that: kanmon nats config writes one with a user for each role."
  }
}
