/** Recurring work without a database: it is always due, and so it is done every half second. */
import { DueWork } from "@kanmon/platform/DueWork"
import { Effect, Layer } from "effect"

export const layer = Layer.mock(DueWork, { signal: () => Effect.succeed(Effect.sleep("500 millis")) })
