/**
 * The API as `kanmon apply` uses it. Plain requests: lists go on in a header, and refusals are told by what stands in problem
 * details. What can be tried again is: requests that only read, change or delete are repeatable, and what makes something
 * carries an Idempotency-Key.
 */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemDetails } from "@kanmon/protocol/Problem"
import { Console, Context, Data, Effect, Layer, Redacted, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { Kind } from "./Resource.ts"

/** A record as it comes. */
export type Row = Readonly<Record<string, Schema.Json>> & { readonly id: string }

/** The server refused, or did not answer. */
export class RemoteFailure extends Data.TaggedError("RemoteFailure")<{
  readonly message: string
  readonly status: number | undefined
  readonly errors: ReadonlyArray<FieldError>
}> {}

export class Remote extends Context.Service<
  Remote,
  {
    /** All records of the project, of a kind. */
    readonly list: (kind: Kind) => Effect.Effect<ReadonlyArray<Row>, RemoteFailure>
    readonly create: (kind: Kind, body: Schema.Json) => Effect.Effect<Row, RemoteFailure>
    readonly update: (kind: Kind, id: string, body: Schema.Json) => Effect.Effect<Row, RemoteFailure>
    /** What is gone already is gone. */
    readonly remove: (kind: Kind, id: string) => Effect.Effect<void, RemoteFailure>
    /** Which fields of a channel a change would change, those that are not shown among them. */
    readonly differing: (id: string, body: Schema.Json) => Effect.Effect<ReadonlyArray<string>, RemoteFailure>
    readonly projectName: (id: string) => Effect.Effect<string, RemoteFailure>
  }
>()("@kanmon/server/as-code/Remote") {}

const routes: Readonly<Record<Kind, string>> = {
  monitor: "/monitors",
  channel: "/notification-channels",
  rule: "/alert-rules",
  page: "/status-pages"
}

interface Answer {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly body: unknown
}

const mostTries = 8
const patience = "30 seconds"

/** The API of the installation at this address, with a project's key. */
export const layer = (url: string, apiKey: Redacted.Redacted) =>
  Layer.effect(
    Remote,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const random = yield* SecureRandom.SecureRandom
      const base = `${url.replace(/\/+$/, "")}${basePath}`

      const ask = Effect.fnUntraced(function* (
        request: HttpClientRequest.HttpClientRequest
      ): Effect.fn.Return<Answer, RemoteFailure> {
        const sent = request.pipe(HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey)))
        for (let tries = 1; ; tries++) {
          const answer = yield* Effect.result(
            client.execute(sent).pipe(
              Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
              Effect.timeout(patience)
            )
          )
          if (answer._tag === "Failure") {
            if (tries < mostTries / 2) yield* Effect.sleep(`${tries} seconds`)
            else return yield* away(url, answer.failure)
            continue
          }
          const { response, text } = answer.success
          if (response.status < 300) {
            const body = parsed(text)
            return body === undefined ? yield* strange(url) : { response, body }
          }
          const wait = Number(response.headers["retry-after"] ?? Number.NaN)
          if (Number.isNaN(wait) || tries === mostTries) return yield* refusal(url, response, text)
          if (wait > 1) yield* Console.error(`The server asks for patience; going on in ${wait} s.`)
          yield* Effect.sleep(`${wait} seconds`)
        }
      })

      const withBody = (request: HttpClientRequest.HttpClientRequest, body: Schema.Json) =>
        ask(HttpClientRequest.bodyJsonUnsafe(request, body))

      const list: Remote["Service"]["list"] = Effect.fnUntraced(function* (kind) {
        const rows: Array<Row> = []
        let next: string | undefined = ""
        while (next !== undefined) {
          const answer: Answer = yield* ask(HttpClientRequest.get(`${base}${routes[kind]}${next}`))
          const { body, response } = answer
          if (!Array.isArray(body)) return yield* strange(url)
          rows.push(...(body as ReadonlyArray<Row>))
          // The address in the header is the one that people use; ours may be another one of the same server.
          next = /<[^>]*?(\?[^>]*)>;\s*rel="next"/.exec(response.headers["link"] ?? "")?.[1]
        }
        return rows
      })

      return Remote.of({
        list,
        create: (kind, body) =>
          Effect.gen(function* () {
            const request = HttpClientRequest.post(`${base}${routes[kind]}`)
            const key = `apply-${yield* random.ulid}`
            return yield* withBody(HttpClientRequest.setHeader(request, "idempotency-key", key), body)
          }).pipe(Effect.map((made) => made.body as Row)),
        update: (kind, id, body) =>
          withBody(HttpClientRequest.patch(`${base}${routes[kind]}/${id}`), body).pipe(
            Effect.map((changed) => changed.body as Row)
          ),
        remove: (kind, id) =>
          ask(HttpClientRequest.delete(`${base}${routes[kind]}/${id}`)).pipe(
            Effect.asVoid,
            Effect.catch((failure) => (failure.status === 404 ? Effect.void : Effect.fail(failure)))
          ),
        differing: (id, body) =>
          withBody(HttpClientRequest.post(`${base}${routes.channel}/${id}/compare`), body).pipe(
            Effect.map((found) => (found.body as { readonly differing: ReadonlyArray<string> }).differing)
          ),
        projectName: (id) =>
          Effect.map(ask(HttpClientRequest.get(`${base}/projects/${id}`)), ({ body }) =>
            String((body as { readonly name?: unknown }).name)
          )
      })
    })
  ).pipe(
    Layer.provide([FetchHttpClient.layer, SecureRandom.layerWebCrypto]),
    // Whoever leads elsewhere would be sent the key there.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const strange = (url: string): RemoteFailure =>
  new RemoteFailure({
    message: `What answers at ${url} is no Kanmon; set KANMON_URL, or --url, to the address of the installation`,
    status: undefined,
    errors: []
  })

const broken = (url: string, status: number): RemoteFailure =>
  new RemoteFailure({ message: `${url} answers with status ${status}; try again when it is well`, status, errors: [] })

const ledAway = (url: string, origin: string): RemoteFailure =>
  new RemoteFailure({
    message: `${url} leads to ${origin}; set KANMON_URL, or --url, to that`,
    status: undefined,
    errors: []
  })

const away = (url: string, cause: { readonly message: string }): RemoteFailure =>
  new RemoteFailure({
    message: `Nobody answers at ${url} (${cause.message}); set KANMON_URL, or --url, to the address of the installation`,
    status: undefined,
    errors: []
  })

const refusal = (url: string, response: HttpClientResponse.HttpClientResponse, text: string): RemoteFailure => {
  const { headers, status } = response
  const elsewhere = URL.parse(headers["location"] ?? "", url)?.origin
  if (status < 400 && elsewhere !== undefined) return ledAway(url, elsewhere)
  const problem = parsed(text) as Partial<typeof ProblemDetails.Type> | undefined
  if (typeof problem?.detail !== "string") return status < 500 ? strange(url) : broken(url, status)
  const advice = status === 401 ? "; set KANMON_API_KEY to the key of the project" : ""
  const errors = problem.errors ?? []
  const rows = errors.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
  const message = rows.length > 0 ? rows.join("; ") : `${problem.detail}${advice}`
  return new RemoteFailure({ message, status, errors })
}
