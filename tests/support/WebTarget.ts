/** A web server on loopback whose status can be changed. */
import { createServer } from "node:http"
import { Effect, type Scope } from "effect"

export interface WebTarget {
  readonly port: number
  status: number
}

export const make: Effect.Effect<WebTarget, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<WebTarget & { readonly close: () => void }>((resume) => {
    const server = createServer((_request, response) => {
      response.statusCode = target.status
      response.end("all is well")
    })
    const target = { port: 0, status: 200, close: () => void server.close() }
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      target.port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed(target))
    })
  }),
  ({ close }) => Effect.sync(close)
)
