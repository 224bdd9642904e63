/**
 * Messages of the installation itself, such as codes and links, to people who have not agreed to receive any yet. They are
 * limited per recipient across accounts and processes, because anybody can enter anybody's address.
 */
import { type Channel, type Message, rejected, throttled } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Mailer, type MailPurpose } from "@kanmon/identity/mails"
import { oneLine } from "@kanmon/core/NoticeText"
import { Catalogue } from "@kanmon/core/PluginHost"
import { configFor, type Recipient, recipientOf } from "@kanmon/core/Recipient"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { networkOf } from "@kanmon/platform/http/RequestInfo"
import { Allowances } from "@kanmon/platform/database/Allowances"
import { Confirmations } from "./Confirmations.ts"
import { claimsOf, isShared } from "./MailBudgets.ts"
import { Clock, Console, Context, Effect, Layer, type Schema } from "effect"

export class OwnMessages extends Context.Service<OwnMessages>()("@kanmon/monitoring/channels/OwnMessages", {
  make: Effect.gen(function* () {
    const { channels: kinds } = yield* Catalogue
    const runner = yield* ChannelRunner
    const allowances = yield* Allowances
    const confirmations = yield* Confirmations

    /** Takes one message of what a recipient may receive. */
    const claim = Effect.fnUntraced(function* (recipient: Recipient, purpose: MailPurpose, address: string | null) {
      const isVerified = yield* confirmations.isVerified(recipient)
      const network = address === null ? undefined : networkOf(address)
      const letter = { purpose, recipient, isVerified, network }
      const taken = yield* allowances.take(claimsOf(letter, confirmations.countedAs))
      if (taken._tag === "Exhausted") {
        const wait = Math.ceil((taken.nextAt - (yield* Clock.currentTimeMillis)) / 1000)
        const subject = isShared(taken.exhausted) ? "This installation sent" : "This recipient received"
        return yield* throttled(`${subject} too many such messages lately; wait ${wait} s`, wait)
      }
    })

    /** Sends a message to a recipient of a channel. `Throttled` when the recipient received too many. */
    const send = Effect.fn("OwnMessages.send")(function* (
      channel: { readonly type: string; readonly config: Schema.JsonObject },
      recipient: Recipient,
      message: Message
    ) {
      const kind = kinds.get(channel.type)
      if (kind === undefined) return yield* rejected(`This server has no plugin for channels of type ${channel.type}`)
      yield* claim(recipient, "asked", (yield* CurrentActor).address)
      return yield* runner.message({ ...channel, config: configFor(kind, channel.config, recipient) }, message)
    })

    const mailKind = emailKind(kinds)
    /** Whether the operator has set up mail. */
    const sendsMail = mailKind !== undefined && runner.isSetUp(mailKind.type)

    /** Sends a mail, or prints it where mail is not set up. `Throttled` when the recipient received too many. */
    const mail = Effect.fn("OwnMessages.mail")(function* (
      to: string,
      message: Message,
      purpose: MailPurpose,
      from?: string | null
    ) {
      const { field, kind } = mailKind?.recipient ?? printed
      const config = { [field]: to }
      const recipient = recipientOf({ recipient: { field, kind } }, config)
      if (recipient !== undefined) yield* claim(recipient, purpose, from ?? (yield* CurrentActor).address)
      if (mailKind === undefined || !sendsMail) return yield* Console.log(block(to, message))
      yield* runner.message({ type: mailKind.type, config }, message)
    })

    return { send, mail, sendsMail }
  })
}) {
  static readonly layer = Layer.effect(OwnMessages, OwnMessages.make)
}

/** The kind of channel that sends the installation's own mail: the first that has e-mail addresses as recipients. */
export const emailKind = (kinds: Catalogue["Service"]["channels"]): Channel | undefined =>
  [...kinds.values()].find(({ recipient }) => recipient?.kind === "email")

/** The recipient of mail that is printed because no plugin sends any. */
const printed = { field: "address", kind: "email" } as const

const rule = "-".repeat(72)

/** A mail on the console. */
const block = (to: string, { subject, text }: Message): string =>
  [
    "",
    rule,
    `Mail is not set up (SMTP_URL and SMTP_FROM). This would go to ${oneLine(to)}:`,
    "",
    oneLine(subject),
    "",
    text,
    rule,
    ""
  ].join("\n")

/** Sends the installation's own mail. */
export const mailer = Layer.effect(
  Mailer,
  Effect.map(OwnMessages, ({ mail, sendsMail }) => ({ configured: sendsMail, send: mail }))
)
