/**
 * Servers that answer as a test tells them, from a thread of their own, so that their work does not count for the product: HTTP
 * (also over TLS, HTTP/2 there as frames), SMTP, and DNS over TCP.
 */
import { createSocket } from "node:dgram"
import { type AddressInfo, createServer, type Socket } from "node:net"
import * as tls from "node:tls"
import { parentPort, workerData } from "node:worker_threads"

/** Bytes, sent in pieces of a size; in one without it. */
export interface Wire {
  readonly bytes: Uint8Array
  readonly pieceSize?: number
}

export interface Answers {
  /** By the beginning of the path; the first that fits. The connection ends behind it. */
  readonly http?: ReadonlyArray<readonly [path: string, wire: Wire]>
  /** The greeting, then one for each command, and one for a message. The connection ends behind the last one. */
  readonly smtp?: ReadonlyArray<Wire>
  /** A message with a question of the length of the one that is asked. */
  readonly dns?: Uint8Array
  /** Frames behind the settings of the server. */
  readonly http2?: Uint8Array
  readonly certificate?: { readonly key: string; readonly cert: string }
}

export interface Ports {
  readonly http: number
  readonly https: number
  readonly smtp: number
  readonly dns: number
}

let answers: Answers = {}

const send = (socket: Socket, { bytes, pieceSize = bytes.length }: Wire, isLast: boolean): void => {
  const size = Math.max(1, pieceSize)
  let at = 0
  const pump = (): void => {
    while (at < bytes.length && !socket.destroyed) {
      const more = socket.write(bytes.subarray(at, (at += size)))
      if (!more) return void socket.once("drain", pump)
    }
    if (isLast) socket.end()
  }
  pump()
}

const quiet = (socket: Socket): void => {
  socket.setNoDelay(true)
  socket.on("error", () => socket.destroy())
}

const http = (socket: Socket): void => {
  quiet(socket)
  let head = ""
  let isAnswered = false
  socket.on("data", (chunk) => {
    if (isAnswered) return
    head += chunk.toString("latin1")
    if (!head.includes("\r\n\r\n")) return
    isAnswered = true
    const path = head.split(" ", 2)[1] ?? ""
    const found = answers.http?.find(([prefix]) => path.startsWith(prefix))
    if (found === undefined) socket.destroy()
    else send(socket, found[1], true)
  })
}

/** An empty SETTINGS frame, and the acknowledgement of the client's. */
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0])

const http2 = (socket: Socket): void => {
  quiet(socket)
  let received = 0
  socket.on("data", (chunk) => {
    const isFirst = received === 0
    received += chunk.length
    if (isFirst && answers.http2 !== undefined) {
      socket.write(settings)
      send(socket, { bytes: answers.http2 }, true)
    }
  })
}

const smtp = (socket: Socket): void => {
  quiet(socket)
  let step = 0
  let pending = ""
  let isMessage = false
  const say = (): void => {
    const wire = answers.smtp?.[step++]
    if (wire === undefined) {
      socket.destroy()
      return
    }
    isMessage = !isMessage && Buffer.from(wire.bytes.subarray(0, 3)).toString() === "354"
    send(socket, wire, answers.smtp?.[step] === undefined)
  }
  say()
  socket.on("data", (chunk) => {
    pending += chunk.toString("latin1")
    for (;;) {
      const end = isMessage ? "\r\n.\r\n" : "\r\n"
      const at = pending.indexOf(end)
      if (at < 0) return
      pending = pending.slice(at + end.length)
      say()
    }
  })
}

/** Whatever the question was, it is repeated. */
const questionOf = (query: Buffer): Buffer => {
  let at = 12
  while (query[at] !== 0 && at < query.length) at += query[at]! + 1
  return query.subarray(12, at + 5)
}

const dns = (socket: Socket): void => {
  quiet(socket)
  socket.on("data", (chunk: Buffer) => {
    if (answers.dns === undefined || chunk.length < 14) return socket.destroy()
    const message = Buffer.concat([Buffer.alloc(2), answers.dns])
    message.writeUInt16BE(answers.dns.length)
    const query = chunk.subarray(2)
    query.copy(message, 2, 0, 2)
    questionOf(query).copy(message, 14)
    socket.write(message)
  })
}

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port
const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return portOf(server)
}

const { certificate } = workerData as { readonly certificate: { readonly key: string; readonly cert: string } }
const secure = tls.createServer({ ...certificate, ALPNProtocols: ["h2", "http/1.1"] }, (socket) =>
  socket.alpnProtocol === "h2" && answers.http2 !== undefined ? http2(socket) : http(socket)
)
secure.on("tlsClientError", () => undefined)

/** UDP says only that the answer is too long for it. */
const udpOn = async (port: number): Promise<void> => {
  const socket = createSocket("udp4")
  socket.on("message", (query, from) => {
    const reply = Buffer.concat([query.subarray(0, 12), questionOf(query)])
    reply.writeUInt16BE(0x83_80, 2)
    reply.fill(0, 6, 12)
    socket.send(reply, from.port, from.address)
  })
  await new Promise<void>((resolve) => void socket.bind(port, "127.0.0.1", resolve))
}

const dnsPort = await listening(createServer(dns))
await udpOn(dnsPort)
const ports: Ports = {
  http: await listening(createServer(http)),
  https: await listening(secure),
  smtp: await listening(createServer(smtp)),
  dns: dnsPort
}

parentPort?.on("message", (next: Answers) => {
  answers = next
  secure.setSecureContext(next.certificate ?? certificate)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage("ready")
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(ports)
