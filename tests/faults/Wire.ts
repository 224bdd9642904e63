/**
 * A TCP proxy between a probe and its bus that can simulate a network failure: data stops without an error, and new
 * connections hang. Buffered data arrives after the repair.
 */
import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

export interface Wire {
  readonly port: number
  readonly cut: Effect.Effect<void>
  readonly mend: Effect.Effect<void>
}

export const make = (to: number): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Wire & { readonly close: () => void }>((resume) => {
        const sockets = new Set<Socket>()
        let whole = true
        const join = (from: Socket, into: Socket): void => {
          sockets.add(from)
          from.on("data", (chunk) => {
            into.write(chunk)
          })
          from.on("error", () => undefined)
          from.on("close", () => {
            sockets.delete(from)
            into.destroy()
          })
          if (!whole) from.pause()
        }
        const server = createServer((near) => {
          const far = connect({ port: to, host: "127.0.0.1" })
          join(near, far)
          join(far, near)
        })
        const each = (act: (socket: Socket) => void) => Effect.sync(() => sockets.forEach(act))
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as { readonly port: number }
          resume(
            Effect.succeed({
              port,
              cut: Effect.andThen(
                Effect.sync(() => void (whole = false)),
                each((socket) => socket.pause())
              ),
              mend: Effect.andThen(
                Effect.sync(() => void (whole = true)),
                each((socket) => socket.resume())
              ),
              close: () => {
                for (const socket of sockets) socket.destroy()
                server.close()
              }
            })
          )
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    (wire): Wire => wire
  )
