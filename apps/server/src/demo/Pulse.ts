/** The jobs of the demonstration that tell of themselves: a signal every twenty seconds, over the API, as a real job would. */
import * as HttpRequest from "@kanmon/core/HttpRequest"
import { Effect, Schedule } from "effect"

const every = "20 seconds"
/** The API listens only after this has begun. */
const again = Schedule.spaced("500 millis")

/** Signals to an address until interrupted. */
export const beat = (address: string) =>
  HttpRequest.send({ url: new URL(address), method: "POST" }).pipe(
    Effect.timeout("5 seconds"),
    Effect.retry(again),
    Effect.andThen(Effect.sleep(every)),
    Effect.forever
  )
