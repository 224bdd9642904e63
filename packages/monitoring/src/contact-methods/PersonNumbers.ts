/**
 * The phone numbers that people may have as contact methods: those of the operator's countries, else of the country
 * that sends.
 */
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { Effect } from "effect"
import { PhoneNumbers } from "../channels/index.ts"

const setting = "KANMON_PHONE_COUNTRIES"

export const make = Effect.gen(function* () {
  const policy = yield* RecipientPolicy
  const runner = yield* ChannelRunner

  /** The prefixes that are allowed for a type; without a sender the same as for channels. */
  const allowedFor = Effect.fnUntraced(function* (type: string) {
    const { personPrefixes = [], phonePrefixes } = policy
    if (personPrefixes.length > 0) return personPrefixes
    const sender = runner.senderOf(type)
    const own = sender === undefined ? undefined : yield* PhoneNumbers.prefixOf(sender)
    return own === undefined ? phonePrefixes : [own]
  })

  /** Why a person may not have this number for this type; undefined when they may. */
  return Effect.fn("PersonNumbers.objectionTo")(function* (type: string, number: string) {
    return yield* PhoneNumbers.objectionTo(number, yield* allowedFor(type), setting)
  })
})
