/** The dialer on Node's sockets. One attempt a call; the caller's interruption or scope closes what was opened. */
import { isIP, type Socket } from "node:net"
import * as tls from "node:tls"
import { Effect, Layer, type Scope } from "effect"
import { type Connection, Dialer, DialFailed, type DialOptions, type DialReason } from "./Dialer.ts"
import { type Address, connect, round } from "./internal/Connect.ts"
import { handshake, peerOf } from "./internal/Handshake.ts"
import { type PolicySettings, refusal } from "./NetworkPolicy.ts"
import { Resolver, type ResolveFailed } from "./Resolver.ts"

export interface DialerSettings extends PolicySettings {
  /** Certificate authorities (PEM) that are trusted besides Node's own. */
  readonly ca?: ReadonlyArray<string>
}

/** The dialer on a resolver. */
export const make = (settings: DialerSettings, resolver: Resolver["Service"]): Dialer["Service"] => {
  // One for all: making a context costs as much as a whole check over plain HTTP.
  const context = tls.createSecureContext(
    settings.ca === undefined ? {} : { ca: [...tls.getCACertificates("default"), ...settings.ca] }
  )

  const dial = (options: DialOptions): Effect.Effect<Connection, DialFailed, Scope.Scope> =>
    Effect.gen(function* () {
      const began = performance.now()
      options.stage?.("dns")
      const addresses = yield* resolve(resolver, options.host)
      const refused = refusedBy(settings, options, addresses)
      if (refused !== undefined) return yield* refused
      const dns = round(performance.now() - began)
      options.stage?.("connect")
      const connecting = performance.now()
      const socket = yield* held(connect(options, addresses, dns))
      const connected = performance.now()
      const timing = { dns, connect: round(connected - connecting) }
      const address = socket.remoteAddress ?? addresses[0]!.address
      if (options.tls === undefined) return { socket, address, peer: null, timing }
      options.stage?.("tls")
      const secure = yield* held(handshake(options, socket, context, timing))
      const spent = round(performance.now() - connected)
      return { socket: secure, address, peer: peerOf(secure, options), timing: { ...timing, tls: spent } }
    })

  return Dialer.of({ dial })
}

/** Keeps a socket until the scope closes. */
const held = <S extends Socket>(open: Effect.Effect<S, DialFailed>): Effect.Effect<S, DialFailed, Scope.Scope> =>
  Effect.acquireRelease(open, (socket) => Effect.sync(() => void socket.destroy()), { interruptible: true })

const resolve = (resolver: Resolver["Service"], host: string): Effect.Effect<ReadonlyArray<Address>, DialFailed> => {
  const family = isIP(host)
  return family === 0
    ? Effect.mapError(resolver.addresses(host), resolveFailed)
    : Effect.succeed([{ address: host, family: family as 4 | 6 }])
}

const reasons: Partial<Record<ResolveFailed["reason"], DialReason>> = {
  resolver_unavailable: "egress_unavailable",
  dns_nxdomain: "dns_nxdomain",
  dns_no_records: "dns_no_address"
}

const resolveFailed = ({ message, reason }: ResolveFailed): DialFailed =>
  new DialFailed({ reason: reasons[reason] ?? "dns_failed", message, timing: {} })

/** One bad address refuses all: which of them would be dialled is the target's choice. */
const refusedBy = (
  settings: PolicySettings,
  { host, port }: DialOptions,
  addresses: ReadonlyArray<Address>
): DialFailed | undefined => {
  if (addresses.length === 0) {
    return new DialFailed({ reason: "dns_no_address", message: `${host} has no address`, timing: {} })
  }
  for (const { address } of addresses) {
    const refused = refusal(address, port, settings)
    if (refused === null) continue
    // The address behind a name is not told: it may be nobody's business how this network is numbered.
    const subject = address === host ? address : `${host} has an address that`
    const message = `${subject} ${refused.why}, and may not be checked from here${refused.remedy}`
    return new DialFailed({ reason: "address_refused", message, timing: {} })
  }
  return undefined
}

export const layer = (settings: DialerSettings): Layer.Layer<Dialer, never, Resolver> =>
  Layer.effect(
    Dialer,
    Effect.map(Resolver, (resolver) => make(settings, resolver))
  )
