/** Shared by text messages and calls with Twilio's REST API: settings, one form request, and errors. */
import { type DeliveryError, gone, type Receipt, rejected, throttled } from "@kanmon/core/Channel"
import type { Dialer } from "@kanmon/core/Dialer"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import type { HttpResponse } from "@kanmon/core/HttpRequest"
import { WebAddress } from "@kanmon/core/WebAddress"
import { filledText, filteredText, patternText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import type { SigningKeys } from "./Signature.ts"

const hint = "Expected a number in international form such as +4915112345678"

/** A number in E.164 form. */
export const PhoneNumber = filteredText(16, (text) => (/^\+[1-9]\d{6,14}$/.test(text) ? undefined : hint), {
  message: hint
})

export const settings = Schema.Struct({
  TWILIO_ACCOUNT_SID: Schema.optionalKey(
    patternText(34, /^AC[0-9a-fA-F]{32}$/, "Expected AC and 32 hexadecimal digits").annotate({
      description: "Account for text messages and calls"
    })
  ),
  TWILIO_AUTH_TOKEN: Schema.optionalKey(filledText(256).annotate({ description: "Auth token of the account" })),
  TWILIO_AUTH_TOKEN_PREVIOUS: Schema.optionalKey(
    filledText(256).annotate({
      description: "Auth token before it was exchanged: answers signed with it count as well"
    })
  ),
  TWILIO_SIGNATURE_KEY: Schema.optionalKey(
    filledText(256).annotate({
      description: "Secret of the SharedKey that signs answers, where a Webhooks Rule of the account has one"
    })
  ),
  TWILIO_FROM: Schema.optionalKey(
    PhoneNumber.annotate({ description: "Number that messages and calls come from, in international form" })
  ),
  TWILIO_API_BASE: Schema.optionalKey(WebAddress.annotate({ description: "URL of the API; defaults to Twilio's" }))
})
export type Settings = typeof settings.Type

export const destinations = ({ TWILIO_API_BASE }: Settings): ReadonlyArray<string> =>
  TWILIO_API_BASE === undefined ? [] : [TWILIO_API_BASE]

/** The keys by which requests of Twilio are known; undefined while it is incomplete. */
export const signingOf = (operator: Settings): (SigningKeys & { readonly sid: string }) | undefined => {
  const {
    TWILIO_ACCOUNT_SID: sid,
    TWILIO_AUTH_TOKEN: token,
    TWILIO_AUTH_TOKEN_PREVIOUS: previous,
    TWILIO_SIGNATURE_KEY: sharedKey
  } = operator
  if (sid === undefined || token === undefined) return undefined
  return { sid, tokens: previous === undefined ? [token] : [token, previous], sharedKey }
}

export interface Account {
  readonly sid: string
  readonly token: string
  readonly from: string
  readonly base: string
}

/** The operator's account; undefined while it is incomplete. */
export const accountOf = (operator: Settings): Account | undefined => {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_API_BASE: base, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from } = operator
  if (sid === undefined || token === undefined || from === undefined) return undefined
  return { sid, token, from, base: (base ?? "https://api.twilio.com").replace(/(?<!\/)\/+$/, "") }
}

/**
 * Creates a message or a call. Twilio has no idempotency key: if the connection ends after the request was written, a retry
 * may reach the person twice, which "at least once" permits.
 */
export const create = (
  account: Account,
  resource: "Messages" | "Calls",
  fields: Readonly<Record<string, string>>
): Effect.Effect<Receipt, DeliveryError, Dialer> =>
  Effect.map(posted(account, resource, { From: account.from, ...fields }), receipt)

/** Ends a call, whether it rings or speaks. One that is over is no failure. */
export const endCall = (account: Account, sid: string): Effect.Effect<void, DeliveryError, Dialer> =>
  /^CA[0-9a-f]{32}$/i.test(sid)
    ? Effect.asVoid(posted(account, `Calls/${sid}`, { Status: "completed" }, endedAlready))
    : Effect.void

const posted = (
  account: Account,
  resource: string,
  fields: Readonly<Record<string, string>>,
  classified: typeof classify | typeof endedAlready = classify
) => {
  const credentials = Buffer.from(`${account.sid}:${account.token}`).toString("base64")
  return HttpDelivery.send({
    url: new URL(`${account.base}/2010-04-01/Accounts/${account.sid}/${resource}.json`),
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      authorization: `Basic ${credentials}`
    },
    body: new URLSearchParams(fields).toString(),
    secrets: [account.token, credentials],
    explain,
    classify: classified
  })
}

/** 21220: the call is not in progress. */
const endedAlready = ({ body }: HttpResponse): "accepted" | undefined => {
  const refusal = asRefusal(body)
  return refusal._tag === "Some" && [20404, 21220].includes(refusal.value.code) ? "accepted" : undefined
}

const Created = Schema.fromJsonString(Schema.Struct({ sid: Schema.String, status: Schema.String }))
const Refusal = Schema.fromJsonString(Schema.Struct({ code: Schema.Int, message: Schema.String }))
const asCreated = Schema.decodeUnknownOption(Created)
const asRefusal = Schema.decodeUnknownOption(Refusal)

const receipt = ({ body, status }: HttpResponse): Receipt => {
  const created = asCreated(body)
  return created._tag === "None"
    ? { detail: `HTTP ${status}` }
    : { reference: created.value.sid, detail: `HTTP ${status} ${created.value.status}` }
}

const operator = "the operator has to check"

/** Advice for errors that Twilio's message does not explain. */
const advice: Readonly<Record<number, string>> = {
  20003: `${operator} TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN`,
  20404: `${operator} TWILIO_ACCOUNT_SID`,
  21210: `${operator} TWILIO_FROM`,
  21408: "the operator has to allow this country at Twilio",
  21606: `${operator} TWILIO_FROM`,
  21608: "a trial account reaches only numbers that were verified at Twilio",
  21610: "the recipient answered STOP and has to send START to get messages again",
  21614: "this is not the number of a mobile phone"
}

const explain = (body: string): string | undefined => {
  const refusal = asRefusal(body)
  if (refusal._tag === "None") return undefined
  const { code, message } = refusal.value
  const what = `${message} (Twilio error ${code})`
  return advice[code] === undefined ? what : `${what}; ${advice[code]}`
}

/** A full queue empties by one message a second. */
const fullQueue = 300

/** The recipient answered STOP: Twilio refuses every message until they send START. */
export const stopped = 21610

/** Temporary errors that Twilio sends with HTTP 400, and the one that ends all messages. */
const classify = ({ body, status }: HttpResponse, detail: string): DeliveryError | undefined => {
  const refusal = asRefusal(body)
  if (refusal._tag === "None" || status !== 400) return undefined
  if (refusal.value.code === stopped) return gone(detail)
  if (refusal.value.code === 20429) return throttled(detail)
  return refusal.value.code === 21611 ? throttled(detail, fullQueue) : undefined
}

export const notSetUp = (what: string): DeliveryError =>
  rejected(
    `${what} not configured on this server: the operator has to set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM`
  )
