/**
 * The API's client for people who write with Effect, made from its contract: `client.monitors.get({ params })` and so on,
 * for every endpoint. Without Effect: `Kanmon`.
 */
import { Effect, Option, Schema, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientResponse } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"
import * as KanmonError from "./KanmonError.ts"
import { nextCursor } from "./Lists.ts"
import * as Transport from "./internal/Transport.ts"

export type { ClientOptions } from "./internal/Transport.ts"

/** The groups of the contract. */
export type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never

type Mode = HttpApiClient.Client.ResponseMode

type Part<Name extends string, S extends Schema.Constraint> = [S["Type"]] extends [never]
  ? unknown
  : { readonly [Key in Name]: S["Type"] }

type Parts<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<"params", Endpoint["~Params"]> &
  Part<"query", Endpoint["~Query"]> &
  Part<"payload", Endpoint["~Payload"]>

interface Wish<M extends Mode> {
  /** Asks for the response beside the decoded value, or in its stead. */
  readonly responseMode?: M
}

type Answer<Endpoint extends HttpApiEndpoint.ConstraintRequest, M extends Mode> = HttpApiClient.Client.Response<
  HttpApiClient.SuccessType<Endpoint["~Success"]>,
  M
>

type Method<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? unknown extends Parts<Endpoint>
    ? <M extends Mode = "decoded-only">(
        request?: Wish<M>
      ) => Effect.Effect<Answer<Endpoint, M>, KanmonError.KanmonError>
    : <M extends Mode = "decoded-only">(
        request: Parts<Endpoint> & Wish<M>
      ) => Effect.Effect<Answer<Endpoint, M>, KanmonError.KanmonError>
  : never

/** Every endpoint, by its group and its name. */
export type Client = {
  readonly [Group in Groups as HttpApiGroup.Identifier<Group>]: {
    readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Method<Endpoint>
  }
}

type Failure = KanmonError.KanmonError | HttpClientError.HttpClientError | Schema.SchemaError

const ofFailure = (failure: Failure): KanmonError.KanmonError =>
  failure instanceof KanmonError.KanmonError
    ? failure
    : HttpClientError.isHttpClientError(failure)
      ? KanmonError.ofClient(failure)
      : KanmonError.notSent(failure)

type Call = (request: unknown) => Effect.Effect<unknown, Failure>

/** The client of one installation, over the `HttpClient` that it is given. */
export const make = (options: Transport.ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const groups = yield* HttpApiClient.makeWith(Api, {
      httpClient: Transport.make(yield* HttpClient.HttpClient, options),
      baseUrl: Transport.addressOf(options.baseUrl),
      // What breaks the contract here is the answer, not the request.
      transformResponse: Effect.mapError((failure) =>
        Schema.isSchemaError(failure) ? KanmonError.unfit(failure) : failure
      )
    })
    const failingAlike = (calls: object) =>
      Object.fromEntries(
        Object.entries(calls).map(([name, call]: [string, Call]) => [
          name,
          (request: unknown) => Effect.mapError(call(request), ofFailure)
        ])
      )
    return Object.fromEntries(Object.entries(groups).map(([name, calls]) => [name, failingAlike(calls)])) as Client
  })

/** Sends what creates something with an `Idempotency-Key`: with the same key it happens once, however often it is sent. */
export const withIdempotencyKey =
  (key: string) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(call, Transport.IdempotencyKey, key)

/** An endpoint that lists. */
type List = (request: never) => Effect.Effect<unknown, KanmonError.KanmonError>

type QueryOf<L extends List> = Parameters<L>[0] extends { readonly query: infer Query } ? Query : never

type Page<Item> = [ReadonlyArray<Item>, HttpClientResponse.HttpClientResponse]

/** What it lists, of all that it answers in one mode or another. */
type ItemOf<L extends List> =
  Extract<Effect.Success<ReturnType<L>>, Page<unknown>> extends Page<infer Item> ? Item : never

/** Everything in a list, page after page: `every(client.monitors.list, { status: "down" })`. */
export const every = <L extends List>(
  list: L,
  query: QueryOf<L>
): Stream.Stream<ItemOf<L>, KanmonError.KanmonError> => {
  const page = (cursor: object) =>
    list({
      query: { ...(query as object), ...cursor },
      responseMode: "decoded-and-response"
    } as never) as Effect.Effect<Page<ItemOf<L>>, KanmonError.KanmonError>
  return Stream.paginate({}, (cursor) =>
    Effect.map(page(cursor), ([items, { headers }]) => {
      const next = nextCursor(headers["link"])
      return [items, next === undefined ? Option.none() : Option.some({ cursor: next })] as const
    })
  )
}
