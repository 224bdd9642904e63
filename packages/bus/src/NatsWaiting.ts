/** Buckets for one who may not make them: they are opened when they are there, and waited for until then. */
import type { BusUnavailable } from "@kanmon/core/EventBus"
import { JetStreamApiError } from "@nats-io/jetstream"
import type { KV, Kvm } from "@nats-io/kv"
import { Effect, Schedule } from "effect"
import { unavailable } from "./NatsCall.ts"

/** The server's code for a stream, and so a bucket, that it does not have. */
const streamNotFound = 10_059

/** Fails when there is no such bucket; the client itself would only find out with the first question. */
export const open = async (kvm: Kvm, name: string): Promise<KV> => {
  // The engine's buckets can all be read directly; without a look at the bucket's settings the client would not dare to.
  const kv = await kvm.open(name, { allow_direct: true })
  await kv.status()
  return kv
}

/** Waits until the bucket is there. Only its absence is waited for: what the server refuses, it will go on refusing. */
export const until = (kvm: Kvm, name: string): Effect.Effect<void, BusUnavailable> =>
  Effect.suspend(() => {
    let said = false
    return Effect.tryPromise({ try: () => open(kvm, name), catch: (cause) => cause }).pipe(
      Effect.tapError((cause) => {
        if (said || !isMissing(cause)) return Effect.void
        said = true
        return Effect.logInfo(`Waiting for the engine to make the bucket ${name}`)
      }),
      Effect.retry({ while: isMissing, schedule: Schedule.spaced("1 second") }),
      Effect.mapError(unavailable),
      Effect.tap(() => (said ? Effect.logInfo(`The bucket ${name} is there`) : Effect.void))
    )
  })

const isMissing = (cause: unknown): boolean => cause instanceof JetStreamApiError && cause.code === streamNotFound
