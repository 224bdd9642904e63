/**
 * A fake Stripe: the part of its API that Kanmon uses, on a local port. It accepts what Stripe documents and refuses the
 * rest, stores objects, and signs webhooks. @see https://docs.stripe.com/api
 */
import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import * as StripeForm from "./StripeForm.ts"
import { handle } from "./StripeRoutes.ts"
import { Refusal, type StripeEvent, StripeState } from "./StripeState.ts"

export const secretKey = "sk_test_kanmon"
export const webhookSecret = "whsec_kanmon"
const version = "2026-10-28.endive"

/** A received request. */
export interface Heard {
  readonly method: string
  readonly path: string
  readonly form: StripeForm.Form
  readonly idempotencyKey: string | undefined
}

/** A webhook delivery. */
export interface Webhook {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface StripeServer {
  readonly url: string
  readonly state: StripeState
  readonly heard: Array<Heard>
  /** If set, every request fails with this status. */
  failing: number | undefined
  /** Called before a response is sent, so that a test can interleave something. */
  onAnswer: ((heard: Heard) => Promise<void> | void) | undefined
}

/** A signed event. */
export const webhook = (
  event: StripeEvent,
  options: { readonly secret?: string; readonly at?: number } = {}
): Webhook => {
  const { at = Math.floor(Date.now() / 1000), secret = webhookSecret } = options
  // Indented like Stripe's: signatures must be computed over the raw body.
  const body = JSON.stringify(event, undefined, 2)
  const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")
  return { body, headers: { "content-type": "application/json", "stripe-signature": `t=${at},v1=${signature}` } }
}

interface StripeResponse {
  readonly status: number
  readonly body: string
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** Checks common to all requests. */
const checkHead = ({ headers, method }: IncomingMessage): void => {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw new Refusal(401, "invalid_request_error", "api_key_invalid", "Invalid API Key provided")
  if (headers["stripe-version"] !== version)
    throw new Refusal(400, "invalid_request_error", "version_invalid", "Invalid Stripe API version")
  if (method === "POST" && headers["content-type"] !== "application/x-www-form-urlencoded")
    throw new Refusal(400, "invalid_request_error", "content_type_invalid", "Expected a form")
  if (method === "POST" && headers["idempotency-key"] === undefined)
    throw new Refusal(400, "invalid_request_error", "key_missing", "Stripe's library sends a key with every POST")
}

export const make: Effect.Effect<StripeServer, never, Scope.Scope> = Effect.gen(function* () {
  const state = new StripeState()
  const answers = new Map<string, { readonly fingerprint: string; readonly answer: StripeResponse }>()
  const heard: Array<Heard> = []

  const answer = async (
    request: IncomingMessage,
    stripe: StripeServer
  ): Promise<StripeResponse & { replayed?: boolean }> => {
    const text = await read(request)
    if (stripe.failing !== undefined)
      throw new Refusal(stripe.failing, "api_error", "api_error", "Something went wrong on Stripe's end")
    checkHead(request)
    const { pathname: path, searchParams } = new URL(request.url!, "http://stripe")
    const method = request.method!
    const form = StripeForm.parse(method === "POST" ? text : searchParams.toString())
    const idempotencyKey = request.headers["idempotency-key"] as string | undefined
    const one: Heard = { method, path, form, idempotencyKey }
    heard.push(one)
    const fingerprint = createHash("sha256").update(`${method} ${path}\n${text}`).digest("hex")
    const before = idempotencyKey === undefined ? undefined : answers.get(idempotencyKey)
    if (before !== undefined && before.fingerprint !== fingerprint)
      throw new Refusal(
        400,
        "idempotency_error",
        "idempotency_key_reused",
        "Keys for idempotent requests can only be used with the same parameters they were first used with"
      )
    const fresh = before?.answer ?? { status: 200, body: JSON.stringify(handle(state, method, path, form)) }
    if (idempotencyKey !== undefined) answers.set(idempotencyKey, { fingerprint, answer: fresh })
    await stripe.onAnswer?.(one)
    return { ...fresh, replayed: before !== undefined }
  }

  const serve = (stripe: StripeServer) => (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, stripe).then(
      ({ body, replayed, status }) => {
        response.writeHead(status, {
          "content-type": "application/json",
          "request-id": state.id("req"),
          ...(replayed === true ? { "idempotent-replayed": "true" } : {})
        })
        response.end(body)
      },
      (error: unknown) => {
        const refusal = error instanceof Refusal ? error : new Refusal(500, "api_error", "api_error", String(error))
        response.writeHead(refusal.status, { "content-type": "application/json", "stripe-should-retry": "false" })
        response.end(JSON.stringify(refusal.body))
      }
    )

  const stripe: StripeServer = { url: "", state, heard, failing: undefined, onAnswer: undefined }
  const server = createServer(serve(stripe))
  yield* Effect.promise(() => new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
  )
  return Object.assign(stripe, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
