/** Messages to contact methods besides pages: codes and tests, within their own budget. */
import { type DeliveryError, type Message, type Receipt, rejected } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { idFrom, type ContactMethodId, type UserId } from "@kanmon/domain/Ids"
import { localeFor } from "@kanmon/domain/Locale"
import { AuthRecords } from "@kanmon/identity/accounts"
import { withShortRecipients } from "@kanmon/domain/RecipientText"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { basePath } from "@kanmon/protocol/BasePath"
import { Problem } from "@kanmon/protocol/Problem"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Allowances, type Claim } from "@kanmon/platform/database/Allowances"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { networkOf } from "@kanmon/platform/http/RequestInfo"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { type LastDelivery, newCode } from "../channels/index.ts"
import { inWords, numberClaim, pageTestClaims, type Sent, toldClaims } from "./ContactMethodBudgets.ts"
import * as ContactMethodKinds from "./ContactMethodKinds.ts"
import { invitation, testMessage } from "./ContactMethodWords.ts"
import { type ContactMethod, isReady, type StoredContactMethod } from "./ContactMethodRecords.ts"
import { ContactMethods } from "./ContactMethods.ts"
import * as PersonNumbers from "./PersonNumbers.ts"

/** How long a code is valid. */
const codeMillis = dayMillis

export const make = Effect.gen(function* () {
  const methods = yield* ContactMethods
  const { named: kindsOf, recipientOf } = yield* ContactMethodKinds.make
  const runner = yield* ChannelRunner
  const allowances = yield* Allowances
  const { baseUrl } = yield* ApiSettings
  const random = yield* SecureRandom.SecureRandom
  const objectionTo = yield* PersonNumbers.make
  const records = yield* AuthRecords

  const sentTo = Effect.fnUntraced(function* (method: ContactMethod) {
    const { address } = yield* CurrentActor
    return {
      userId: method.userId,
      destination: method.destination ?? method.id,
      kind: recipientOf(method)?.kind,
      network: address === null ? undefined : methods.countedAs(networkOf(address))
    } satisfies Sent
  })

  const exhausted = Effect.fnUntraced(function* (claim: Claim, nextAt: number) {
    const wait = (nextAt - (yield* Clock.currentTimeMillis)) / 1000
    const detail = `More than ${inWords(claim)}; wait ${Math.ceil(wait)} s`
    return yield* new Problem({ code: "rate_limited", detail, retryAfter: wait })
  })

  const takeAll = Effect.fnUntraced(function* (claims: readonly [Claim, ...ReadonlyArray<Claim>]) {
    const told = yield* allowances.take(claims)
    if (told._tag === "Exhausted") return yield* exhausted(told.exhausted, told.nextAt)
  })
  const take = (sent: Sent) => takeAll(toldClaims(sent))

  /** Takes what a test of all pages to these methods of a person uses up. */
  const takePageTest = Effect.fn("ContactMethodMessages.takePageTest")(function* (
    userId: UserId,
    ids: ReadonlyArray<ContactMethodId>
  ) {
    const all: ReadonlyArray<StoredContactMethod> = yield* methods.list(userId)
    const tested = all.filter(({ id }) => ids.includes(id)).map(kindsOf)
    const { address } = yield* CurrentActor
    const network = address === null ? undefined : methods.countedAs(networkOf(address))
    yield* takeAll(
      pageTestClaims(
        userId,
        tested.flatMap((method) => recipientOf(method)?.kind ?? []),
        network
      )
    )
  })

  /** Sends one message to a method. Its detail masks recipients. */
  const send = Effect.fnUntraced(function* (method: ContactMethod, message: Message) {
    const recipient = recipientOf(method)
    const objection = recipient?.kind === "phone" ? yield* objectionTo(method.type, recipient.text) : undefined
    const sending: Effect.Effect<Receipt, DeliveryError> =
      objection !== undefined
        ? rejected(objection)
        : runner.isSetUp(method.type)
          ? runner.message({ type: method.type, config: method.config }, message)
          : rejected(`The operator has not set up messages of type ${method.type} yet`)
    const named = (text: string) => withShortRecipients(text, recipient === undefined ? [] : [recipient.text])
    return yield* sending.pipe(
      Effect.map(({ detail }) => named(detail)),
      Effect.mapError(({ message: detail }) => new Problem({ code: "delivery_failed", detail: named(detail) }))
    )
  })

  /** The language of the owner. */
  const localeOf = ({ userId }: ContactMethod) =>
    Effect.map(
      records.find("user", [{ field: "id", operator: "eq", value: userId, connector: "AND", insensitive: false }]),
      ([user]) => localeFor(user?.["locale"])
    )

  const newId = Effect.map(random.ulid, (ulid) => idFrom("msg", ulid))

  /**
   * Sends a new code. Where a number gets too many from others, none is sent and the answer is the same: it says nothing about
   * who else has entered it.
   */
  const sendCode = Effect.fn("ContactMethodMessages.sendCode")(function* (method: ContactMethod) {
    if (isReady(method) || method.isAccount)
      return yield* new Problem({ code: "conflict", detail: "This contact method needs no confirmation" })
    const sent = yield* sentTo(method)
    yield* take(sent)
    if ((yield* allowances.take(numberClaim(sent)))._tag === "Exhausted") return
    const code = newCode()
    yield* send(method, invitation(yield* localeOf(method), yield* newId, code))
    // After sending: a code that could not be sent must not replace one that was.
    const at = yield* Clock.currentTimeMillis
    yield* methods.keepCode(method, code, at + codeMillis)
    // The result of an earlier code is outdated.
    if (method.lastDelivery?.status === "failed")
      yield* methods.noteDelivery(method.id, { at, status: "delivered", detail: "The confirmation code was sent" })
  })

  /** After a write: sends a code. If that fails, the error is kept as the method's last delivery. */
  const invite = Effect.fn("ContactMethodMessages.invite")(function* (method: ContactMethod) {
    const result = yield* Effect.result(sendCode(method))
    if (result._tag === "Success") return method
    const detail = `The confirmation code could not be sent: ${result.failure.detail}`
    const lastDelivery: LastDelivery = { at: yield* Clock.currentTimeMillis, status: "failed", detail }
    yield* methods.noteDelivery(method.id, lastDelivery)
    return { ...method, lastDelivery }
  })

  /** Sends a test to a method that is confirmed, and keeps the result. */
  const sendTest = Effect.fn("ContactMethodMessages.sendTest")(function* (method: ContactMethod) {
    if (!isReady(method)) return yield* new Problem({ code: "conflict", detail: notReady(method) })
    const sent = yield* sentTo(method)
    yield* take(sent)
    const number = yield* allowances.take(numberClaim(sent))
    // The person has confirmed the method before testing it.
    if (number._tag === "Exhausted") return yield* exhausted(toldClaims(sent)[1]!, number.nextAt)
    const at = yield* Clock.currentTimeMillis
    const { host } = new URL(baseUrl)
    const result = yield* Effect.result(send(method, testMessage(yield* localeOf(method), yield* newId, host)))
    if (result._tag === "Failure") {
      yield* methods.noteDelivery(method.id, { at, status: "failed", detail: result.failure.detail })
      return yield* result.failure
    }
    yield* methods.noteDelivery(method.id, { at, status: "delivered", detail: result.success })
    return { delivered: true as const, detail: result.success, at }
  })

  return { sendCode, invite, sendTest, takePageTest }
})

const notReady = ({ confirmedAt, disabledReason, id, isAccount }: ContactMethod): string =>
  confirmedAt !== null
    ? `The contact method is switched off: ${disabledReason}`
    : isAccount
      ? "The e-mail address of the account is not verified yet"
      : `The contact method is not confirmed yet. Enter the code that was sent there with POST ${basePath}/account/contact-methods/${id}/confirm; ` +
        `POST ${basePath}/account/contact-methods/${id}/confirmation sends a new one`
