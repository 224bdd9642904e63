/**
 * Sends notices by e-mail through the operator's mail server. That server accepts an e-mail before it is delivered: the
 * receipt says that it is queued there.
 * @see https://www.rfc-editor.org/rfc/rfc5321
 */
import { createHash } from "node:crypto"
import * as Channel from "@kanmon/core/Channel"
import * as Plugin from "@kanmon/core/Plugin"
import { EmailAddress, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Effect, Schema } from "effect"
import { mailbox, Sender } from "./Address.ts"
import * as MailServer from "./MailServer.ts"
import { type Message, type Origin, ofNotice, ofText } from "./Message.ts"

const settings = Schema.Struct({
  SMTP_URL: Schema.optionalKey(
    MailServer.SmtpUrl.annotate({
      description:
        "Mail server, as smtp://user:password@host:587 (STARTTLS, required with a login unless the host is this machine; `?requireTLS=true` always requires it, `?requireTLS=false` never) or smtps://user:password@host:465 (TLS from the start). Certificates are verified"
    })
  ),
  SMTP_FROM: Schema.optionalKey(
    Sender.annotate({ description: "Sender of every e-mail: an address, or Kanmon <alerts@example.com>" })
  )
})

const email = Channel.define({
  type: "email",
  title: "E-mail",
  summary: "Sends an e-mail.",
  config: Schema.Struct({
    address: EmailAddress.annotate({ description: "E-mail address that receives the notifications" }),
    additionalAddresses: Schema.optionalKey(
      Schema.Array(EmailAddress)
        .check(Schema.isMaxLength(19, { message: "Expected at most 19 addresses" }))
        .annotate({ description: "Further e-mail addresses: each gets its own e-mail, and confirms by itself" })
    )
  }),
  example: { address: "ops@example.com", additionalAddresses: ["oncall@example.com"] },
  recipient: { field: "address", more: "additionalAddresses", kind: "email" },
  reachesPerson: true,
  validate: ({ additionalAddresses = [], address }) => {
    const all = [address, ...additionalAddresses].map(normalizeEmail)
    return all.flatMap((one, index) =>
      all.indexOf(one) < index
        ? [{ path: `additionalAddresses[${index - 1}]`, message: "This address is in the list already" }]
        : []
    )
  },
  settings,
  isSetUp: ({ SMTP_FROM, SMTP_URL }) => SMTP_FROM !== undefined && SMTP_URL !== undefined,
  destinations: ({ SMTP_URL }) =>
    SMTP_URL === undefined ? [] : [MailServer.destination(MailServer.mailServer(SMTP_URL))],
  // The host names one recipient at a time.
  make: ({ address }, { SMTP_FROM, SMTP_URL }) =>
    Effect.sync(() => {
      const from = SMTP_FROM === undefined ? undefined : mailbox(SMTP_FROM)
      const server = SMTP_URL === undefined ? undefined : MailServer.mailServer(SMTP_URL)
      const recipient = createHash("sha256").update(normalizeEmail(address)).digest("hex").slice(0, 16)
      const send = Effect.fnUntraced(function* (write: (origin: Origin) => Message) {
        if (server === undefined || from === undefined)
          return yield* Channel.rejected(
            "E-mail is not configured on this server: the operator has to set SMTP_URL and SMTP_FROM"
          )
        const host = from.address.slice(from.address.lastIndexOf("@") + 1)
        return yield* MailServer.send(server, { ...write({ host, recipient }), from, to: address })
      })
      return {
        deliver: Effect.fn("notify-email.deliver")((notice) => send((origin) => ofNotice(notice, origin))),
        message: Effect.fn("notify-email.message")((own) => send((origin) => ofText(own, origin)))
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-email", contract: 1, channels: [email] })
