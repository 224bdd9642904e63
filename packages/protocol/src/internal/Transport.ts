/** The clients' HTTP transport: credentials, timeouts, retries and errors. */
import { Context, Duration, Effect } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { basePath } from "../BasePath.ts"
import * as KanmonError from "../KanmonError.ts"
import { projectHeader } from "../Middleware.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/** Options of a client. */
export interface ClientOptions {
  /** URL of the installation, such as `https://kanmon.example`, with or without `/api/v1`. */
  readonly baseUrl: string | URL
  /** A project's API key, `km_…`. */
  readonly apiKey?: string
  /** The session cookie from sign-in, as in the header `Cookie`; for accounts, billing and all projects of the account. */
  readonly session?: string
  /** The token of a program that a person has signed in, `kmu_…`; see `ProgramLogin`. It may do what the account may do. */
  readonly token?: string
  /** The project that a session works on, `prj_…`; an API key belongs to one already. */
  readonly project?: string
  /** Names the program in the header `User-Agent`. Browsers ignore it. */
  readonly userAgent?: string
  /** How often a request is retried after `Retry-After`, if that is safe. Default: 2. */
  readonly retries?: number
  /** Timeout of each attempt; numbers are milliseconds. Default: one minute. */
  readonly timeout?: Duration.Input
}

/** The value of the header `Idempotency-Key`. */
export const IdempotencyKey = Context.Reference<string | undefined>("@kanmon/protocol/internal/IdempotencyKey", {
  defaultValue: () => undefined
})

/** The installation's URL without `/api/v1`, which the contract's paths include. */
export const addressOf = (baseUrl: string | URL): string => {
  const address = String(baseUrl).replace(/(?<!\/)\/+$/, "")
  return address.endsWith(basePath) ? address.slice(0, -basePath.length) : address
}

const headerNames = {
  apiKey: "x-api-key",
  session: "cookie",
  token: "authorization",
  project: projectHeader,
  idempotencyKey: "idempotency-key",
  userAgent: "user-agent"
}

/** Adds the credentials. Values that no header can hold are refused, because fetch would quote them in its error. */
const signed =
  ({ apiKey, project, session, token, userAgent }: ClientOptions) =>
  (request: HttpClientRequest.HttpClientRequest) =>
    Effect.gen(function* () {
      const idempotencyKey = request.method === "POST" ? yield* IdempotencyKey : undefined
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries({ apiKey, session, token, project, idempotencyKey, userAgent })) {
        if (value === undefined) continue
        if (!/^[\x20-\x7E]+$/.test(value)) return yield* KanmonError.unsendable(name)
        headers[headerNames[name as keyof typeof headerNames]] = name === "token" ? `Bearer ${value}` : value
      }
      return HttpClientRequest.setHeaders(request, headers)
    })

type TransportResult = Effect.Effect<HttpClientResponse.HttpClientResponse, KanmonError.KanmonError>

/** The health check's 503 is plain JSON and a result, not an error. */
const isRefusal = ({ headers, status }: HttpClientResponse.HttpClientResponse): boolean =>
  status >= 400 && !/^application\/json\b/.test(headers["content-type"] ?? "")

const refused = (response: HttpClientResponse.HttpClientResponse): TransportResult =>
  isRefusal(response)
    ? Effect.flatMap(Effect.mapError(response.text, KanmonError.ofClient), (body) =>
        Effect.fail(
          KanmonError.ofAnswer({ status: response.status, body, retryAfter: response.headers["retry-after"] })
        )
      )
    : Effect.succeed(response)

const patient = (attempt: TransportResult, sent: RetryPolicy.Sent, retries: number): TransportResult =>
  Effect.catch(attempt, (error) => {
    const seconds = retries > 0 ? RetryPolicy.retryDelay(sent, error) : undefined
    return seconds === undefined
      ? Effect.fail(error)
      : Effect.delay(patient(attempt, sent, retries - 1), Duration.seconds(seconds))
  })

/** Turns an HTTP client into a client of this installation. */
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
