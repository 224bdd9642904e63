/** Receives and records JSON on loopback, mainly webhooks. */
import { createServer } from "node:http"
import { Effect, type Scope } from "effect"

export interface Received {
  /** The path of the request. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
  /** Wall-clock milliseconds. */
  readonly at: number
}

export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Sets the status and headers of further responses. */
  readonly answer: (status: number, headers?: Readonly<Record<string, string>>) => void
  /** Delays responses until the next `answer`. */
  readonly hold: () => void
}

const hook = "/hook"

export const make: Effect.Effect<Receiver, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly receiver: Receiver; readonly close: () => void }>((resume) => {
      const received: Array<Received> = []
      let status = 200
      let headers: Readonly<Record<string, string>> = {}
      let holding = false
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          if (status < 300) {
            const text = Buffer.concat(chunks).toString()
            const path = request.url!.slice(hook.length)
            received.push({ path, headers: request.headers as never, body: JSON.parse(text), at: Date.now() })
          }
          if (holding) return
          response.writeHead(status, headers)
          response.end("as told")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { readonly port: number }
        const answer: Receiver["answer"] = (next, more = {}) => {
          status = next
          headers = more
          holding = false
        }
        const hold = () => {
          holding = true
        }
        resume(
          Effect.succeed({
            receiver: { url: `http://127.0.0.1:${port}${hook}`, received, answer, hold },
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  ),
  ({ receiver }) => receiver
)
