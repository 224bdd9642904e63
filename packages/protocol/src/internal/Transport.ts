/** How clients talk to an installation: who they are, what they do when they are told to wait, and what a refusal becomes. */
import { Context, Duration, Effect } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { basePath } from "../Api.ts"
import * as KanmonError from "../KanmonError.ts"
import * as Patience from "./Patience.ts"

/** What a client needs to know. */
export interface ClientOptions {
  /** Address of the installation, such as `https://kanmon.example`; with `/api/v1` or without. */
  readonly baseUrl: string | URL
  /** A project's key, `km_…`: for everything of one project. */
  readonly apiKey?: string
  /** The cookie that sign-in set, as it goes into the header `Cookie`: for projects and billing. */
  readonly session?: string
  /** How often a request is sent again that was told to wait (`Retry-After`), and that may be. 2 unless given; 0 is never. */
  readonly retries?: number
  /** How long to wait for an answer, each time; numbers are milliseconds. A minute unless given. */
  readonly timeout?: Duration.Input
}

/** What the header `Idempotency-Key` of a request that creates says. */
export const IdempotencyKey = Context.Reference<string | undefined>("@kanmon/protocol/internal/IdempotencyKey", {
  defaultValue: () => undefined
})

/** The installation's own address: the contract's paths begin with `/api/v1`. */
export const addressOf = (baseUrl: string | URL): string => {
  const address = String(baseUrl).replace(/\/+$/, "")
  return address.endsWith(basePath) ? address.slice(0, -basePath.length) : address
}

const headerNames = { apiKey: "x-api-key", session: "cookie", idempotencyKey: "idempotency-key" }

/** With what the caller says of themselves. What no header can hold is not tried: fetch would quote it, secrets too. */
const signed =
  ({ apiKey, session }: ClientOptions) =>
  (request: HttpClientRequest.HttpClientRequest) =>
    Effect.gen(function* () {
      const idempotencyKey = request.method === "POST" ? yield* IdempotencyKey : undefined
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries({ apiKey, session, idempotencyKey })) {
        if (value === undefined) continue
        if (!/^[\x20-\x7E]+$/.test(value)) return yield* KanmonError.unsendable(name)
        headers[headerNames[name as keyof typeof headerNames]] = value
      }
      return HttpClientRequest.setHeaders(request, headers)
    })

type Answer = Effect.Effect<HttpClientResponse.HttpClientResponse, KanmonError.KanmonError>

/** The health check answers 503 in plain JSON, and that is no refusal. */
const isRefusal = ({ headers, status }: HttpClientResponse.HttpClientResponse): boolean =>
  status >= 400 && !/^application\/json\b/.test(headers["content-type"] ?? "")

const refused = (response: HttpClientResponse.HttpClientResponse): Answer =>
  isRefusal(response)
    ? Effect.flatMap(Effect.mapError(response.text, KanmonError.ofClient), (body) =>
        Effect.fail(
          KanmonError.ofAnswer({ status: response.status, body, retryAfter: response.headers["retry-after"] })
        )
      )
    : Effect.succeed(response)

const patient = (attempt: Answer, sent: Patience.Sent, retries: number): Answer =>
  Effect.catch(attempt, (error) => {
    const seconds = retries > 0 ? Patience.waitFor(sent, error) : undefined
    return seconds === undefined
      ? Effect.fail(error)
      : Effect.delay(patient(attempt, sent, retries - 1), Duration.seconds(seconds))
  })

/** A client of the web as a client of this installation. */
export const make = (
  client: HttpClient.HttpClient,
  options: ClientOptions
): HttpClient.HttpClient.With<HttpClientError.HttpClientError | KanmonError.KanmonError> => {
  const { retries = 2, timeout = "1 minute" } = options
  return client.pipe(
    HttpClient.mapRequestEffect(signed(options)),
    HttpClient.transform((attempt, request) =>
      patient(
        attempt.pipe(
          Effect.catchTag("HttpClientError", (error) => Effect.fail(KanmonError.ofClient(error))),
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(KanmonError.timedOut()) }),
          Effect.flatMap(refused)
        ),
        { method: request.method, hasIdempotencyKey: "idempotency-key" in request.headers },
        retries
      )
    )
  )
}
