/**
 * The part that channels over HTTP share: one request, and an answer sorted into the contract's errors by its status.
 * 2xx is success; 429 is `Throttled`; 408, 425 and 5xx are `Unreachable`; 410 is `Gone`; everything else, redirects
 * included, is `Rejected`. A channel whose provider says it otherwise sorts with its own `classify` first.
 */
import { Clock, Effect, Option, Schema } from "effect"
import { type DeliveryError, gone, rejected, throttled, unreachable } from "./Channel.ts"
import type { Dialer } from "./Dialer.ts"
import * as HttpRequest from "./HttpRequest.ts"
import { truncate } from "./NoticeText.ts"

export interface Delivery extends Omit<HttpRequest.Request, "limit"> {
  /** Values that must not be told, should the provider quote them. */
  readonly secrets: ReadonlyArray<string>
  /** The provider's own words out of its answer's body, for people. Undefined: the beginning of the body. */
  readonly explain?: (body: string) => string | undefined
  /** Where the provider differs from the rule above. Undefined: the rule decides. `detail` is ready to be shown. */
  readonly classify?: (answer: HttpRequest.Answer, detail: string) => DeliveryError | "accepted" | undefined
}

const longestRetryAfter = 24 * 3600

/** Sends a notice's request. The result is an accepted answer. */
export const send = (delivery: Delivery): Effect.Effect<HttpRequest.Answer, DeliveryError, Dialer> =>
  Effect.gen(function* () {
    const answer = yield* HttpRequest.send(delivery).pipe(Effect.mapError(ofNoAnswer))
    const detail = describe(answer, delivery)
    const own = delivery.classify?.(answer, detail)
    if (own === "accepted") return answer
    if (own !== undefined) return yield* own
    if (answer.status >= 200 && answer.status < 300) return answer
    if (answer.status === 429) {
      const now = yield* Clock.currentTimeMillis
      return yield* throttled(detail, retryAfter(answer, now))
    }
    if (answer.status === 410) return yield* gone(detail)
    if (answer.status === 408 || answer.status === 425 || answer.status >= 500) {
      const now = yield* Clock.currentTimeMillis
      const wait = retryAfter(answer, now)
      return yield* wait === undefined ? unreachable(detail) : throttled(detail, wait)
    }
    return yield* rejected(detail)
  })

/** POSTs JSON. */
export const postJson = (
  delivery: Omit<Delivery, "method" | "body"> & { readonly json: unknown }
): Effect.Effect<HttpRequest.Answer, DeliveryError, Dialer> =>
  send({
    ...delivery,
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...delivery.headers },
    body: JSON.stringify(delivery.json)
  })

/** Reads a provider's JSON: undefined when it has another shape, or is none. */
export const reader = <S extends Schema.ConstraintDecoder<unknown>>(
  shape: S
): ((text: string) => S["Type"] | undefined) => {
  const decode = Schema.decodeUnknownOption(shape)
  return (text) => {
    const parsed = attempt(() => JSON.parse(text) as unknown)
    return parsed === undefined ? undefined : Option.getOrUndefined(decode(parsed))
  }
}

/** Seconds of a `Retry-After` header (RFC 9110, section 10.2.3): a number or a date. */
export const retryAfter = ({ headers }: HttpRequest.Answer, now: number): number | undefined => {
  const value = headers["retry-after"]?.trim()
  if (value === undefined || value === "") return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestRetryAfter) : undefined
}

const ofNoAnswer = ({ message, reason }: HttpRequest.NoAnswer): DeliveryError =>
  // The policy and the request itself say the same again; a name or a certificate may be mended.
  reason === "address_refused" || reason === "request_invalid" ? rejected(message) : unreachable(message)

const describe = (answer: HttpRequest.Answer, { explain, secrets }: Delivery): string => {
  const words = explain === undefined ? undefined : attempt(() => explain(answer.body))
  // Before it is cut: the beginning of a secret is a secret, too.
  const said = redact(words ?? answer.body, secrets)
  const short = truncate(said.replace(/\s+/g, " ").trim(), 300)
  return short === "" ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${short}`
}

/** A provider that answers with something else than it documents is no reason to fail in another way. */
const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Takes secrets out of a text: themselves and as a URL would carry them. */
export const redact = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .flatMap((secret) => (secret.length < 4 ? [] : [secret, encodeURIComponent(secret)]))
    .reduce((left, secret) => left.replaceAll(secret, "••••"), text)
