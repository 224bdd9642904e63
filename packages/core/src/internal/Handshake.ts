/** TLS on a connected socket. Reports the peer's certificate and enforces nothing: the caller decides. */
import { isIP, type Socket } from "node:net"
import * as tls from "node:tls"
import { domainToASCII } from "node:url"
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import { DialFailed, type DialOptions, type PeerCertificate, type TlsVersion } from "../Dialer.ts"
import { authority } from "../NetworkPolicy.ts"
import { ignore } from "./Connect.ts"

/**
 * The name that the certificate must cover: a host name, which is also sent (SNI), or an address, which RFC 6066 does
 * not allow there.
 */
const serverName = (options: DialOptions): string => {
  const name = (options.tls?.servername ?? options.host).replace(/\.$/, "")
  return isIP(name) === 0 ? domainToASCII(name) || name : name
}

export const handshake = (
  options: DialOptions,
  socket: Socket,
  context: tls.SecureContext,
  timing: { readonly dns: number; readonly connect: number }
): Effect.Effect<tls.TLSSocket, DialFailed> =>
  Effect.callback<tls.TLSSocket, DialFailed>((resume) => {
    const name = serverName(options)
    const { alpn } = options.tls ?? {}
    // No session resumption, because a resumed session has no certificate.
    const secure = tls.connect({
      socket,
      secureContext: context,
      rejectUnauthorized: false,
      // Node would compare with "localhost" where no name is sent.
      checkServerIdentity: (_host, certificate) => mismatch(name, certificate),
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] })
    })
    let waiting = true
    const fail = (error: NodeJS.ErrnoException): void => {
      if (!waiting) return
      waiting = false
      secure.destroy()
      const target = authority(options.host, options.port)
      resume(
        Effect.fail(
          new DialFailed({
            reason: closed(error) ? "connect_reset" : "tls_failed",
            ...words(target, error, options.tls?.minVersion),
            cause: error.code ?? "UNKNOWN",
            timing
          })
        )
      )
    }
    secure.on("error", fail)
    secure.once("secureConnect", () => {
      if (!waiting) return
      waiting = false
      secure.on("error", ignore).off("error", fail)
      resume(Effect.succeed(secure))
    })
    return Effect.sync(() => {
      waiting = false
      secure.on("error", ignore)
      secure.destroy()
    })
  })

const closed = ({ code }: NodeJS.ErrnoException): boolean => code === "ECONNRESET" || code === "EPIPE"

const words = (target: string, error: NodeJS.ErrnoException, oldest: TlsVersion = "1.2"): Reason => {
  if (closed(error)) return why("tls_closed", { target })
  switch (error.code) {
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
    case "ERR_SSL_HTTP_REQUEST":
      return why("tls_not_spoken", { target })
    case "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION":
    case "ERR_SSL_UNSUPPORTED_PROTOCOL":
      return why("tls_too_old", { target, oldest })
    case "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE":
    case "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE":
      return why("tls_no_cipher", { target })
    case "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA":
    case "ERR_SSL_TLSV1_ALERT_ACCESS_DENIED":
    case "ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE":
    case "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED":
    case "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED":
    case "ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN":
    case "ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE":
      return why("client_certificate_refused", { target, cause: error.code })
    case "ERR_SSL_TLSV1_UNRECOGNIZED_NAME":
      return why("tls_no_certificate", { target })
    default:
      return why("tls_failed", { target, cause: error.code ?? error.message })
  }
}

/**
 * Node reports only one error per certificate, and an expiry hides a wrong name, so the name is checked separately: a name by
 * the certificate's DNS names, an address by its IP addresses.
 */
export const peerOf = (socket: tls.TLSSocket, options: DialOptions): PeerCertificate => {
  const certificate = socket.getPeerCertificate(true)
  // Declared as an Error; Node sets a string, or null.
  const error: unknown = socket.authorizationError
  return {
    certificate,
    authorizationError: error === null || error === undefined ? null : String(error),
    nameMismatch: certificate.subject !== undefined && mismatch(serverName(options), certificate) !== undefined,
    protocol: socket.getProtocol()
  }
}

/** Why the certificate does not cover a name or an address. */
const mismatch = (name: string, certificate: tls.PeerCertificate): Error | undefined => {
  try {
    return tls.checkServerIdentity(name, certificate)
  } catch (unreadable) {
    // A certificate with unreadable names matches no host.
    return Object.assign(unreadable as Error, { code: "ERR_TLS_CERT_ALTNAME_INVALID" })
  }
}
