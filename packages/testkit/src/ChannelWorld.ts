/**
 * The destination of a channel in tests: it enforces its provider's documented rules, and can refuse, throttle, fail, hang
 * or cut the connection. Channels over HTTP build theirs with `http`.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Dialer } from "@kanmon/core/Dialer"
import type { Schema } from "effect"
import { Effect, type Scope } from "effect"
import * as Targets from "./Targets.ts"

/** How the destination responds to the next attempts. */
export type Mood =
  /** As its provider documents. */
  | "well"
  /** Refuses for good (HTTP 400, SMTP 550). */
  | "refuse"
  /** Asks for a retry in {@link retryAfter} seconds. */
  | "throttle"
  /** Fails temporarily (HTTP 503, SMTP 451). */
  | "broken"
  /** Accepts the connection and sends nothing. */
  | "hang"
  /** Closes the connection without a response. */
  | "cut"

/** The delay that a throttling destination asks for, in seconds. */
export const retryAfter = 7

export interface Destination {
  /** A configuration for this destination. */
  readonly config: Schema.JsonObject
  /** The matching operator settings. */
  readonly settings?: object
  /** A dialer, when the configuration alone does not lead here. */
  readonly dialer?: Dialer["Service"]
  readonly behave: (mood: Mood) => void
  /** Attempts that arrived, in any mood. */
  readonly attempts: () => number
  /** The messages that were accepted in mood `well`, for golden files: without ports, boundaries and dates. */
  readonly taken: () => ReadonlyArray<unknown>
  /** Violations of the provider's rules in mood `well`. */
  readonly complaints: () => ReadonlyArray<string>
}

export interface World {
  readonly start: Effect.Effect<Destination, never, Scope.Scope>
  /** Maximum requests per notice. Default: 1. */
  readonly requests?: number
  /** Laws that do not apply to this kind, with the reason. */
  readonly exempt?: Partial<Record<Mood, string>>
}

/** A request as a fake provider receives it. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A violated rule of the provider: it is sent as the response, and the test fails. */
export class Complaint extends Error {
  readonly reply: Reply
  constructor(message: string, reply: Reply = { status: 400, body: message }) {
    super(message)
    this.reply = reply
  }
}

/** The body as JSON; anything else is a complaint. */
export const json = ({ body, headers }: Received): Record<string, unknown> => {
  require(headers["content-type"]?.startsWith("application/json") === true, "the content type is not application/json")
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    throw new Complaint("the body is not JSON")
  }
}

/** Complains unless the condition holds. */
export function require(holds: boolean, complaint: string, reply?: Reply): asserts holds {
  if (!holds) throw new Complaint(complaint, reply)
}

/** Complains when a text is empty or longer than the provider accepts, in UTF-16 units. */
export const lengthWithin = (text: unknown, limit: number, what: string): void => {
  require(typeof text === "string" && text !== "", `${what} is missing or empty`)
  require((text as string).length <= limit, `${what} has ${(text as string).length} characters, ${limit} are allowed`)
}

/** A destination over HTTP. */
export const http = (options: {
  /** Configuration and settings for a server at this address (`http://127.0.0.1:1234`, no trailing slash). */
  readonly settle: (address: string) => { readonly config: Schema.JsonObject; readonly settings?: object }
  /** The provider: checks a request against its documented rules (throwing {@link Complaint}) and responds. */
  readonly answer: (request: Received) => Reply
  /** The part of a request for the golden file. Default: method, path and the body, parsed when it is JSON. */
  readonly golden?: (request: Received) => unknown
  /** The provider's own responses for refusing, throttling and failing. */
  readonly moods?: Partial<Record<"refuse" | "throttle" | "broken", Reply>>
  readonly exempt?: World["exempt"]
  readonly requests?: number
}): World => ({
  ...(options.exempt === undefined ? {} : { exempt: options.exempt }),
  ...(options.requests === undefined ? {} : { requests: options.requests }),
  start: Effect.gen(function* () {
    let mood: Mood = "well"
    const taken: Array<unknown> = []
    const complaints: Array<string> = []
    const behaviour = (request: IncomingMessage, response: ServerResponse): void => {
      const received = read(request, target.requests.at(-1)!.body)
      if (mood === "hang") return
      if (mood === "cut") return void request.socket.destroy()
      if (mood !== "well") return reply(response, options.moods?.[mood] ?? ordinary(mood, received))
      try {
        const answer = options.answer(received)
        taken.push((options.golden ?? golden)(received))
        reply(response, answer)
      } catch (error) {
        complaints.push((error as Error).message)
        reply(response, error instanceof Complaint ? error.reply : { status: 500, body: String(error) })
      }
    }
    const target: Targets.HttpTarget = yield* Targets.http(behaviour)
    return {
      ...options.settle(target.url),
      behave: (next) => void (mood = next),
      attempts: () => target.requests.length,
      taken: () => taken,
      complaints: () => complaints
    }
  })
})

const read = ({ headers, method = "", url = "" }: IncomingMessage, body: string): Received => ({
  method,
  path: url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body
})

const reply = (response: ServerResponse, { body = "", headers = {}, status }: Reply): void => {
  response.writeHead(status, headers)
  response.end(body)
}

const statuses = { refuse: 400, throttle: 429, broken: 503 } as const

/** A careless provider that quotes the whole request, including secrets. */
export const ordinary = (mood: keyof typeof statuses, received: Received): Reply => ({
  status: statuses[mood],
  headers: mood === "throttle" ? { "retry-after": String(retryAfter) } : {},
  body: `no: ${received.path} ${JSON.stringify(received.headers)} ${received.body}`
})

const golden = ({ body, method, path }: Received): unknown => {
  try {
    return { method, path, body: JSON.parse(body) as unknown }
  } catch {
    return { method, path, body }
  }
}
