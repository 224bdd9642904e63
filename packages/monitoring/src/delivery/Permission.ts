/**
 * Whether a notice may be sent to a recipient now: its number is within the operator's countries, and a channel's recipient is within
 * its rate. Alerts above the rate are not dropped: they wait, and only those of outages that end meanwhile are
 * never sent.
 */
import { type Recipient, type RecipientKind, RecipientPolicy } from "@kanmon/core/Recipient"
import { localClock } from "@kanmon/domain/TimeZone"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Confirmations, PhoneNumbers } from "../channels/index.ts"
import { PersonNumbers } from "../contact-methods/index.ts"
import type { Target } from "./DeliveryTargets.ts"
import type { LeasedTarget } from "./TargetLeases.ts"
import { Allowances, type Claim } from "@kanmon/platform/database/Allowances"
import { Clock, Effect } from "effect"

export type Permission =
  /** `note` precedes the text when this is the last message for a while. */
  | { readonly _tag: "Send"; readonly note: string | undefined }
  | { readonly _tag: "Refuse"; readonly detail: string }
  | { readonly _tag: "Hold"; readonly until: EpochMillis; readonly detail: string }

const settings: Readonly<Record<RecipientKind, string>> = {
  email: "KANMON_EMAILS_PER_HOUR",
  phone: "KANMON_SMS_PER_HOUR"
}

/** The rate of all recipients of an account, as a multiple of one recipient's. Without it, adding numbers would add messages. */
const accountFactor = 10

const send: Permission = { _tag: "Send", note: undefined }

export const make = Effect.gen(function* () {
  const policy = yield* RecipientPolicy
  const confirmations = yield* Confirmations
  const allowances = yield* Allowances
  const objectionTo = yield* PersonNumbers.make

  const counted = Effect.fnUntraced(function* (
    channel: Extract<LeasedTarget, { readonly kind: "channel" }>,
    recipient: Recipient,
    zone: string
  ) {
    const limit = policy.perHour[recipient.kind]
    // By the account, so that further organizations of it add no messages.
    const owner = (yield* confirmations.accountOf(channel.projectId)) ?? channel.projectId
    const periodMillis = dayMillis / 24
    const one: Claim = { key: `alerts:${owner}:${confirmations.nameOf(recipient)}`, rate: { limit, periodMillis } }
    const all: Claim = {
      key: `alerts:${owner}:${recipient.kind}`,
      rate: { limit: limit * accountFactor, periodMillis }
    }
    const taken = yield* allowances.take([one, all])
    if (taken._tag === "Exhausted") {
      const subject =
        taken.exhausted === one ? "this recipient gets" : "all such recipients of the account together get"
      const { limit } = taken.exhausted.rate
      return {
        _tag: "Hold",
        until: taken.nextAt,
        detail: `Held until ${localClock(taken.nextAt, undefined)}: ${subject} at most ${limit} messages an hour (${settings[recipient.kind]})`
      } as const
    }
    const last = taken.nextAt > (yield* Clock.currentTimeMillis)
    return {
      _tag: "Send",
      note: last ? `Too many messages: the next one comes at ${localClock(taken.nextAt, zone)} or later.` : undefined
    } as const
  })

  /** The permission for one attempt, which is counted. Its note has times in the reader's zone. */
  return Effect.fn("Permission.of")(function* ({ channel, recipient, refusal }: Target, zone: string) {
    if (refusal !== undefined) return { _tag: "Refuse", detail: refusal } as const
    if (recipient === undefined) return send
    if (channel.kind === "contactMethod") {
      // Not counted: a rate never blocks the methods that a person chose to be woken by.
      const refused = recipient.kind === "phone" ? yield* objectionTo(channel.type, recipient.text) : undefined
      return refused === undefined ? send : ({ _tag: "Refuse", detail: `Not sent: ${refused}` } as const)
    }
    const objection =
      recipient.kind === "phone" ? yield* PhoneNumbers.objectionTo(recipient.text, policy.phonePrefixes) : undefined
    if (objection !== undefined) return { _tag: "Refuse", detail: `Not sent: ${objection}` } as const
    return yield* counted(channel, recipient, zone)
  })
})
