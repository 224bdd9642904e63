/**
 * Opens all TCP and TLS connections of checks and channels, and sends the echo requests of checks. A name is resolved once, every address is checked against the
 * network policy, and the connection uses a checked address, which defeats DNS rebinding. Address literals are checked the
 * same way.
 */
import type { Socket } from "node:net"
import type { DetailedPeerCertificate } from "node:tls"
import type { Explanation } from "@kanmon/domain/Explanation"
import { Context, Data, type Effect, type Scope } from "effect"
import type { Stage } from "./Stage.ts"

export interface DialOptions {
  /** A name, or an IPv4 or IPv6 address without brackets. */
  readonly host: string
  readonly port: number
  /** An address to connect to instead of looking up `host`, which keeps its part in TLS and in messages. */
  readonly address?: string | undefined
  /** Use TLS. The certificate is reported, not enforced: the caller decides. */
  readonly tls?: {
    /** The name for SNI and the certificate, when it is not the host. An address is compared with the certificate, and not sent. */
    readonly servername?: string
    readonly alpn?: ReadonlyArray<string>
    /** The oldest acceptable version; 1.2 by default. 1.0 and 1.1 also accept the keys and signatures of their time. */
    readonly minVersion?: TlsVersion | undefined
    /** Sent when the server asks for a client certificate. Derived values are kept for as long as the object lives. */
    readonly identity?: TlsIdentity | undefined
  }
  readonly stage?: (stage: Stage) => void
}

/** A version of TLS. 1.0 and 1.1 are deprecated by RFC 8996. */
export type TlsVersion = "1.0" | "1.1" | "1.2" | "1.3"

/** A client certificate (with its intermediates) and its key, in PEM. They must be valid: see `tls.createSecureContext`. */
export interface TlsIdentity {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
}

/** The peer's certificate from the handshake. */
export interface PeerCertificate {
  /** The leaf certificate; `issuerCertificate` links to its issuer, and a root to itself. */
  readonly certificate: DetailedPeerCertificate
  /** Node's error code (`CERT_HAS_EXPIRED`, …), or null when the chain and the name are valid. */
  readonly authorizationError: string | null
  /** Whether the certificate does not cover the host, a name or an address (RFC 9110, section 4.3.5), independent of other errors. */
  readonly nameMismatch: boolean
  readonly protocol: string | null
}

export interface Connection {
  readonly socket: Socket
  /** The address of the connection. */
  readonly address: string
  readonly peer: PeerCertificate | null
  /** Duration of each stage in milliseconds. */
  readonly timing: { readonly dns: number; readonly connect: number; readonly tls?: number }
}

export interface PingOptions {
  /** A name, or an IPv4 or IPv6 address without brackets. */
  readonly host: string
  /** Requests; one is sent each second. */
  readonly count: number
  /** Bytes of payload. */
  readonly size: number
  readonly stage?: (stage: Stage) => void
}

/** The replies to echo requests. */
export interface EchoReplies {
  /** The address that was pinged. */
  readonly address: string
  readonly sent: number
  readonly received: number
  /** Milliseconds of each reply, in order. */
  readonly times: ReadonlyArray<number>
  readonly timing: { readonly dns: number }
}

/** Why a connection failed. */
export type DialReason =
  | "dns_nxdomain"
  | "dns_no_address"
  | "dns_failed"
  | "address_refused"
  | "connect_refused"
  | "connect_reset"
  | "connect_unreachable"
  | "connect_failed"
  | "tls_failed"
  /** A local failure: no file descriptors, no local ports, or no route at all. It says nothing about the target. */
  | "egress_unavailable"
  /** The probe has no `ping` program, or may not use it. It says nothing about the target. */
  | "ping_unavailable"

export class DialFailed extends Data.TaggedError("DialFailed")<{
  readonly reason: DialReason
  /** One sentence for users. */
  readonly message: string
  /** What the sentence is made of. */
  readonly explanation?: Explanation | undefined
  /** The error code of the system or of OpenSSL, if there is one. */
  readonly cause?: string
  readonly timing: { readonly dns?: number; readonly connect?: number }
}> {}

export class Dialer extends Context.Service<
  Dialer,
  {
    /** Opens a connection that closes with the scope. */
    readonly dial: (options: DialOptions) => Effect.Effect<Connection, DialFailed, Scope.Scope>
    /** Sends ICMP echo requests to the first address of a host. Targets that do not answer are no failure of it. */
    readonly ping: (options: PingOptions) => Effect.Effect<EchoReplies, DialFailed>
  }
>()("@kanmon/core/Dialer") {}
