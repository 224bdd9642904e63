/**
 * The recipients that channels may send to: they confirm before they receive any notification, phone numbers are within the
 * operator's countries and the account's plan, and tests are limited. All limits are counted in the database, across processes.
 */
import type { Channel } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type Recipient, type RecipientKind, RecipientPolicy, recipientsOf } from "@kanmon/core/Recipient"
import type { Rate } from "@kanmon/domain/Allowance"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { idFrom, type ChannelId, type ProjectId } from "@kanmon/domain/Ids"
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import { shortRecipient } from "@kanmon/domain/RecipientText"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { basePath } from "@kanmon/protocol/BasePath"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import {
  type ChannelDraft,
  type Confirmation,
  confirmationOfAll,
  type LastDelivery,
  type RecipientState,
  type StoredChannel
} from "./ChannelRecords.ts"
import { Channels } from "./Channels.ts"
import { Confirmations, newCode, wrongCode } from "./Confirmations.ts"
import { PaymentGateway, PlanLimitReached, Plans } from "@kanmon/identity/billing"
import { Allowances, type Claim } from "@kanmon/platform/database/Allowances"
import { AuthRecords } from "@kanmon/identity/accounts"
import { localeFor } from "@kanmon/domain/Locale"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Clock, Context, Effect, Layer, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { invitation, shortInvitation } from "./RecipientWords.ts"
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

/** A recipient as the API shows it. */
interface ListedRecipient extends RecipientState {
  readonly recipient: string
}

/** The result of a code that was entered, where it is no refusal. */
export interface Answered extends RecipientState {
  /** Whether this code confirmed the recipient. It was not looked at where the recipient waited for none. */
  readonly isNew: boolean
  /** Undefined for a channel without recipients. */
  readonly recipient: string | undefined
  /** Whether the caller named the recipient by its hash, which only links to the recipient contain. */
  readonly isOfLink: boolean
}

export class Recipients extends Context.Service<Recipients>()("@kanmon/monitoring/channels/Recipients", {
  make: Effect.gen(function* () {
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
    const records = yield* AuthRecords

    const recipientsIn = ({ config, type }: Pick<ChannelDraft, "config" | "type">): ReadonlyArray<Recipient> => {
      const kind = kinds.get(type)
      return kind === undefined ? [] : recipientsOf(kind, config)
    }

    const effective = (confirmation: Confirmation): Confirmation =>
      confirmation === "pending" && !policy.confirm ? "not_needed" : confirmation

    /** The effective confirmation: nothing is pending where the operator requires none. */
    const confirmationOf = ({ confirmation }: StoredChannel): Confirmation => effective(confirmation)

    const stateIn = (channel: StoredChannel, recipient: Recipient): RecipientState => {
      const { confirmation, confirmedAt } = confirmations.stateOf(channel, recipient)
      return { confirmation: effective(confirmation), confirmedAt }
    }

    /** The channel's recipients with their effective confirmations. */
    const listOf: (channel: StoredChannel) => ReadonlyArray<ListedRecipient> = (channel) =>
      recipientsIn(channel).map((recipient) => ({ recipient: recipient.text, ...stateIn(channel, recipient) }))

    const pendingIn = (channel: StoredChannel): ReadonlyArray<Recipient> =>
      recipientsIn(channel).filter((recipient) => stateIn(channel, recipient).confirmation === "pending")

    const admitPhone = Effect.fnUntraced(function* (projectId: ProjectId, { text }: Recipient, path: string) {
      const objection = yield* PhoneNumbers.objectionTo(text, policy.phonePrefixes)
      if (objection !== undefined) return yield* new InvalidFields({ errors: [{ path, message: objection }] })
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

    /** The draft with the confirmations of new recipients: pending, already confirmed, or not needed. */
    const admit = Effect.fn("Recipients.admit")(function* (
      projectId: ProjectId,
      draft: ChannelDraft,
      current?: StoredChannel
    ) {
      const all = recipientsIn(draft)
      const isSameType = current?.type === draft.type
      const before = new Set(isSameType ? recipientsIn(current).map(({ address }) => address) : [])
      if (isSameType && before.size === all.length && all.every(({ address }) => before.has(address))) return draft
      const owner = policy.confirm ? yield* confirmations.ownerOf(projectId) : undefined
      const at = yield* Clock.currentTimeMillis
      const stateFor = Effect.fnUntraced(function* (recipient: Recipient) {
        if (current !== undefined && before.has(recipient.address)) return confirmations.stateOf(current, recipient)
        if (recipient.kind === "phone")
          yield* admitPhone(projectId, recipient, pathOf(kinds.get(draft.type)!, draft.config, recipient))
        if (!policy.confirm) return notNeeded
        const known = owner !== undefined && (yield* confirmations.isKnown(owner, recipient))
        return known ? ({ confirmation: "confirmed", confirmedAt: at } as const) : pending
      })
      const states = yield* Effect.forEach(all, (recipient) =>
        Effect.map(stateFor(recipient), (state) => [confirmations.identityOf(recipient), state] as const)
      )
      const { confirmation } = confirmationOfAll(states.map(([, state]) => state))
      return { ...draft, confirmation, recipients: Object.fromEntries(states) }
    })

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

    const languageOf = (field: "email" | "id", value: string) =>
      Effect.map(
        records.find("user", [{ field, operator: "eq", value, connector: "AND", insensitive: field === "email" }]),
        ([user]) => user?.["locale"]
      )

    /** The language of the recipient's account, else that of the person who asks. */
    const localeOf = Effect.fnUntraced(function* ({ kind, text }: Recipient) {
      const { actor } = yield* CurrentActor
      const chosen = kind === "email" ? yield* languageOf("email", text) : undefined
      return localeFor(
        chosen ?? (actor.kind === "person" && actor.id !== null ? yield* languageOf("id", actor.id) : null)
      )
    })

    const sendCode = Effect.fnUntraced(function* (channel: StoredChannel, recipient: Recipient) {
      const account = yield* accountOf(channel.projectId)
      const [first, ...others] = codesOfAccount[recipient.kind].map((rate) => ({
        key: `codes:${account}:${recipient.kind}:${rate.periodMillis}`,
        rate
      }))
      yield* takeAll("confirmation codes", [first!, ...others])
      const code = newCode()
      const id = idFrom("msg", yield* random.ulid)
      const link = `${baseUrl}${confirmationPath}/${channel.id}?code=${code}&recipient=${confirmations.identityOf(recipient)}`
      const locale = yield* localeOf(recipient)
      const message =
        recipient.kind === "email"
          ? invitation(locale, id, { code, link, host: new URL(baseUrl).host })
          : shortInvitation(locale, id, code)
      yield* Effect.mapError(messages.send(channel, recipient, message), ({ reason }) =>
        reason._tag === "Throttled"
          ? new Problem({ code: "rate_limited", detail: reason.detail, retryAfter: reason.retryAfter ?? 60 })
          : new Problem({ code: "delivery_failed", detail: reason.detail })
      )
      // After sending: a code that could not be sent must not replace one that was.
      yield* confirmations.keepCode(channel.id, recipient, code)
    })

    /** Sends a code to each; one that cannot be sent does not stop the others. */
    const inviteAll = Effect.fnUntraced(function* (channel: StoredChannel, pending: ReadonlyArray<Recipient>) {
      if (!runner.isSetUp(channel.type))
        return yield* new Problem({
          code: "delivery_failed",
          detail: `The operator has not set up channels of type ${channel.type} yet, so no code can be sent`
        })
      const several = recipientsIn(channel).length > 1
      const failed = (yield* Effect.forEach(pending, (recipient) =>
        sendCode(channel, recipient).pipe(
          Effect.as([]),
          Effect.catch((problem) =>
            Effect.succeed([
              several ? saying(problem, `${shortRecipient(recipient.text)}: ${problem.detail}`) : problem
            ])
          )
        )
      )).flat()
      const [first, ...others] = failed
      if (first === undefined) return
      return yield* others.length === 0 ? first : saying(first, failed.map(({ detail }) => detail).join("; "))
    })

    const noteUnsent = Effect.fnUntraced(function* ({ id }: StoredChannel, { detail: reason }: Problem) {
      const detail = `The confirmation code could not be sent: ${reason}`
      const failed: LastDelivery = { at: yield* Clock.currentTimeMillis, status: "failed", detail }
      yield* channels.noteDelivery(id, failed)
      return failed
    })

    /** Sends a new code to a recipient; without one, to each that has not confirmed. */
    const invite = Effect.fn("Recipients.invite")(function* (channel: StoredChannel, wanted?: string) {
      const waiting = pendingIn(channel)
      if (wanted !== undefined && !recipientsIn(channel).some(isNamed(wanted)))
        return yield* invalid([{ path: "recipient", message: notRecipient }])
      const invited = wanted === undefined ? waiting : waiting.filter(isNamed(wanted))
      if (invited.length === 0)
        return yield* new Problem({ code: "conflict", detail: "This channel's recipient needs no confirmation" })
      const sent = yield* Effect.result(inviteAll(channel, invited))
      if (sent._tag === "Failure") {
        yield* noteUnsent(channel, sent.failure)
        return yield* sent.failure
      }
      // The result of an earlier code is outdated.
      if (channel.lastDelivery?.status === "failed")
        yield* channels.noteDelivery(channel.id, {
          at: yield* Clock.currentTimeMillis,
          status: "delivered",
          detail: "The confirmation code was sent"
        })
    })

    /** After a write: sends codes to new recipients. If that fails, the error is stored as the channel's last delivery. */
    const inviteNew = Effect.fnUntraced(function* (channel: StoredChannel, before?: StoredChannel) {
      const known = new Set(before === undefined ? [] : recipientsIn(before).map(({ address }) => address))
      const added = pendingIn(channel).filter(({ address }) => !known.has(address))
      if (added.length === 0) return channel
      const sent = yield* Effect.result(inviteAll(channel, added))
      if (sent._tag === "Success") return channel
      return { ...channel, lastDelivery: yield* noteUnsent(channel, sent.failure) }
    })

    const isNamed =
      (wanted: string) =>
      (recipient: Recipient): boolean =>
        recipient.text === wanted ||
        recipient.address === `${recipient.kind}:${normalizeEmail(wanted)}` ||
        confirmations.identityOf(recipient) === wanted

    /** Enters a code. `recipient`: its address or number, or its hash; needed where several have not confirmed. */
    const confirm = Effect.fn("Recipients.confirm")(function* (channelId: ChannelId, code: string, wanted?: string) {
      const entered = yield* confirmations.enter(
        channelId,
        recipientsIn,
        code,
        wanted === undefined ? undefined : isNamed(wanted)
      )
      if (entered._tag === "Confirmed" || entered._tag === "Settled") {
        const { recipient } = entered
        const isOfLink = recipient !== undefined && wanted === confirmations.identityOf(recipient)
        const { confirmation, confirmedAt } =
          entered._tag === "Settled"
            ? entered.state
            : { confirmation: "confirmed" as const, confirmedAt: yield* Clock.currentTimeMillis }
        return {
          isNew: entered._tag === "Confirmed",
          recipient: recipient?.text,
          isOfLink,
          confirmation: effective(confirmation),
          confirmedAt
        }
      }
      if (entered._tag === "Unclear") {
        const names = entered.pending.map(({ text }) => text).join(", ")
        return yield* invalid([{ path: "recipient", message: `Required: the code was sent to one of ${names}` }])
      }
      if (entered._tag === "Wrong" && entered.guessesLeft > 0) return yield* invalid([wrongCode(entered.guessesLeft)])
      return yield* new Problem({
        code: "conflict",
        detail: `No code is valid; POST ${basePath}/notification-channels/${channelId}/confirmation sends a new one`
      })
    })

    /**
     * The recipients that a test may be sent to now, counted; undefined for a channel without recipients. Refuses a test that
     * no recipient may get, or beyond the limit.
     */
    const admitTest = Effect.fn("Recipients.admitTest")(function* (channel: StoredChannel) {
      const all = recipientsIn(channel)
      if (all.length === 0) return undefined
      const ready = all.filter((recipient) => stateIn(channel, recipient).confirmation !== "pending")
      if (ready.length === 0) return yield* new Problem({ code: "conflict", detail: unconfirmed(channel.id) })
      const account = yield* accountOf(channel.projectId)
      const names = new Set(ready.map(confirmations.nameOf))
      yield* takeAll(`tests of ${channel.type} channels, or to one recipient,`, [
        { key: `tests:${account}:${channel.type}`, rate: testsOfAccount },
        ...[...names].map((name) => ({ key: `tests:${name}`, rate: testsOfRecipient }))
      ])
      return ready
    })

    return { admit, admitTest, confirm, confirmationOf, invite, inviteNew, listOf }
  })
}) {
  static readonly layer = Layer.effect(Recipients, Recipients.make)
}

/** The problem with another text. */
const saying = <Code extends ProblemCode>({ code, retryAfter }: Problem<Code>, detail: string): Problem<Code> =>
  new Problem({ code, detail, ...(retryAfter === undefined ? {} : { retryAfter }) })

const notNeeded = { confirmation: "not_needed", confirmedAt: null } as const
const pending = { confirmation: "pending", confirmedAt: null } as const
const notRecipient = "Expected one of the channel's recipients"

/** Where a configuration names a recipient. */
const pathOf = ({ recipient }: Channel, config: Schema.JsonObject, { text }: Recipient): string => {
  if (recipient?.more === undefined || config[recipient.field] === text) return `config.${recipient?.field}`
  const more = config[recipient.more]
  return `config.${recipient.more}[${Array.isArray(more) ? more.indexOf(text) : 0}]`
}

const unconfirmed = (id: ChannelId): string =>
  `The recipient has not confirmed yet. Enter the code that it received with POST ${basePath}/notification-channels/${id}/confirm; ` +
  `POST ${basePath}/notification-channels/${id}/confirmation sends a new one`

/** The page on which the recipient of a mail confirms. */
const confirmationPath = `${basePath}/public/channel-confirmations`
