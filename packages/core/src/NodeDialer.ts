/** The dialer on Node's sockets. One attempt per call; interruption or the scope closes what was opened. */
import { isIP, type Socket } from "node:net"
import * as tls from "node:tls"
import { reason as why } from "@kanmon/domain/Reason"
import { Effect, Layer, Scope } from "effect"
import { Dialer, DialFailed, type DialOptions, type DialReason, type TlsIdentity, type TlsVersion } from "./Dialer.ts"
import { type Address, connect, round } from "./internal/Connect.ts"
import { handshake, peerOf } from "./internal/Handshake.ts"
import * as SystemPing from "./internal/SystemPing.ts"
import { type PolicySettings, refusal } from "./NetworkPolicy.ts"
import { Resolver, type ResolveFailed } from "./Resolver.ts"

export interface DialerSettings extends PolicySettings {
  /** Trusted certificate authorities (PEM) in addition to Node's. */
  readonly ca?: ReadonlyArray<string>
}

/** The program that `ping` runs; undefined where the host has none, and checks of type icmp are unknown. */
export const pingProgram: Effect.Effect<string | undefined> = SystemPing.find(SystemPing.searchPath)

/**
 * TLS 1.0 and 1.1 sign with SHA-1 and MD5, which OpenSSL allows at security level 0 alone, and old servers have short keys.
 * The level also judges certificates, so that it stays the default one for newer versions.
 */
const versions: Readonly<Record<TlsVersion, tls.SecureContextOptions>> = {
  "1.0": { minVersion: "TLSv1", ciphers: `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0` },
  "1.1": { minVersion: "TLSv1.1", ciphers: `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0` },
  "1.2": { minVersion: "TLSv1.2" },
  "1.3": { minVersion: "TLSv1.3" }
}

/** Creates a dialer that uses a resolver. */
export const make = (settings: DialerSettings, resolver: Resolver["Service"]): Dialer["Service"] => {
  // Shared: creating a context costs as much as a complete check over plain HTTP.
  const trust = settings.ca === undefined ? {} : { ca: [...tls.getCACertificates("default"), ...settings.ca] }
  const contexts = new Map<TlsVersion, tls.SecureContext>()
  const identified = new Map<TlsVersion, WeakMap<TlsIdentity, tls.SecureContext>>()
  const contextOf = ({ identity, minVersion = "1.2" }: Required<DialOptions>["tls"]): tls.SecureContext => {
    const make = () => tls.createSecureContext({ ...trust, ...versions[minVersion], ...identity })
    return identity === undefined
      ? kept(contexts, minVersion, make)
      : kept(
          kept(identified, minVersion, () => new WeakMap<TlsIdentity, tls.SecureContext>()),
          identity,
          make
        )
  }

  /** The addresses of a host, all of which the policy allows. */
  const locate = Effect.fnUntraced(function* (options: Pick<DialOptions, "address" | "host" | "port" | "stage">) {
    const began = performance.now()
    options.stage?.("dns")
    const addresses = yield* resolve(resolver, options.address ?? options.host)
    const refused = refusedBy(settings, options, addresses)
    if (refused !== undefined) return yield* refused
    return { addresses, dns: round(performance.now() - began) }
  })

  const ping: Dialer["Service"]["ping"] = Effect.fnUntraced(function* ({ count, host, size, stage }) {
    const { addresses, dns } = yield* locate({ host, port: 0, ...(stage === undefined ? {} : { stage }) })
    stage?.("request")
    const report = yield* SystemPing.run(addresses[0]!, { count, size })
    return { ...report, address: addresses[0]!.address, timing: { dns } }
  })

  const dial: Dialer["Service"]["dial"] = Effect.fnUntraced(function* (options) {
    const { addresses, dns } = yield* locate(options)
    options.stage?.("connect")
    const connecting = performance.now()
    const socket = yield* held(connect(options, addresses, dns))
    const connected = performance.now()
    const timing = { dns, connect: round(connected - connecting) }
    const [only, ...others] = addresses
    // An IPv4 address has one form, so that the system need not be asked.
    const known = others.length === 0 && only?.family === 4 ? only.address : socket.remoteAddress
    const address = known ?? addresses[0]!.address
    if (options.tls === undefined) return { socket, address, peer: null, timing }
    options.stage?.("tls")
    const secure = yield* held(handshake(options, socket, contextOf(options.tls), timing))
    const spent = round(performance.now() - connected)
    return { socket: secure, address, peer: peerOf(secure, options), timing: { ...timing, tls: spent } }
  })

  return Dialer.of({ dial, ping })
}

const kept = <K, V>(
  values: { get: (key: K) => V | undefined; set: (key: K, value: V) => unknown },
  key: K,
  make: () => V
): V => {
  let value = values.get(key)
  if (value === undefined) values.set(key, (value = make()))
  return value
}

/** Holds a socket until the scope closes. Not by `acquireRelease`: it would copy all services of the process for each socket. */
const held = <S extends Socket>(open: Effect.Effect<S, DialFailed>): Effect.Effect<S, DialFailed, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(open), (socket) =>
        Effect.as(
          Scope.addFinalizer(
            scope,
            Effect.sync(() => void socket.destroy())
          ),
          socket
        )
      )
    )
  )

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

const resolveFailed = ({ explanation, message, reason }: ResolveFailed): DialFailed =>
  new DialFailed({ reason: reasons[reason] ?? "dns_failed", message, explanation, timing: {} })

/** One forbidden address refuses all: the target decides which one would be dialled. */
const refusedBy = (
  settings: PolicySettings,
  { address: given, host, port }: DialOptions,
  addresses: ReadonlyArray<Address>
): DialFailed | undefined => {
  if (addresses.length === 0) {
    return new DialFailed({ reason: "dns_no_address", ...why("no_address", { host }), timing: {} })
  }
  for (const { address } of addresses) {
    const refused = refusal(address, port, settings)
    if (refused === null) continue
    // Hides the address behind a name, which may reveal the internal network.
    const words =
      address === (given ?? host)
        ? why("address_forbidden", { address, ...refused.parameters })
        : why("address_of_name_forbidden", { host, ...refused.parameters })
    return new DialFailed({ reason: "address_refused", ...words, timing: {} })
  }
  return undefined
}

export const layer = (settings: DialerSettings): Layer.Layer<Dialer, never, Resolver> =>
  Layer.effect(
    Dialer,
    Effect.map(Resolver, (resolver) => make(settings, resolver))
  )
