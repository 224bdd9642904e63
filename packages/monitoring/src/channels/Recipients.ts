/**
 * The recipients that channels may send to: they confirm before they receive any notification, phone numbers are within the
 * operator's countries and the account's plan, and tests are limited. All limits are counted in the database, across processes.
 */
import { randomInt } from "node:crypto"
import type { Channel } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type Recipient, type RecipientKind, recipientOf, RecipientPolicy } from "@kanmon/core/Recipient"
import type { Rate } from "@kanmon/domain/Allowance"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { basePath } from "@kanmon/protocol/BasePath"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import type { ChannelDraft, Confirmation, LastDelivery, StoredChannel } from "./ChannelRecords.ts"
import { Channels } from "./Channels.ts"
import { Confirmations } from "./Confirmations.ts"
import { PaymentGateway, PlanLimitReached, Plans } from "@kanmon/identity/billing"
import { Allowances, type Claim } from "@kanmon/platform/database/Allowances"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { OwnMessages } from "./OwnMessages.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"

const hourly = (limit: number): Rate => ({ limit, periodMillis: dayMillis / 24 })
const testsOfAccount = hourly(10)
const testsOfRecipient = hourly(5)
/** Codes of one account, over all its organizations and types of channels: a tenth of what the installation sends to phones in an hour. */
const codesOfAccount: Readonly<Record<RecipientKind, readonly [Rate, ...ReadonlyArray<Rate>]>> = {
  email: [hourly(10)],
  phone: [hourly(10), { limit: 20, periodMillis: dayMillis }]
}

export class Recipients extends Context.Service<
  Recipients,
  {
    /** The draft with the confirmation of a new recipient: pending, already confirmed, or not needed. */
    readonly admit: (
      projectId: ProjectId,
      draft: ChannelDraft,
      current?: StoredChannel
    ) => Effect.Effect<ChannelDraft, InvalidFields | PlanLimitReached>
    /** The effective confirmation: nothing is pending where the operator requires none. */
    readonly confirmationOf: (channel: StoredChannel) => Confirmation
    /** Sends a new code. */
    readonly invite: (
      channel: StoredChannel
    ) => Effect.Effect<void, Problem<"conflict" | "delivery_failed" | "rate_limited">>
    /** After a write: sends a code to a new recipient. If that fails, the error is stored as the channel's last delivery. */
    readonly inviteNew: (channel: StoredChannel, before?: StoredChannel) => Effect.Effect<StoredChannel>
    /** Enters a code. */
    readonly confirm: (
      channelId: ChannelId,
      code: string
    ) => Effect.Effect<void, Problem<"conflict" | "validation_failed">>
    /** Refuses a test to an unconfirmed recipient, or beyond the limit. */
    readonly admitTest: (channel: StoredChannel) => Effect.Effect<void, Problem<"conflict" | "rate_limited">>
  }
>()("@kanmon/monitoring/channels/Recipients") {
  static readonly layer = Layer.effect(
    Recipients,
    Effect.gen(function* () {
      const { channels: kinds } = yield* Catalogue
      const policy = yield* RecipientPolicy
      const { baseUrl, phonesOnFreePlans = false } = yield* ApiSettings
      const { configured: sells } = yield* PaymentGateway
      const channels = yield* Channels
      const confirmations = yield* Confirmations
      const allowances = yield* Allowances
      const messages = yield* OwnMessages
      const plans = yield* Plans
      const runner = yield* ChannelRunner
      const random = yield* SecureRandom.SecureRandom

      const recipientIn = ({ config, type }: Pick<ChannelDraft, "config" | "type">): Recipient | undefined => {
        const kind = kinds.get(type)
        return kind === undefined ? undefined : recipientOf(kind, config)
      }

      const confirmationOf = ({ confirmation }: StoredChannel): Confirmation =>
        confirmation === "pending" && !policy.confirm ? "not_needed" : confirmation

      const admitPhone = Effect.fnUntraced(function* (projectId: ProjectId, kind: Channel, draft: ChannelDraft) {
        const { field } = kind.recipient!
        const objection = yield* PhoneNumbers.objectionTo(String(draft.config[field]), policy.phonePrefixes)
        if (objection !== undefined)
          return yield* new InvalidFields({ errors: [{ path: `config.${field}`, message: objection }] })
        const owner = sells && !phonesOnFreePlans ? yield* confirmations.ownerOf(projectId) : undefined
        if (owner === undefined) return
        const { id, name, priceMinor } = yield* plans.inForce(owner)
        if (priceMinor > 0) return
        return yield* new PlanLimitReached({
          limited: "phoneNumbers",
          limit: 0,
          current: 1,
          planId: id,
          planName: name
        })
      })

      const admit: Recipients["Service"]["admit"] = Effect.fn("Recipients.admit")(
        function* (projectId, draft, current) {
          const recipient = recipientIn(draft)
          const before = current === undefined ? undefined : recipientIn(current)
          if (current !== undefined && current.type === draft.type && recipient?.address === before?.address)
            return draft
          if (recipient?.kind === "phone") yield* admitPhone(projectId, kinds.get(draft.type)!, draft)
          if (recipient === undefined || !policy.confirm) return { ...draft, confirmation: "not_needed" as const }
          const owner = yield* confirmations.ownerOf(projectId)
          const known = owner !== undefined && (yield* confirmations.isKnown(owner, recipient))
          return { ...draft, confirmation: known ? ("confirmed" as const) : ("pending" as const) }
        }
      )

      /** Takes one of each allowance, or fails with the time to wait. */
      const takeAll = Effect.fnUntraced(function* (what: string, claims: readonly [Claim, ...ReadonlyArray<Claim>]) {
        const taken = yield* allowances.take(claims)
        if (taken._tag === "Allowed") return
        const wait = (taken.nextAt - (yield* Clock.currentTimeMillis)) / 1000
        const { limit } = taken.exhausted.rate
        return yield* new Problem({
          code: "rate_limited",
          detail: `More than ${limit} ${what} ${taken.exhausted.rate.periodMillis === dayMillis ? "a day" : "an hour"}; wait ${Math.ceil(wait)} s`,
          retryAfter: wait
        })
      })

      const accountOf = (projectId: ProjectId) =>
        Effect.map(confirmations.accountOf(projectId), (account) => account ?? projectId)

      const invite: Recipients["Service"]["invite"] = Effect.fn("Recipients.invite")(function* (channel) {
        if (confirmationOf(channel) !== "pending")
          return yield* new Problem({ code: "conflict", detail: "This channel's recipient needs no confirmation" })
        if (!runner.isSetUp(channel.type))
          return yield* new Problem({
            code: "delivery_failed",
            detail: `The operator has not set up channels of type ${channel.type} yet, so no code can be sent`
          })
        const account = yield* accountOf(channel.projectId)
        const recipient = recipientIn(channel)!
        const [first, ...others] = codesOfAccount[recipient.kind].map((rate) => ({
          key: `codes:${account}:${recipient.kind}:${rate.periodMillis}`,
          rate
        }))
        yield* takeAll("confirmation codes", [first!, ...others])
        const code = String(randomInt(1_000_000)).padStart(6, "0")
        const id = `msg_${(yield* random.ulid).toLowerCase()}`
        const message =
          recipient.kind === "email" ? invitation(id, code, channel.id, baseUrl) : shortInvitation(id, code)
        yield* Effect.mapError(messages.send(channel, message), ({ reason }) =>
          reason._tag === "Throttled"
            ? new Problem({ code: "rate_limited", detail: reason.detail, retryAfter: reason.retryAfter ?? 60 })
            : new Problem({ code: "delivery_failed", detail: reason.detail })
        )
        // After sending: a code that could not be sent must not replace one that was.
        yield* confirmations.keepCode(channel.id, recipient, code)
      })

      const inviteNew: Recipients["Service"]["inviteNew"] = Effect.fnUntraced(function* (channel, before) {
        const isNew = before === undefined || recipientIn(before)?.address !== recipientIn(channel)?.address
        if (!isNew || confirmationOf(channel) !== "pending") return channel
        const sent = yield* Effect.result(invite(channel))
        if (sent._tag === "Success") return channel
        const detail = `The confirmation code could not be sent: ${sent.failure.detail}`
        const failed: LastDelivery = { at: yield* Clock.currentTimeMillis, status: "failed", detail }
        yield* channels.noteDelivery(channel.id, failed)
        return { ...channel, lastDelivery: failed }
      })

      const confirm: Recipients["Service"]["confirm"] = Effect.fn("Recipients.confirm")(function* (channelId, code) {
        const entered = yield* confirmations.enter(channelId, recipientIn, code)
        if (entered._tag === "Confirmed") return
        if (entered._tag === "Wrong" && entered.guessesLeft > 0)
          return yield* invalid([{ path: "code", message: `The code is wrong; ${entered.guessesLeft} tries are left` }])
        return yield* new Problem({
          code: "conflict",
          detail: `No code is valid; POST ${basePath}/notification-channels/${channelId}/confirmation sends a new one`
        })
      })

      const admitTest: Recipients["Service"]["admitTest"] = Effect.fn("Recipients.admitTest")(function* (channel) {
        const recipient = recipientIn(channel)
        if (recipient === undefined) return
        if (confirmationOf(channel) === "pending")
          return yield* new Problem({ code: "conflict", detail: unconfirmed(channel.id) })
        const account = yield* accountOf(channel.projectId)
        yield* takeAll(`tests of ${channel.type} channels, or to one recipient,`, [
          { key: `tests:${account}:${channel.type}`, rate: testsOfAccount },
          { key: `tests:${confirmations.nameOf(recipient)}`, rate: testsOfRecipient }
        ])
      })

      return Recipients.of({ admit, admitTest, confirm, confirmationOf, invite, inviteNew })
    })
  )
}

const unconfirmed = (id: ChannelId): string =>
  `The recipient has not confirmed yet. Enter the code that it received with POST ${basePath}/notification-channels/${id}/confirm; ` +
  `POST ${basePath}/notification-channels/${id}/confirmation sends a new one`

/** The page on which the recipient of a mail confirms. */
export const confirmationPath = `${basePath}/public/channel-confirmations`

// Without names of projects or monitors: users choose those, and could send text to strangers through them.
const invitation = (id: string, code: string, channelId: ChannelId, baseUrl: string) => ({
  id,
  subject: "Confirm that you want monitoring notifications",
  text: [
    `This address was entered at ${new URL(baseUrl).host} to receive notifications of outages.`,
    "",
    "If you want them, open this link and press the button:",
    `${baseUrl}${confirmationPath}/${channelId}?code=${code}`,
    "",
    `Or give this code to the person who set it up: ${code}`,
    "",
    "The code is valid for 24 hours. If you did not expect this mail, ignore it: no notifications will be sent."
  ].join("\n")
})

const shortInvitation = (id: string, code: string) => ({
  id,
  subject: "Confirmation code",
  text: `Your Kanmon confirmation code is ${code}. If you did not expect it, ignore this message.`
})
