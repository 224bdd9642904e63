/**
 * A link that signs in to the demo once. It is a listener of its own on loopback, beside the product: a real installation has
 * no such address. Cookies of a host are sent to all of its ports, so the session that it sets is the product's.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import { Effect, Exit, type Scope } from "effect"

/** Names of this machine for itself. */
const loopback = new Set(["localhost", "127.0.0.1"])

const redirect = (response: ServerResponse, location: string, cookies: ReadonlyArray<string>): void => {
  response.writeHead(303, { location, "set-cookie": [...cookies], "cache-control": "no-store" })
  response.end()
}

/**
 * Serves the link until the scope closes. `signIn` answers with the cookies of a new session. Undefined if people open the
 * demo under another name than this machine's own, or no port is free: then they sign in with the password.
 */
export const start = <R>(home: string, signIn: Effect.Effect<ReadonlyArray<string>, unknown, R>) =>
  Effect.gen(function* () {
    const { hostname, protocol } = new URL(home)
    if (!loopback.has(hostname) || protocol !== "http:") return undefined
    const run = Effect.runPromiseExitWith(yield* Effect.context<R>())
    const path = Buffer.from(`/${randomBytes(24).toString("base64url")}`)
    let isUsed = false
    const server = createServer((request, response) => {
      const asked = Buffer.from(request.url ?? "")
      const isRight = asked.length === path.length && timingSafeEqual(asked, path)
      if (isUsed || !isRight || request.method !== "GET") return redirect(response, `${home}/sign-in`, [])
      isUsed = true
      void run(signIn).then((exit) =>
        Exit.isSuccess(exit) ? redirect(response, `${home}/`, exit.value) : redirect(response, `${home}/sign-in`, [])
      )
    })
    const port = yield* listen(server)
    return port === undefined ? undefined : `http://${hostname}:${port}${path.toString()}`
  })

const listen = (server: ReturnType<typeof createServer>): Effect.Effect<number | undefined, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number | undefined>((resume) => {
      server.once("error", () => resume(Effect.succeed(undefined)))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : undefined))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
