/**
 * Messages of the installation itself, such as codes and links, to people who have not agreed to receive any yet. They are
 * limited per recipient across accounts and processes, because anybody can enter anybody's address.
 */
import { type Channel, type DeliveryError, type Message, type Receipt, rejected, throttled } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Mailer } from "@kanmon/core/Mailer"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type RecipientKind, recipientOf } from "@kanmon/core/Recipient"
import type { Rate } from "@kanmon/domain/Allowance"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Confirmations } from "./Confirmations.ts"
import { Allowances, type Claim } from "../platform/database/Allowances.ts"
import { Clock, Context, Effect, Layer, type Schema } from "effect"

const hourMillis = dayMillis / 24

/** Per recipient: fewer over a longer time. */
const rates: ReadonlyArray<Rate> = [
  { limit: 3, periodMillis: hourMillis },
  { limit: 6, periodMillis: dayMillis }
]

/** For the whole installation: many accounts could message many recipients, at the operator's cost. */
const installation: Readonly<Record<RecipientKind, Rate>> = {
  email: { limit: 1000, periodMillis: hourMillis },
  phone: { limit: 100, periodMillis: hourMillis }
}

export class OwnMessages extends Context.Service<
  OwnMessages,
  {
    /** Sends a message through a channel that has a recipient. `Throttled` when the recipient received too many. */
    readonly send: (
      channel: { readonly type: string; readonly config: Schema.JsonObject },
      message: Message
    ) => Effect.Effect<Receipt, DeliveryError>
  }
>()("@kanmon/control-plane/channels/OwnMessages") {
  static readonly layer = Layer.effect(
    OwnMessages,
    Effect.gen(function* () {
      const { channels: kinds } = yield* Catalogue
      const runner = yield* ChannelRunner
      const allowances = yield* Allowances
      const confirmations = yield* Confirmations

      const send: OwnMessages["Service"]["send"] = Effect.fn("OwnMessages.send")(function* (channel, message) {
        const kind = kinds.get(channel.type)
        const recipient = kind === undefined ? undefined : recipientOf(kind, channel.config)
        if (recipient === undefined) return yield* rejected(`Channels of type ${channel.type} have no recipient`)
        const everybody: Claim = { key: `own:${recipient.kind}`, rate: installation[recipient.kind] }
        const one = rates.map((rate) => ({ key: `own:${rate.periodMillis}:${confirmations.nameOf(recipient)}`, rate }))
        const taken = yield* allowances.take([everybody, ...one])
        if (taken._tag === "Exhausted") {
          const wait = Math.ceil((taken.nextAt - (yield* Clock.currentTimeMillis)) / 1000)
          const subject = taken.exhausted === everybody ? "This installation sent" : "This recipient received"
          return yield* throttled(`${subject} too many such messages lately; wait ${wait} s`, wait)
        }
        return yield* runner.message(channel, message)
      })

      return OwnMessages.of({ send })
    })
  )
}

/** The kind of channel that sends the installation's own mail: the first whose recipients are e-mail addresses. */
export const emailKind = (kinds: Catalogue["Service"]["channels"]): Channel | undefined =>
  [...kinds.values()].find(({ recipient }) => recipient?.kind === "email")

/** Sends the installation's own mail. */
export const mailer = Layer.effect(
  Mailer,
  Effect.gen(function* () {
    const { channels: kinds } = yield* Catalogue
    const { isSetUp } = yield* ChannelRunner
    const messages = yield* OwnMessages
    const kind = emailKind(kinds)
    return {
      configured: kind !== undefined && isSetUp(kind.type),
      send: (to, message) =>
        kind?.recipient === undefined
          ? Effect.fail(rejected("No plugin sends e-mail"))
          : Effect.asVoid(messages.send({ type: kind.type, config: { [kind.recipient.field]: to } }, message))
    }
  })
)
