/** Calls to the NATS client, with the port's failure. */
import { BusUnavailable } from "@kanmon/core/EventBus"
import { Effect } from "effect"

export const unavailable = (cause: unknown): BusUnavailable =>
  new BusUnavailable({ detail: cause instanceof Error ? cause.message : String(cause) })

export const ask = <A>(call: () => Promise<A>): Effect.Effect<A, BusUnavailable> =>
  Effect.tryPromise({ try: call, catch: unavailable })
