/* oxlint-disable no-restricted-globals -- the one place that calls fetch */
/** Requests to the API with the session's cookie. Routes, bodies and answers have the types of the contract. */
import { external } from "../browser/external.ts"
import { rootPath } from "../browser/place.ts"
import { t } from "../locales/text.ts"
import { isPast } from "../browser/now.ts"
import { type Input, type Message, messageOf } from "./message.ts"
import { ApiError } from "./problem.ts"
import { errorOf } from "./refusal.ts"
import { askForProof } from "./proof.ts"
import type { Answer, Route } from "./routes.ts"

const basePath = `${rootPath}/api/v1`

/** Nothing needs to be given where a route has no parameters and no body. */
type Given<R extends Route> = object extends Input<R> ? [input?: Input<R>] : [input: Input<R>]

/** Characters that browsers send on after the page is gone: they allow 64 KiB in all, and a character takes up to 3 bytes. */
const sentAlways = 16_384

const maxWaits = 2
const longestWait = 60

const ended = external()
const renewed = external()
const changed = external()

/** Calls the listener when a request finds that the session has ended. */
export const onSessionEnd = ended.subscribe

/** Calls the listener when somebody has signed in again in this tab. */
export const onSessionRenewed = renewed.subscribe

/** The visitor has signed in again. */
export const sessionRenewed = renewed.announce

/** Calls the listener after a request that may have changed something. */
export const onChange = changed.subscribe

const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(new DOMException("Aborted", "AbortError"))
    })
  })

const transmit = async ({
  accept = "application/json",
  body,
  file,
  idempotencyKey,
  method,
  path,
  project,
  signal
}: Message): Promise<Response> => {
  const content = file ?? (body === undefined ? undefined : JSON.stringify(body))
  try {
    return await fetch(`${basePath}${path}`, {
      method,
      headers: {
        accept,
        ...(content === undefined
          ? {}
          : { "content-type": file === undefined ? "application/json" : "application/octet-stream" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...project
      },
      ...(content === undefined ? {} : { body: content }),
      // The shown change must be sent even if the page is left immediately.
      keepalive: method !== "GET" && !(content instanceof Blob) && (content?.length ?? 0) <= sentAlways,
      signal: signal ?? null
    })
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    throw new ApiError({
      status: 0,
      code: "offline",
      detail: t("Kanmon cannot be reached. Check your connection and try again.")
    })
  }
}

/** The response of a success, or that nothing has changed. A refusal for too many requests waits and tries again, and one for want of a recent proof asks for it; an ended session is announced. */
export const deliver = async (message: Message): Promise<Response> => {
  if (isPast() && message.method !== "GET" && !message.path.startsWith("/auth/"))
    throw new ApiError({
      status: 0,
      code: "past",
      detail: t("This page shows the past, where nothing can be changed. Go back to now first.")
    })
  let hasAsked = false
  for (let waits = 0; ;) {
    const response = await transmit(message)
    if (response.ok || response.status === 304) {
      if (message.method !== "GET") changed.announce()
      return response
    }
    const error = await errorOf(response)
    if (error.status === 429 && waits < maxWaits && (error.retryAfter ?? longestWait + 1) <= longestWait) {
      waits++
      await pause(error.retryAfter!, message.signal)
      continue
    }
    if (error.code === "proof_required" && !hasAsked) {
      hasAsked = true
      if (await askForProof()) continue
    }
    if (error.status === 401 && !message.path.startsWith("/auth/")) ended.announce()
    throw error
  }
}

/** The response with any status. Fails with status 0 if there is none. */
export const send = <R extends Route>(route: R, ...[input]: Given<R>): Promise<Response> =>
  transmit(messageOf(route, input))

/** The response of a success, for what is not read as JSON. */
export const call = <R extends Route>(route: R, ...[input]: Given<R>): Promise<Response> =>
  deliver(messageOf(route, input))

/** The body of a success. */
export const request = async <R extends Route>(route: R, ...[input]: Given<R>): Promise<Answer<R>> =>
  (await deliver(messageOf(route, input))).json() as Promise<Answer<R>>
