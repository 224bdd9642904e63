/** A process with a webhook receiver and targets that can be made to fail. Prints its ports; controlled by IPC. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

interface Arrival {
  readonly event: string
  readonly monitor: string
  readonly at: number
}

const arrivals: Array<Arrival> = []
/** The first failing response of each target since it was made to fail. */
const failedAt = new Map<string, number>()
let failing: (path: string) => boolean = () => false

const now = (): number => performance.timeOrigin + performance.now()

const receive: RequestListener = (request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { event, monitor } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly event: string
      readonly monitor: { readonly name: string }
    }
    arrivals.push({ event, monitor: monitor.name, at: now() })
    response.end("ok")
  })
}

const target: RequestListener = (request, response) => {
  const path = request.url ?? ""
  if (failing(path)) {
    response.statusCode = 503
    response.end("down\n", () => void (failedAt.has(path) || failedAt.set(path, now())))
  } else response.end("all is well\n")
}

const listen = (listener: RequestListener): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer(listener)
    server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => resolve((server.address() as AddressInfo).port))
  })

const [hooks, targets] = await Promise.all([listen(receive), listen(target)])
process.stdout.write(`${JSON.stringify({ hooks, targets })}\n`)
process.on("message", (message: { readonly below?: number; readonly forget?: true; readonly ask?: true }) => {
  if (message.below !== undefined) {
    const { below } = message
    if (message.forget === true) {
      failedAt.clear()
      arrivals.length = 0
    }
    failing = (path) => Number(path.slice(2)) <= below
  }
  if (message.ask === true) process.send!({ arrivals, failedAt: [...failedAt] })
})
process.on("disconnect", () => process.exit(0))
