/**
 * The server of `Server.ts` with its defaults, for tests that need just any: each worker of the test run builds one, with a database,
 * and keeps it for all its files. It lives in real time. Tests isolate themselves as tenants do, with a `person` of their own; what
 * belongs to the whole installation, such as administrators, plans and what is logged, they leave alone and do not count.
 */
import { type Context, Effect, Layer, Scope } from "effect"
import { layer as server } from "./Server.ts"

type Server = ReturnType<typeof server>

let running: Promise<Context.Context<Layer.Success<Server>>> | undefined

/** The server of this worker, which ends with it. */
export const shared: Server = Layer.effectContext(
  Effect.promise(() => (running ??= Effect.runPromise(Layer.buildWithScope(server(), Scope.makeUnsafe()))))
)
