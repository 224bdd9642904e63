/** Runs an additional Node server until the scope closes. */
import type { Server } from "node:net"
import { Data, Effect, type Scope } from "effect"

export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly setting: string
  readonly problem: string
}> {
  override get message(): string {
    return `${this.setting}: ${this.problem}`
  }
}

interface Closable extends Server {
  readonly closeAllConnections: () => void
}

/** Returns the port. When the scope closes, requests in flight get three seconds to finish. */
export const listen = (
  server: Closable,
  options: { readonly host: string; readonly port: number; readonly setting: string }
): Effect.Effect<number, CannotListen, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number, CannotListen>((resume) => {
      const { host, port, setting } = options
      const refused = (cause: Error) => resume(Effect.fail(new CannotListen({ setting, problem: cause.message })))
      server.once("error", refused)
      server.listen({ host, port }, () => {
        server.off("error", refused)
        // An error of a single connection must not stop the server.
        server.on("error", () => undefined)
        resume(Effect.succeed((server.address() as { readonly port: number }).port))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      }).pipe(
        Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.sync(() => server.closeAllConnections()) })
      )
  )
