/** A mail server that parses and validates what it receives, for the contract suite. */
import type { AddressInfo, Socket } from "node:net"
import type { Destination, Mood, World } from "@kanmon/testkit/ChannelWorld"
import { Effect, type Scope } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

const user = "kanmon"
export const password = "p@ss/word of the operator"
export const address = "ops@example.test"
const sender = "alerts@kanmon.example.test"

/** A received e-mail with its envelope. */
interface Mail {
  readonly envelope: { readonly from: string; readonly to: ReadonlyArray<string> }
  readonly source: string
  readonly parsed: ParsedMail
}

export interface MailDestination extends Destination {
  readonly settings: { readonly SMTP_URL: string; readonly SMTP_FROM: string }
  readonly port: number
  readonly mails: () => ReadonlyArray<Mail>
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

export interface MailOptions {
  readonly server?: SMTPServerOptions
  /** Replaces the response to RCPT TO. */
  readonly answer?: { readonly code: number; readonly text: string }
  readonly scheme?: "smtp" | "smtps"
  /** The query of SMTP_URL, including its question mark. */
  readonly query?: string
  readonly password?: string
}

export const start = (options: MailOptions = {}): Effect.Effect<MailDestination, never, Scope.Scope> =>
  Effect.gen(function* () {
    let mood: Mood = "well"
    let attempts = 0
    const mails: Array<Mail> = []
    const complaints: Array<string> = []
    const sockets = new Set<Socket>()
    const server = new SMTPServer({
      // It would ask the machine's name server for the name of each client.
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      logger: false,
      onConnect: (_session, done) => {
        // Without a call of `done` there is no greeting.
        if (mood !== "hang") done()
      },
      onAuth: (auth, _session, done) =>
        auth.username === user && auth.password === password
          ? done(null, { user })
          : done(refusal(535, `5.7.8 Wrong credentials (${auth.username} ${auth.password})`)),
      onRcptTo: (_address, _session, done) => {
        if (options.answer !== undefined) return done(refusal(options.answer.code, options.answer.text))
        // A careless server that quotes secrets.
        if (mood === "refuse") return done(refusal(550, `5.1.1 No such user (you are ${user} ${password})`))
        if (mood === "broken") return done(refusal(451, "4.3.0 Come again"))
        return done()
      },
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const source = Buffer.concat(chunks)
          const { mailFrom, rcptTo } = session.envelope
          simpleParser(source, (error, parsed) => {
            if (error !== null && error !== undefined) return done(refusal(554, "5.6.0 This is no mail"))
            const mail = {
              envelope: {
                from: mailFrom === false ? "" : mailFrom.address,
                to: rcptTo.map((recipient) => recipient.address)
              },
              source: source.toString(),
              parsed
            }
            mails.push(mail)
            complaints.push(...faults(mail))
            return done(null, "2.0.0 queued as A1")
          })
        })
      },
      ...options.server
    })
    server.on("error", () => undefined)
    server.server.on("connection", (socket: Socket) => {
      attempts++
      sockets.add(socket)
      if (mood === "cut") socket.destroy()
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of sockets) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    )
    const { port } = server.server.address() as AddressInfo
    const credentials = `${user}:${encodeURIComponent(options.password ?? password)}`
    return {
      config: { address },
      settings: {
        SMTP_URL: `${options.scheme ?? "smtp"}://${credentials}@127.0.0.1:${port}/${options.query ?? ""}`,
        SMTP_FROM: `Kanmon <${sender}>`
      },
      port,
      behave: (next) => void (mood = next),
      attempts: () => attempts,
      taken: () => mails.map(golden),
      complaints: () => complaints,
      mails: () => mails
    }
  })

/** Violations of RFC 5321, RFC 5322 and this project's rules for e-mails. */
const faults = ({ envelope, parsed, source }: Mail): ReadonlyArray<string> => {
  const head = source.slice(0, source.indexOf("\r\n\r\n"))
  const html = parsed.html === false ? "" : parsed.html
  const rules: ReadonlyArray<readonly [boolean, string]> = [
    [envelope.from === sender, `the envelope is from ${envelope.from}`],
    [envelope.to.join() === address, `the envelope is to ${envelope.to.join()}`],
    [!/[^\r]\n/.test(source), "a bare line feed"],
    [source.split("\r\n").every((line) => line.length <= 998), "a line of more than 998 characters"],
    [/^[\x20-\x7E\r\n\t]*$/.test(head), "a header that is not ASCII"],
    [parsed.headers.get("auto-submitted") === "auto-generated", "Auto-Submitted is missing"],
    [!parsed.headers.has("bcc") && !parsed.headers.has("cc"), "a header from a text"],
    [parsed.date !== undefined && /^<[^<>@\s]+@[^<>@\s]+>$/.test(parsed.messageId ?? ""), "Date or Message-ID"],
    [(parsed.subject ?? "") !== "" && (parsed.subject ?? "").length <= 200, "the subject is missing or too long"],
    [!/undefined|null|\n\n\n/.test(`${parsed.subject} ${parsed.text}`), "a missing value or empty lines"],
    [!/<(script|img|link|iframe|style)|url\(|undefined|null|javascript:/i.test(html), "active or foreign content"],
    [balanced(html), "the HTML does not balance"],
    [html.length <= 100_000, "Gmail cuts HTML of more than 102 kB"]
  ]
  return rules.filter(([holds]) => !holds).map(([, complaint]) => complaint)
}

/** Elements are closed in reverse order, and every `&` begins a reference. */
const balanced = (html: string): boolean => {
  const open: Array<string> = []
  for (const [, close, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/g)) {
    if (name === "meta") continue
    if (close === "") open.push(name!)
    else if (open.pop() !== name) return false
  }
  const rest = html.replace(/<!doctype html>|<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>/g, "")
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!(?:amp|lt|gt|quot|#39);)/.test(html)
}

const golden = ({ envelope, parsed }: Mail): unknown => ({
  envelope,
  from: parsed.from?.text,
  to: Array.isArray(parsed.to) ? parsed.to.map(({ text }) => text) : parsed.to?.text,
  subject: parsed.subject,
  messageId: parsed.messageId,
  inReplyTo: parsed.inReplyTo ?? null,
  references: parsed.references ?? null,
  text: parsed.text?.split("\n"),
  html: parsed.html === false ? null : parsed.html.split("\n")
})

export const world: World = {
  start: start(),
  exempt: { throttle: "SMTP has no way to say how long to wait; every 4xx is retryable" }
}
