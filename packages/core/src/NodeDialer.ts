/** The dialer on Node's sockets. One attempt a call; the caller's interruption or scope closes what was opened. */
import { createConnection, isIP, type Socket } from "node:net"
import * as tls from "node:tls"
import { Effect, Layer, type Scope } from "effect"
import {
  type Connection,
  Dialer,
  type DialOptions,
  DialFailed,
  type DialReason,
  type PeerCertificate
} from "./Dialer.ts"
import { type PolicySettings, refusal } from "./NetworkPolicy.ts"
import { Resolver } from "./Resolver.ts"

type Address = { readonly address: string; readonly family: 4 | 6 }

const now = (): number => performance.now()
const round = (millis: number): number => Math.round(millis * 100) / 100

const make = (settings: PolicySettings, resolver: Resolver["Service"]): Dialer["Service"] => {
  const resolve = (host: string): Effect.Effect<ReadonlyArray<Address>, DialFailed> => {
    const family = isIP(host)
    if (family !== 0) return Effect.succeed([{ address: host, family: family as 4 | 6 }])
    return Effect.mapError(
      resolver.addresses(host),
      ({ message, reason }) =>
        new DialFailed({
          reason:
            reason === "resolver_unavailable"
              ? "egress_unavailable"
              : reason === "dns_nxdomain"
                ? reason
                : reason === "dns_no_records"
                  ? "dns_no_address"
                  : "dns_failed",
          message,
          timing: {}
        })
    )
  }

  const check = (host: string, addresses: ReadonlyArray<Address>): DialFailed | undefined => {
    if (addresses.length === 0) {
      return new DialFailed({ reason: "dns_no_address", message: `${host} has no address`, timing: {} })
    }
    for (const { address } of addresses) {
      const why = refusal(address, settings)
      if (why === null) continue
      const subject = address === host ? address : `${host} has the address ${address}, which`
      return new DialFailed({
        reason: "address_refused",
        message: `${subject} ${why}, and may not be checked from here`,
        timing: {}
      })
    }
    return undefined
  }

  const dial = (options: DialOptions): Effect.Effect<Connection, DialFailed, Scope.Scope> =>
    Effect.gen(function* () {
      const began = now()
      options.stage?.("dns")
      const addresses = yield* resolve(options.host)
      const refused = check(options.host, addresses)
      if (refused !== undefined) return yield* refused
      const resolved = now()
      options.stage?.("connect")
      const socket = yield* Effect.acquireRelease(connect(options, addresses, round(resolved - began)), destroy, {
        interruptible: true
      })
      const connected = now()
      const timing = { dns: round(resolved - began), connect: round(connected - resolved) }
      const address = socket.remoteAddress ?? addresses[0]!.address
      if (options.tls === undefined) return { socket, address, peer: null, timing }
      options.stage?.("tls")
      const secure = yield* Effect.acquireRelease(handshake(options, options.tls, socket, timing), destroy, {
        interruptible: true
      })
      return {
        socket: secure,
        address,
        peer: peerOf(secure, options),
        timing: { ...timing, tls: round(now() - connected) }
      }
    })

  return Dialer.of({ dial })
}

const destroy = (socket: Socket): Effect.Effect<void> => Effect.sync(() => void socket.destroy())

/** A socket that fails after its connection was handed on must not bring the process down. */
const ignore = (): void => undefined

const connect = (
  options: DialOptions,
  addresses: ReadonlyArray<Address>,
  dnsMillis: number
): Effect.Effect<Socket, DialFailed> =>
  Effect.callback<Socket, DialFailed>((resume) => {
    const began = now()
    const single = addresses.length === 1
    const socket = createConnection(
      single
        ? { host: addresses[0]!.address, port: options.port, family: addresses[0]!.family, noDelay: true }
        : {
            host: options.host,
            port: options.port,
            noDelay: true,
            // The addresses that were checked, and no others: the name is not asked again.
            autoSelectFamily: true,
            lookup: (_host, lookUp, answer) =>
              lookUp.all === true
                ? answer(null, addresses as Array<Address>)
                : answer(null, addresses[0]!.address, addresses[0]!.family)
          }
    )
    const fail = (error: NodeJS.ErrnoException): void => {
      socket.destroy()
      resume(Effect.fail(connectFailed(options, error, { dns: dnsMillis, connect: round(now() - began) })))
    }
    socket.once("error", fail)
    socket.once("connect", () => {
      socket.off("error", fail)
      socket.on("error", ignore)
      resume(Effect.succeed(socket))
    })
    return Effect.sync(() => {
      socket.off("error", fail)
      socket.on("error", ignore)
      socket.destroy()
    })
  })

const authority = ({ host, port }: DialOptions): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`

/** Codes that speak of this machine, not of the target. */
const ownSide = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS", "ENOMEM", "ENETDOWN", "EACCES", "EPERM"])

const connectFailed = (
  options: DialOptions,
  error: NodeJS.ErrnoException,
  timing: { readonly dns: number; readonly connect: number }
): DialFailed => {
  // Several addresses that all failed come as one error; the first tells best.
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  const code = first.code ?? "UNKNOWN"
  const [reason, words] = wordsFor(code)
  return new DialFailed({ reason, message: words(authority(options), code), cause: code, timing })
}

const wordsFor = (code: string): readonly [DialReason, (target: string, code: string) => string] => {
  if (ownSide.has(code))
    return ["egress_unavailable", (target, own) => `This probe could not open a connection to ${target} (${own})`]
  switch (code) {
    case "ECONNREFUSED":
      return ["connect_refused", (target) => `${target} refused the connection`]
    case "ECONNRESET":
    case "EPIPE":
      return ["connect_reset", (target) => `${target} closed the connection while it was being opened`]
    case "ENETUNREACH":
      return ["egress_unavailable", (target) => `This probe has no route to ${target}`]
    case "EHOSTUNREACH":
    case "EHOSTDOWN":
      return ["connect_unreachable", (target) => `${target} cannot be reached: no route to the host`]
    case "ETIMEDOUT":
      return ["connect_failed", (target) => `${target} did not answer`]
    default:
      return ["connect_failed", (target, other) => `${target} could not be connected to (${other})`]
  }
}

const handshake = (
  options: DialOptions,
  { alpn, servername }: NonNullable<DialOptions["tls"]>,
  socket: Socket,
  timing: { readonly dns: number; readonly connect: number }
): Effect.Effect<tls.TLSSocket, DialFailed> =>
  Effect.callback<tls.TLSSocket, DialFailed>((resume) => {
    const name = servername ?? options.host
    const secure = tls.connect({
      socket,
      // No resumption: a resumed session shows no certificate.
      rejectUnauthorized: false,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] })
    })
    const fail = (error: NodeJS.ErrnoException): void => {
      secure.on("error", ignore)
      secure.destroy()
      resume(
        Effect.fail(
          new DialFailed({
            reason: error.code === "ECONNRESET" || error.code === "EPIPE" ? "connect_reset" : "tls_failed",
            message: tlsWords(authority(options), error),
            cause: error.code ?? "UNKNOWN",
            timing
          })
        )
      )
    }
    secure.once("error", fail)
    secure.once("secureConnect", () => {
      secure.off("error", fail)
      secure.on("error", ignore)
      resume(Effect.succeed(secure))
    })
    return Effect.sync(() => {
      secure.off("error", fail)
      secure.on("error", ignore)
      secure.destroy()
    })
  })

const tlsWords = (target: string, error: NodeJS.ErrnoException): string => {
  switch (error.code) {
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return `${target} does not speak TLS on this port`
    case "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION":
    case "ERR_SSL_UNSUPPORTED_PROTOCOL":
      return `${target} only speaks versions of TLS that are too old (1.1 or less)`
    case "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE":
      return `${target} and this probe have no cipher in common`
    case "ERR_SSL_TLSV1_UNRECOGNIZED_NAME":
      return `${target} has no certificate for this name`
    case "ECONNRESET":
    case "EPIPE":
      return `${target} closed the connection during the TLS handshake`
    default:
      return `The TLS handshake with ${target} failed (${error.code ?? error.message})`
  }
}

/** Node reports one problem of a certificate; a wrong name hides behind an expiry, so it is asked for by itself. */
const peerOf = (socket: tls.TLSSocket, { host, tls: settings }: DialOptions): PeerCertificate => {
  const certificate = socket.getPeerCertificate(true)
  const name = settings?.servername ?? host
  const named = certificate.subject === undefined ? undefined : tls.checkServerIdentity(name, certificate)
  return {
    certificate,
    authorizationError: socket.authorizationError === null ? null : String(socket.authorizationError ?? "") || null,
    nameMismatch: named !== undefined,
    protocol: socket.getProtocol()
  }
}

export const layer = (settings: PolicySettings): Layer.Layer<Dialer, never, Resolver> =>
  Layer.effect(
    Dialer,
    Effect.map(Resolver, (resolver) => make(settings, resolver))
  )
