/** Sends raw requests from a thread of its own, so that its work does not count for the server. */
import { connect } from "node:net"
import { parentPort } from "node:worker_threads"

export interface Sending {
  readonly port: number
  readonly head: string
  readonly body: string
  /** Sends the body in chunks of one byte. */
  readonly bytewise: boolean
}

/** A body in chunks of one byte each. */
const chunked = (body: string): Buffer => {
  const bytes = Buffer.from(body)
  const wire = Buffer.alloc(bytes.length * 6 + 5)
  for (const [index, byte] of bytes.entries()) {
    wire.write("1\r\n", index * 6, "latin1")
    wire[index * 6 + 3] = byte
    wire.write("\r\n", index * 6 + 4, "latin1")
  }
  wire.write("0\r\n\r\n", bytes.length * 6, "latin1")
  return wire
}

parentPort?.on("message", ({ body, bytewise, head, port }: Sending) => {
  const wire = bytewise ? chunked(body) : Buffer.from(body)
  const length = bytewise ? "transfer-encoding: chunked" : `content-length: ${wire.length}`
  let answer = ""
  let isSaid = false
  const say = (status: number): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    if (!isSaid) parentPort?.postMessage(status)
    isSaid = true
  }
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(`${head}connection: close\r\n${body === "" ? "" : `${length}\r\n`}\r\n`, "latin1")
    socket.write(wire)
  })
  socket.on("data", (chunk) => {
    if (answer.length < 4_096) answer += chunk.toString("latin1")
    // Streams of events do not end.
    if (answer.includes("text/event-stream")) socket.destroy()
  })
  socket.on("error", () => socket.destroy())
  socket.on("close", () => say(Number(answer.slice(9, 12)) || 0))
  socket.setTimeout(60_000, () => socket.destroy())
})
