/**
 * The one way out: opens TCP and TLS connections for checks and channels. A name is resolved once, every address is
 * held against the network policy, and the connection goes to a checked address, so that a name which changes its mind
 * between the check and the dial (DNS rebinding) gains nothing. Address literals are checked the same way.
 */
import type { Socket } from "node:net"
import type { DetailedPeerCertificate } from "node:tls"
import { Context, Data, type Effect, type Scope } from "effect"
import type { Stage } from "./Stage.ts"

export interface DialOptions {
  /** A name, or an IPv4 or IPv6 address (without brackets). */
  readonly host: string
  readonly port: number
  /** Speak TLS. The certificate is reported, never enforced: judging it belongs to the caller. */
  readonly tls?: { readonly servername?: string; readonly alpn?: ReadonlyArray<string> }
  readonly stage?: (stage: Stage) => void
}

/** What was learned of the peer's certificate during the handshake. */
export interface PeerCertificate {
  /** The leaf, with `issuerCertificate` leading on; a root points to itself. */
  readonly certificate: DetailedPeerCertificate
  /** Node's code (`CERT_HAS_EXPIRED`, …), or null when the chain is good and the name fits. */
  readonly authorizationError: string | null
  /** The certificate does not name the host, whatever else is wrong with it. */
  readonly nameMismatch: boolean
  readonly protocol: string | null
}

export interface Connection {
  readonly socket: Socket
  /** The address that was dialled. */
  readonly address: string
  readonly peer: PeerCertificate | null
  /** Milliseconds of each stage. */
  readonly timing: { readonly dns: number; readonly connect: number; readonly tls?: number }
}

/** Why a connection could not be had. */
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
  /** Our own side: no descriptors, no local ports, no route of any kind. Says nothing of the target. */
  | "egress_unavailable"

export class DialFailed extends Data.TaggedError("DialFailed")<{
  readonly reason: DialReason
  /** One sentence for a person. */
  readonly message: string
  /** The system's or OpenSSL's own code, when there is one. */
  readonly cause?: string
  readonly timing: { readonly dns?: number; readonly connect?: number }
}> {}

export class Dialer extends Context.Service<
  Dialer,
  {
    /** Opens a connection that is closed with the scope. */
    readonly dial: (options: DialOptions) => Effect.Effect<Connection, DialFailed, Scope.Scope>
  }
>()("@kanmon/core/Dialer") {}
