/**
 * Shared by HTTP channels: sends one request and maps the response's status to the contract's errors. 2xx is success;
 * 429 is `Throttled`; 408, 425 and 5xx are `Unreachable`; 410 is `Gone`; everything else, including redirects, is
 * `Rejected`. A channel can override this with `classify`. A response with a truncated or hanging body counts if its
 * status is enough.
 */
import { Clock, Effect, Option, Schema } from "effect"
import { type DeliveryError, gone, rejected, throttled, unreachable } from "./Channel.ts"
import type { Dialer } from "./Dialer.ts"
import * as HttpRequest from "./HttpRequest.ts"
import * as JsonText from "./JsonText.ts"
import { truncate } from "./NoticeText.ts"

export interface Delivery extends Omit<HttpRequest.Request, "limit" | "patience" | "url"> {
  /** An absolute URL with http or https. */
  readonly url: URL | string
  /** Values to redact in case the provider quotes them. */
  readonly secrets: ReadonlyArray<string>
  /** Extracts the provider's error message from the response body. Undefined: the beginning of the body is used. */
  readonly explain?: (body: string) => string | undefined
  /** Overrides the mapping above for a provider. Undefined: the mapping applies. `detail` is already redacted. */
  readonly classify?: (answer: HttpRequest.HttpResponse, detail: string) => DeliveryError | "accepted" | undefined
}

/**
 * Together shorter than the time of one delivery: a provider that has accepted a message, and hangs in the body of its answer, is
 * not sent the message again.
 */
const patience = { head: "24 seconds", body: "5 seconds" } as const

const longestRetryAfter = 24 * 3600

/** Plugins without types pass anything; the value is not repeated, since addresses are often secret. */
const addressOf = (url: unknown): URL | undefined => {
  const parsed = url instanceof URL ? url : typeof url === "string" ? URL.parse(url) : null
  return parsed !== null && ["http:", "https:"].includes(parsed.protocol) ? parsed : undefined
}

/** Sends a notice's request. Returns the accepted response. */
export const send = (delivery: Delivery): Effect.Effect<HttpRequest.HttpResponse, DeliveryError, Dialer> =>
  Effect.gen(function* () {
    const url = addressOf(delivery.url)
    if (url === undefined)
      return yield* rejected(
        "The plugin's request needs `url`: an absolute URL such as https://api.example.org/messages"
      )
    const answer = yield* HttpRequest.send({ ...delivery, url, patience }).pipe(
      Effect.catch((none) =>
        none.partial !== undefined && isSaidByStatus(none.partial)
          ? Effect.succeed(none.partial)
          : Effect.fail(ofNoAnswer(none))
      )
    )
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
    if (isTemporary(answer.status)) {
      const now = yield* Clock.currentTimeMillis
      const wait = retryAfter(answer, now)
      return yield* wait === undefined ? unreachable(detail) : throttled(detail, wait)
    }
    return yield* rejected(detail)
  })

/** Sends a POST request with a JSON body. */
export const postJson = (
  delivery: Omit<Delivery, "method" | "body"> & { readonly json: unknown }
): Effect.Effect<HttpRequest.HttpResponse, DeliveryError, Dialer> =>
  send({
    ...delivery,
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...delivery.headers },
    body: JSON.stringify(delivery.json)
  })

/** Parses a provider's JSON; undefined when it does not match the schema. */
export const reader = <S extends Schema.ConstraintDecoder<unknown>>(
  shape: S
): ((text: string) => S["Type"] | undefined) => {
  const decode = Schema.decodeUnknownOption(shape)
  return (text) => {
    const parsed = JsonText.parse(text)
    return parsed === undefined ? undefined : Option.getOrUndefined(decode(parsed))
  }
}

/** The `Retry-After` header in seconds (RFC 9110, section 10.2.3): a number or a date. */
export const retryAfter = ({ headers }: HttpRequest.HttpResponse, now: number): number | undefined => {
  const value = headers["retry-after"]?.slice(0, 64).trim()
  if (value === undefined || value === "") return undefined
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestRetryAfter) : undefined
}

/**
 * Whether the status alone says what follows, so that a message is not sent again which the provider has accepted only because the
 * body of its answer was cut. A refusal for good is asked for again.
 */
const isSaidByStatus = ({ status }: HttpRequest.HttpResponse): boolean =>
  (status >= 200 && status < 300) || status === 429 || isTemporary(status)

const isTemporary = (status: number): boolean => status === 408 || status === 425 || status >= 500

const ofNoAnswer = ({ message, reason }: HttpRequest.NoAnswer): DeliveryError =>
  // The policy and the request stay the same on a retry; a name or a certificate may be fixed.
  reason === "address_refused" || reason === "request_invalid" ? rejected(message) : unreachable(message)

const describe = (answer: HttpRequest.HttpResponse, { explain, secrets }: Delivery): string => {
  const words = explain === undefined ? undefined : attempt(() => explain(answer.body))
  // Redacted before truncation, because the beginning of a secret is secret, too.
  const said = redact(words ?? answer.body, secrets)
  const short = truncate(said.slice(0, 3000).replace(/\s+/g, " ").trim(), 300)
  return short === "" ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${short}`
}

/** An undocumented response must not cause a different failure. */
const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Replaces secrets in a text, in plain and URL-encoded form. */
export const redact = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .flatMap((secret) => (secret.length < 4 ? [] : [secret, encodeURIComponent(secret)]))
    // oxlint-disable-next-line kanmon/bounded-first -- a secret must be found as a whole; the answer has at most 64 KiB
    .reduce((left, secret) => left.replaceAll(secret, "••••"), text)
