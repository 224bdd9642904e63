/**
 * Codes with which recipients of channels agree to receive notifications, and the recipients that have agreed. Codes and
 * recipients are stored as keyed hashes; a code is valid for a day and for five guesses.
 */
import { randomInt } from "node:crypto"
import type { Recipient } from "@kanmon/core/Recipient"
import { counted } from "@kanmon/domain/Counted"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import type { ChannelId, OrganizationId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { Projects } from "@kanmon/identity/projects"
import { confirmationOfAll, type RecipientState, type StoredChannel } from "./ChannelRecords.ts"
import { ChannelRepository } from "./ChannelRepository.ts"
import { ConfirmationRepository } from "./ConfirmationRepository.ts"

const codeMillis = dayMillis
/** A new code: six digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0")

/** The error for a wrong code while guesses are left, for the field of the code. */
export const wrongCode = (guessesLeft: number): FieldError => ({
  path: "code",
  message: `The code is wrong; ${counted(guessesLeft, "try", "tries")} ${guessesLeft === 1 ? "is" : "are"} left`
})

/** Guesses at one code. */
const maxGuesses = 5

/**
 * The result of entering a code. `Settled`: the recipient waited for none, and the code was not looked at. `None`: no code is valid any
 * more. `Unclear`: several recipients wait for codes.
 */
type Entered =
  | { readonly _tag: "Confirmed"; readonly recipient: Recipient }
  | { readonly _tag: "Settled"; readonly recipient: Recipient | undefined; readonly state: RecipientState }
  | { readonly _tag: "Wrong"; readonly guessesLeft: number }
  | { readonly _tag: "None" }
  | { readonly _tag: "Unclear"; readonly pending: ReadonlyArray<Recipient> }

export class Confirmations extends Context.Service<Confirmations>()("@kanmon/monitoring/channels/Confirmations", {
  make: Effect.gen(function* () {
    const repository = yield* ConfirmationRepository
    const channels = yield* ChannelRepository
    const { ownerOf } = yield* Projects
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    /** The hash by which channels, codes and links name a recipient. */
    const hashOf = ({ address }: Recipient) => secrets.digest(`recipient:${address}`)
    /** The hash of what is counted. */
    const countedAs = (text: string) => secrets.digest(`counted:${text}`)
    const codeOf = (channelId: ChannelId, { address }: Recipient, code: string) =>
      secrets.digest(`confirmation:${channelId}:${code}:${address}`)

    /** Whether the recipient has already confirmed for this organization, or is the verified e-mail address of one of its members. */
    const isKnown = Effect.fn("Confirmations.isKnown")((organizationId: OrganizationId, recipient: Recipient) =>
      repository.isConfirmed(organizationId, hashOf(recipient), recipient.address)
    )

    /** Stores the code that was sent to a recipient, in place of an older one. */
    const keepCode = Effect.fn("Confirmations.keepCode")(function* (
      channelId: ChannelId,
      recipient: Recipient,
      code: string
    ) {
      const expiresAt = (yield* Clock.currentTimeMillis) + codeMillis
      yield* repository.saveCode(channelId, hashOf(recipient), codeOf(channelId, recipient, code), expiresAt)
    })

    /** Whether a recipient of the channel has confirmed. */
    const stateOf = (
      { confirmation, confirmedAt, recipients }: Pick<StoredChannel, keyof RecipientState | "recipients">,
      recipient: Recipient
    ) => recipients[hashOf(recipient)] ?? { confirmation, confirmedAt }

    /**
     * Enters a code for the recipient of the channel that fits `isMeant`, which only one that waits needs. Concurrent guesses
     * count one by one. The right code confirms the recipient for the channel and for the organization; one that is not
     * pending stays as it is.
     */
    const enter: (
      channelId: ChannelId,
      recipientsIn: (channel: StoredChannel) => ReadonlyArray<Recipient>,
      code: string,
      isMeant?: (recipient: Recipient) => boolean
    ) => Effect.Effect<Entered> = Effect.fn("Confirmations.enter")(function* (
      channelId,
      recipientsIn,
      code,
      isMeant = () => true
    ): Effect.fn.Return<Entered> {
      const at = yield* Clock.currentTimeMillis
      // Locked, so that the recipients cannot change between the guess and its confirmation.
      const channel = yield* channels.lockAny(channelId)
      if (channel === undefined) return { _tag: "None" }
      const all = recipientsIn(channel)
      const meant = all.filter(isMeant)
      const pending = meant.filter((recipient) => stateOf(channel, recipient).confirmation === "pending")
      const [recipient] = pending
      if (pending.length > 1) return { _tag: "Unclear", pending }
      if (recipient === undefined) {
        if (meant.length === 0 && all.length > 0) return { _tag: "None" }
        const [settled] = meant
        return {
          _tag: "Settled",
          recipient: settled,
          state: settled === undefined ? channel : stateOf(channel, settled)
        }
      }
      const guess = yield* repository.countGuess(channelId, hashOf(recipient), maxGuesses, at)
      if (guess === undefined) return { _tag: "None" }
      if (guess.code !== codeOf(channelId, recipient, code))
        return { _tag: "Wrong", guessesLeft: maxGuesses - guess.attempts }
      yield* repository.deleteCode(channelId, hashOf(recipient))
      const states = Object.fromEntries(all.map((one) => [hashOf(one), stateOf(channel, one)]))
      const recipients = { ...states, [hashOf(recipient)]: { confirmation: "confirmed", confirmedAt: at } as const }
      const whole = confirmationOfAll(Object.values(recipients))
      yield* channels.setConfirmations(channelId, whole, recipients)
      yield* repository.confirmRecipient(channelId, hashOf(recipient), at)
      yield* audit.record([{ ...confirmed(channel), ...(yield* byRecipient) }])
      return { _tag: "Confirmed", recipient }
    }, transaction.run)

    return {
      /** The organization that owns the project; undefined when there is no such project. */
      ownerOf,
      /**
       * The account that owns the organization of the project; the first of several owners. Several organizations of one
       * account count together.
       */
      accountOf: repository.accountOf,
      isKnown,
      keepCode,
      stateOf,
      identityOf: hashOf,
      enter,
      /** Whether the recipient is the verified address of an account. */
      isVerified: ({ address }: Recipient) => repository.isVerified(address),
      /** The hash by which messages to a recipient are counted, variants of a mailbox together. */
      nameOf: ({ counted }: Recipient) => countedAs(counted),
      countedAs
    }
  })
}) {
  static readonly layer = Layer.effect(Confirmations, Confirmations.make)
}

const confirmed = ({ id, name, projectId }: StoredChannel): AuditedChange => ({
  action: "channel.confirmed",
  target: { id, name },
  projectId,
  before: { confirmation: "pending" },
  after: { confirmation: "confirmed" }
})

/** The confirmation page of a mail has no session. */
const byRecipient: Effect.Effect<Pick<AuditedChange, "actor">> = Effect.map(CurrentActor, ({ actor }) =>
  actor.kind === "system" ? { actor: { kind: "person", id: null, name: "The recipient" } } : {}
)
