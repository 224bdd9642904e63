/** Simulates a job with a heartbeat monitor: sends a signal over the API every 20 seconds. */
import * as HttpRequest from "@kanmon/core/HttpRequest"
import { Effect, Schedule } from "effect"

const every = "20 seconds"
/** Retries, because the API starts to listen later than this. */
const retry = Schedule.spaced("500 millis")

/** Sends heartbeat signals to an address until interrupted. */
export const simulate = (address: string) =>
  HttpRequest.send({ url: new URL(address), method: "POST" }).pipe(
    Effect.timeout("5 seconds"),
    Effect.retry(retry),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever
  )
