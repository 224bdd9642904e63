/** A name server on loopback, over UDP and TCP, with configurable answers: records, errors, garbage or nothing. */
import { createSocket, type Socket as UdpSocket } from "node:dgram"
import type { Socket } from "node:net"
import * as packet from "dns-packet"
import { Effect, type Scope } from "effect"
import { tcp } from "./Targets.ts"

/** The answer for a name. `truncated` answers over TCP only; `silence` never answers. */
export type Reply =
  | ReadonlyArray<packet.Answer>
  | "nxdomain"
  | "servfail"
  | "refused"
  | "nonsense"
  | "silence"
  | { readonly truncated: ReadonlyArray<packet.Answer> }

export interface DnsTarget {
  /** `ip:port`, as a monitor's `resolver`. */
  readonly server: string
  readonly port: number
  /** `TYPE name` of each question, in order. */
  readonly questions: ReadonlyArray<string>
}

const codes = { nxdomain: 3, servfail: 2, refused: 5 } as const

const respond = (reply: Reply, query: packet.DecodedPacket, overTcp: boolean): Buffer | undefined => {
  const make = (flags: number, answers: ReadonlyArray<packet.Answer>): Buffer =>
    packet.encode({
      type: "response",
      id: query.id ?? 0,
      flags: flags | packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE,
      questions: query.questions ?? [],
      answers: [...answers]
    })
  if (reply === "silence") return undefined
  if (reply === "nonsense") return Buffer.from("this is no answer at all")
  if (typeof reply === "string") return make(codes[reply], [])
  if ("truncated" in reply) return overTcp ? make(0, reply.truncated) : make(packet.TRUNCATED_RESPONSE, [])
  return make(0, reply)
}

/** Starts the server. `zone` is called for every question, with the name in lower case and the type (`A`, `MX`…). */
export const dns = (zone: (name: string, type: string) => Reply): Effect.Effect<DnsTarget, never, Scope.Scope> =>
  Effect.gen(function* () {
    const questions: Array<string> = []
    const answer = (message: Buffer, overTcp: boolean): Buffer | undefined => {
      const query = packet.decode(message)
      const question = query.questions?.[0]
      if (question === undefined) return undefined
      const name = question.name.toLowerCase()
      questions.push(`${question.type} ${name}`)
      return respond(zone(name, question.type), query, overTcp)
    }
    const { port } = yield* tcp((socket) => converse(socket, (message) => answer(message, true)))
    yield* Effect.acquireRelease(
      Effect.callback<UdpSocket>((resume) => {
        const socket = createSocket("udp4")
        socket.on("message", (message, from) => {
          const reply = answer(message, false)
          if (reply !== undefined) socket.send(reply, from.port, from.address)
        })
        socket.once("error", (error) => resume(Effect.die(error)))
        socket.bind(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
      }),
      (socket) => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
    )
    return { server: `127.0.0.1:${port}`, port, questions }
  })

/** DNS over TCP: each message is prefixed with its length. */
const converse = (socket: Socket, answer: (message: Buffer) => Buffer | undefined): void => {
  let buffered = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    while (buffered.length >= 2 && buffered.length >= 2 + buffered.readUInt16BE(0)) {
      const length = buffered.readUInt16BE(0)
      const reply = answer(buffered.subarray(2, 2 + length))
      buffered = buffered.subarray(2 + length)
      if (reply === undefined) continue
      const prefix = Buffer.alloc(2)
      prefix.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([prefix, reply]))
    }
  })
}
