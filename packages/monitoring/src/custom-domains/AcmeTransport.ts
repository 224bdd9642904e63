/**
 * The HTTP adapter for acme-client: one attempt with a time limit, optional private roots, and typed errors. acme-client's
 * own adapter would wait for any `Retry-After`, however long, and lose the error type.
 */
import * as http from "node:http"
import * as https from "node:https"
import { getCACertificates } from "node:tls"
import { oneLine, truncate } from "@kanmon/core/NoticeText"
import type * as acme from "acme-client"
import { AcmeFailed, reasonOf } from "./AcmeFailed.ts"

type Adapter = Extract<NonNullable<(typeof acme.axios)["defaults"]["adapter"]>, (...args: never) => unknown>

const patienceMillis = 20_000
/** Certificate chains have some kilobytes. */
const answerLimit = 1024 * 1024
/** Longer than any limit of a real authority. */
const longestRetryAfter = 7 * 86_400

/** `ca`: PEM of additional roots to trust. */
export const make = (ca: string | undefined): Adapter => {
  const agent = new https.Agent(ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] })
  return async (config) => {
    const url = new URL(config.url!)
    const answer = await ask(url, {
      method: config.method!.toUpperCase(),
      headers: { ...(config.headers.toJSON() as http.OutgoingHttpHeaders), "user-agent": "Kanmon" },
      body: typeof config.data === "string" ? config.data : "",
      agent: url.protocol === "https:" ? agent : undefined
    })
    if (answer.status >= 400) {
      const failure = failureOf(answer)
      // acme-client tries such a request again with a new nonce.
      if (failure.reason !== "badNonce") throw failure
    }
    return { data: answer.body, status: answer.status, statusText: "", headers: answer.headers, config }
  }
}

interface AcmeResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

interface Question {
  readonly method: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: string
  readonly agent: https.Agent | undefined
}

const unreachable = (detail: string): AcmeFailed => new AcmeFailed({ reason: "unreachable", detail: said(detail) })

/** A message of the authority, on one line and of limited length. */
export const said = (text: string): string => truncate(oneLine(text), 300)

const ask = (url: URL, { agent, body, headers, method }: Question): Promise<AcmeResponse> =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http
    const signal = AbortSignal.timeout(patienceMillis)
    const refuse = (cause: Error): void =>
      reject(
        unreachable(
          signal.aborted ? `${url.host} did not answer within ${patienceMillis / 1000} seconds` : cause.message
        )
      )
    const sent = request(url, { method, headers, signal, ...(agent === undefined ? {} : { agent }) }, (response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > answerLimit) response.destroy(new Error(`${url.host} answered with more than a megabyte`))
        else chunks.push(chunk)
      })
      response.on("error", refuse)
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0]! : value!])
          ),
          body: Buffer.concat(chunks).toString("utf8")
        })
      )
    })
    sent.on("error", refuse)
    sent.end(body)
  })

/** The failure that a response describes (RFC 7807), or a general one if it has no description. */
const failureOf = ({ body, headers, status }: AcmeResponse): AcmeFailed => {
  const problem = parse(body)
  const type = reasonOf(problem.type)
  // Without a challenge in question it is the account that is refused.
  const known = type === "unauthorized" ? "accountRefused" : type
  const reason = status === 429 ? "rateLimited" : known === "other" && status >= 500 ? "unreachable" : known
  const detail = typeof problem.detail === "string" ? problem.detail : `HTTP ${status}`
  return new AcmeFailed({
    reason,
    detail: said(detail),
    retryAfter: retryAfterOf(headers["retry-after"], headers["date"])
  })
}

const parse = (body: string): { readonly type?: unknown; readonly detail?: unknown } => {
  try {
    return Object(JSON.parse(body)) as object
  } catch {
    return {}
  }
}

/** Seconds; a date is reckoned from the authority's own clock, which its answer tells. */
const retryAfterOf = (value: string | undefined, date = ""): number | undefined => {
  if (value === undefined || value.trim() === "") return undefined
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.parse(date)) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestRetryAfter) : undefined
}
