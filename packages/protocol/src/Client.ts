/**
 * The API client for Effect, derived from the contract: `client.monitors.get({ params })` and so on. Without Effect, use
 * `Kanmon`.
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
  /** Returns the response in addition to the decoded value, or instead of it. */
  readonly responseMode?: M
}

type EndpointResult<Endpoint extends HttpApiEndpoint.ConstraintRequest, M extends Mode> = HttpApiClient.Client.Response<
  HttpApiClient.SuccessType<Endpoint["~Success"]>,
  M
>

type Method<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? unknown extends Parts<Endpoint>
    ? <M extends Mode = "decoded-only">(
        request?: Wish<M>
      ) => Effect.Effect<EndpointResult<Endpoint, M>, KanmonError.KanmonError>
    : <M extends Mode = "decoded-only">(
        request: Parts<Endpoint> & Wish<M>
      ) => Effect.Effect<EndpointResult<Endpoint, M>, KanmonError.KanmonError>
  : never

/** Every endpoint by group and name. */
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

/** The endpoints of an installation by group and name, untyped. */
export const calls = Effect.fnUntraced(function* (options: Transport.ClientOptions) {
  const groups = yield* HttpApiClient.makeWith(Api, {
    httpClient: Transport.make(yield* HttpClient.HttpClient, options),
    baseUrl: Transport.addressOf(options.baseUrl),
    // A decoding failure here concerns the response, not the request.
    transformResponse: Effect.mapError((failure) =>
      Schema.isSchemaError(failure) ? KanmonError.unfit(failure) : failure
    )
  })
  const failingAlike = (methods: object) =>
    Object.fromEntries(
      Object.entries(methods).map(([name, call]: [string, Call]) => [
        name,
        (request: unknown) => Effect.mapError(call(request), ofFailure)
      ])
    )
  return Object.fromEntries(Object.entries(groups).map(([name, methods]) => [name, failingAlike(methods)]))
})

/** Creates the client of an installation on the given `HttpClient`. */
export const make = (options: Transport.ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.map(calls(options), (groups) => groups as Client)

/** Sends requests with an `Idempotency-Key`: repeats with the same key take effect once. */
export const withIdempotencyKey =
  (key: string) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(call, Transport.IdempotencyKey, key)

/** An endpoint that returns a list. */
type List = (request: never) => Effect.Effect<unknown, KanmonError.KanmonError>

type QueryOf<L extends List> = Parameters<L>[0] extends { readonly query: infer Query } ? Query : never

type Page<Item> = [ReadonlyArray<Item>, HttpClientResponse.HttpClientResponse]

/** The item type of the list, in any response mode. */
type ItemOf<L extends List> =
  Extract<Effect.Success<ReturnType<L>>, Page<unknown>> extends Page<infer Item> ? Item : never

/** A list endpoint as called here. */
type Lister = (request: {
  readonly query: object
  readonly responseMode: "decoded-and-response"
}) => Effect.Effect<Page<unknown>, KanmonError.KanmonError>

/** Streams all pages of a list: `every(client.monitors.list, { status: "down" })`. */
export function every<L extends List>(list: L, query: QueryOf<L>): Stream.Stream<ItemOf<L>, KanmonError.KanmonError>
export function every(list: Lister, query: object): Stream.Stream<unknown, KanmonError.KanmonError> {
  return Stream.paginate(query, (asked) =>
    Effect.map(list({ query: asked, responseMode: "decoded-and-response" }), ([items, { headers }]) => {
      const cursor = nextCursor(headers["link"])
      return [items, cursor === undefined ? Option.none() : Option.some({ ...asked, cursor })] as const
    })
  )
}
