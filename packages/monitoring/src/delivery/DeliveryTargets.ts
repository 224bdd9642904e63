/**
 * To whom a channel sends: each recipient that may get notices, by itself; channels without recipients are one target, and so are
 * contact methods.
 */
import { Catalogue } from "@kanmon/core/PluginHost"
import { configFor, type Recipient, RecipientPolicy, recipientsOf } from "@kanmon/core/Recipient"
import { Effect } from "effect"
import { Confirmations } from "../channels/index.ts"
import type { LeasedPerson, LeasedTarget } from "./TargetLeases.ts"

export interface Target {
  /**
   * Its name in the progress of deliveries; empty for a channel or contact method as a whole, which has no progress.
   */
  readonly name: string
  readonly recipient: Recipient | undefined
  /** The channel or contact method, with a configuration that names this recipient alone. */
  readonly channel: LeasedTarget
  /** Why nothing may be sent. */
  readonly refusal: string | undefined
}

export const make = Effect.gen(function* () {
  const { channels: kinds } = yield* Catalogue
  const policy = yield* RecipientPolicy
  const { stateOf } = yield* Confirmations

  const whole = (channel: LeasedTarget, refusal?: string): ReadonlyArray<Target> => [
    { name: "", recipient: undefined, channel, refusal }
  ]

  const ofPerson = (method: LeasedPerson): ReadonlyArray<Target> => {
    if (method.disabledReason !== null)
      return whole(method, `The contact method is switched off: ${method.disabledReason}`)
    if (method.confirmedAt === null) return whole(method, unconfirmedMethod)
    const kind = kinds.get(method.type)
    const [recipient] = kind === undefined ? [] : recipientsOf(kind, method.config)
    return [{ name: "", recipient, channel: method, refusal: undefined }]
  }

  /** At least one. A recipient that has not confirmed is none, so that it keeps no delivery to the others from its end. */
  return (channel: LeasedTarget): ReadonlyArray<Target> => {
    if (channel.kind === "contactMethod") return ofPerson(channel)
    if (channel.disabledReason !== null) return whole(channel, `The channel is switched off: ${channel.disabledReason}`)
    const kind = kinds.get(channel.type)
    const all = kind === undefined ? [] : recipientsOf(kind, channel.config)
    if (kind === undefined || all.length === 0) return whole(channel)
    const ready = all.filter((one) => !policy.confirm || stateOf(channel, one).confirmation !== "pending")
    if (ready.length === 0) return whole(channel, unconfirmed)
    return ready.map((recipient) => ({
      name: recipient.address,
      recipient,
      channel: { ...channel, config: configFor(kind, channel.config, recipient) },
      refusal: undefined
    }))
  }
})

const unconfirmed = "Not sent: the recipient has not confirmed that it wants notifications"
const unconfirmedMethod = "Not sent: the person has not confirmed this contact method"
