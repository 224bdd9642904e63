/** The operator's mail server: its address, one delivery over a connection of the host's dialer, and its errors. */
import { type DeliveryError, type Receipt, rejected, unreachable } from "@kanmon/core/Channel"
import { Dialer, type DialFailed } from "@kanmon/core/Dialer"
import { redact } from "@kanmon/core/HttpDelivery"
import { authority } from "@kanmon/core/NetworkPolicy"
import { oneLine, truncate } from "@kanmon/core/NoticeText"
import { filteredText } from "@kanmon/domain/BoundedText"
import type { Socket } from "node:net"
import { Effect } from "effect"
import type { Mailbox } from "./Address.ts"
import type { Message } from "./Message.ts"

/** The nodemailer options that make sense for a single connection; also `tls.…`. */
const known = new Set([
  "name",
  "requireTLS",
  "ignoreTLS",
  "opportunisticTLS",
  "authMethod",
  "greetingTimeout",
  "socketTimeout"
])

const problem = (text: string): string | undefined => {
  const example = "smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start"
  if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return `Expected ${example}`
  const { hostname, password, searchParams, username } = new URL(text)
  if (hostname === "") return `Expected ${example}`
  if (/%(?![0-9A-Fa-f]{2})/.test(username + password))
    return "Expected a percent sign in the login to be written as %25"
  const strange = [...searchParams.keys()].find((key) => !known.has(key) && !key.startsWith("tls."))
  return strange === undefined ? undefined : `Unsupported option ${strange}`
}

export const SmtpUrl = filteredText(8192, problem)

export interface MailServer {
  /** In nodemailer's format. */
  readonly url: string
  /** Whether SMTP_URL has a login. */
  readonly hasLogin: boolean
  readonly host: string
  readonly port: number
  /** Values to redact from the server's responses. */
  readonly secrets: ReadonlyArray<string>
}

export const mailServer = (text: string): MailServer => {
  const url = new URL(text)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const hasLogin = url.username !== ""
  if (hasLogin && !isLoopback(host) && !allowsPlaintext(url.searchParams)) url.searchParams.set("requireTLS", "true")
  return {
    url: url.href,
    hasLogin,
    host,
    port: url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port),
    secrets: [password, base64(password), base64(`\0${user}\0${password}`)].filter((secret) => secret !== "")
  }
}

/** Data sent to this machine crosses no network. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host)

/** The operator accepts sending the login unencrypted. */
const allowsPlaintext = (options: URLSearchParams): boolean =>
  options.get("requireTLS") === "false" ||
  options.get("ignoreTLS") === "true" ||
  options.get("opportunisticTLS") === "true"

/** Percent encodings are well-formed here, but may not be UTF-8. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const base64 = (text: string): string => (text === "" ? "" : Buffer.from(text).toString("base64"))

/** The destination in the form of the network policy. */
export const destination = ({ host, port }: MailServer): string => `smtp://${authority(host, port)}`

/** Bytes that a mail server may say about one e-mail before TLS; real ones say one or two thousand. */
const maxSaid = 131_072

/**
 * Ends the connection when the server says too much. nodemailer limits each answer, but not how many there are, and takes a turn
 * of the event loop for each empty line.
 */
const limited = (socket: Socket): Socket => {
  let left = maxSaid
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) socket.destroy(new Error("The mail server said too much"))
  }
  // Beside the reader and not before it: the first listener starts the flow.
  socket.on("newListener", (event, listener) => {
    if (event === "data" && listener !== count && !socket.listeners("data").includes(count)) socket.on("data", count)
  })
  socket.on("removeListener", (event, listener) => {
    if (event === "data" && listener !== count) socket.off("data", count)
  })
  return socket
}

/** Sends one e-mail. Interruption closes the connection. */
export const send = (
  server: MailServer,
  mail: Message & { readonly from: Mailbox; readonly to: string }
): Effect.Effect<Receipt, DeliveryError, Dialer> =>
  Effect.gen(function* () {
    const dialer = yield* Dialer
    // Loaded by those who send e-mail.
    const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
    // nodemailer handles TLS, both implicit and STARTTLS, with the same verification.
    const { socket } = yield* dialer.dial(server).pipe(Effect.mapError(ofDial))
    return yield* Effect.callback<Receipt, DeliveryError>((resume) => {
      const abort = new AbortController()
      const transport = createTransport({ url: server.url, connection: limited(socket), maxResponseSize: maxSaid })
      transport.sendMail(
        {
          ...mail,
          to: { name: "", address: mail.to },
          // The envelope has only these two addresses, independent of the headers.
          envelope: { from: mail.from.address, to: [mail.to] },
          headers: { "Auto-Submitted": "auto-generated" },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: abort.signal
        },
        (error, info) =>
          resume(
            error === null
              ? Effect.succeed({ reference: mail.messageId, detail: shown(info.response, server) })
              : Effect.fail(ofSmtp(error, server))
          )
      )
      return Effect.sync(() => abort.abort())
    })
  }).pipe(Effect.scoped)

const ofDial = ({ message, reason }: DialFailed): DeliveryError =>
  reason === "address_refused" ? rejected(message) : unreachable(message)

// Redacted before truncation: half of a password would not be recognised.
const shown = (text: string, { secrets }: MailServer): string => truncate(oneLine(redact(text, secrets)), 300)

interface SmtpError {
  readonly message: string
  readonly code?: string | number | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
}

/**
 * A 4xx response is temporary (RFC 5321, section 4.2.1), a 5xx response is not; without a response it is a connection
 * failure.
 */
const ofSmtp = (error: SmtpError, server: MailServer): DeliveryError => {
  const { code, message, response, responseCode } = error
  const where = authority(server.host, server.port)
  // Retryable with any response: an attacker who strips STARTTLS must not make e-mails be dropped for good.
  if (code === "ETLS" && responseCode !== undefined)
    return unreachable(
      `${where} does not offer TLS (STARTTLS), and SMTP_URL ${server.hasLogin ? "has a login" : "requires it"}. Nothing ` +
        "was sent. The operator enables TLS on the mail server or uses smtps://; requireTLS=false in SMTP_URL sends " +
        "without encryption"
    )
  if (responseCode !== undefined && responseCode >= 400) {
    const said = `The mail server answered: ${shown(response ?? String(responseCode), server)}`
    if (responseCode < 500) return unreachable(said)
    return rejected(code === "EAUTH" ? `${said}; the operator has to check SMTP_URL` : said)
  }
  switch (code) {
    case "EAUTH":
      return rejected(`${where} does not support the kind of login in SMTP_URL; the operator has to check it`)
    case "EENVELOPE":
      return rejected(`${where} cannot send to this address`)
    case "ETIMEDOUT":
      return unreachable(`${where} did not answer in time`)
    case "ETLS":
    case "ESOCKET":
      return unreachable(`The connection to ${where} failed: ${shown(message, server)}`)
    default:
      return unreachable(`${where} closed the connection without accepting the e-mail`)
  }
}
