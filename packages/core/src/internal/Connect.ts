/**
 * Connects to one of several checked addresses. They are tried a quarter of a second apart, and the first to answer wins
 * (RFC 8305). Node's `autoSelectFamily` aborts an attempt before it starts the next, so a slow target with one unreachable
 * address would appear down.
 */
import { createConnection, type Socket } from "node:net"
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import { DialFailed, type DialOptions, type DialReason } from "../Dialer.ts"
import { authority } from "../NetworkPolicy.ts"

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

const stagger = 250
const maxAttempts = 8

export const round = (millis: number): number => Math.round(millis * 100) / 100

/** A socket that fails after it was handed over must not crash the process. */
export const ignore = (): void => undefined

export const connect = (
  options: DialOptions,
  addresses: ReadonlyArray<Address>,
  dnsMillis: number
): Effect.Effect<Socket, DialFailed> =>
  Effect.callback<Socket, DialFailed>((resume) => {
    const began = performance.now()
    const order = addresses.length === 1 ? addresses : alternating(addresses).slice(0, maxAttempts)
    const open = new Set<Socket>()
    const errors: Array<NodeJS.ErrnoException> = []
    let next = 0
    let timer: NodeJS.Timeout | undefined
    let connected: Socket | undefined

    const stop = (winner?: Socket): void => {
      clearTimeout(timer)
      next = order.length
      for (const socket of open) if (socket !== winner) socket.destroy()
    }
    const attempt = (): void => {
      const { address, family } = order[next++]!
      const socket = createConnection({ host: address, port: options.port, family, noDelay: true })
      open.add(socket)
      const failed = (error: NodeJS.ErrnoException): void => {
        if (!open.delete(socket)) return
        errors.push(error)
        if (next < order.length) {
          clearTimeout(timer)
          attempt()
        } else if (open.size === 0) {
          const timing = { dns: dnsMillis, connect: round(performance.now() - began) }
          resume(Effect.fail(connectFailed(options, tellingOf(errors), timing)))
        }
      }
      socket.on("error", failed)
      socket.once("connect", () => {
        connected = socket
        // V8 keeps a closed socket and its listeners for a while.
        socket.on("error", ignore).off("error", failed)
        stop(socket)
        open.clear()
        resume(Effect.succeed(socket))
      })
      if (next < order.length) timer = setTimeout(attempt, stagger)
    }
    attempt()
    // An interruption may still occur between the connection and its use.
    return Effect.sync(() => {
      stop()
      open.clear()
      connected?.destroy()
    })
  })

/** Alternates address families, beginning with the first address's; keeps the order within each. */
const alternating = (addresses: ReadonlyArray<Address>): ReadonlyArray<Address> => {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family)
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family)
  return Array.from({ length: Math.max(first.length, second.length) }).flatMap((_, index) =>
    [first[index], second[index]].filter((address) => address !== undefined)
  )
}

/** Error codes of this machine, not of the target. */
const ownSide = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS", "ENOMEM", "ENETDOWN", "EACCES", "EPERM"])

/** The most informative of several errors: a missing address family of this machine says nothing about the target. */
const tellingOf = (errors: ReadonlyArray<NodeJS.ErrnoException>): NodeJS.ErrnoException =>
  errors.find(({ code }) => code !== "ENETUNREACH" && !ownSide.has(code ?? "")) ?? errors[0]!

const connectFailed = (
  { host, port }: DialOptions,
  { code = "UNKNOWN" }: NodeJS.ErrnoException,
  timing: { readonly dns: number; readonly connect: number }
): DialFailed => {
  const [reason, words] = wordsFor(code, authority(host, port))
  return new DialFailed({ reason, ...words, cause: code, timing })
}

const wordsFor = (code: string, target: string): readonly [DialReason, Reason] => {
  if (ownSide.has(code)) return ["egress_unavailable", why("connection_impossible", { target, cause: code })]
  switch (code) {
    case "ECONNREFUSED":
      return ["connect_refused", why("connection_refused", { target })]
    case "ECONNRESET":
    case "EPIPE":
      return ["connect_reset", why("connection_closed_while_opening", { target })]
    case "ENETUNREACH":
      return ["egress_unavailable", why("no_route", { target })]
    case "EHOSTUNREACH":
    case "EHOSTDOWN":
      return ["connect_unreachable", why("host_unreachable", { target })]
    case "ETIMEDOUT":
      return ["connect_failed", why("no_answer", { target })]
    default:
      return ["connect_failed", why("connection_failed", { target, cause: code })]
  }
}
