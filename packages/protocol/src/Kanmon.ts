/**
 * The API client without Effect: every endpoint as an async function that returns the JSON of the response and throws
 * `KanmonError`. With Effect, use `Client`.
 */
import { Effect, Layer, Predicate, type Schema, SchemaAST } from "effect"
import { FetchHttpClient, HttpClientResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"
import * as Client from "./Client.ts"
import * as KanmonError from "./KanmonError.ts"
import { nextCursor } from "./Lists.ts"

export { KanmonError } from "./KanmonError.ts"

/** Options of a client. */
export interface KanmonOptions extends Client.ClientOptions {
  /** Replaces the platform's `fetch`, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
}

/** The last parameter of every call. */
export interface CallOptions {
  /** For calls that create: repeats with the same key take effect once. */
  readonly idempotencyKey?: string
  /** Aborts the call. */
  readonly signal?: AbortSignal
}

/** A list. `await` returns its first page; `for await` iterates over all pages. */
export interface Listing<A> extends Promise<ReadonlyArray<A>>, AsyncIterable<A> {}

/** The encoded type of a schema as plain JSON. */
type Wire<S> = S extends Schema.toCodecJson<infer Inner> ? Inner["Encoded"] : never

type IsUnion<A, Whole = A> = A extends unknown ? ([Whole] extends [A] ? false : true) : never

/** One member of a union. */
type OneOf<A> = (A extends unknown ? (one: () => A) => void : never) extends (one: infer Last) => void
  ? Last extends () => infer One
    ? One
    : never
  : never

/** A path names one record, or a record within another one, which may be within a third one. */
type IdOf<Params> = [Params] extends [never]
  ? []
  : true extends IsUnion<keyof Params>
    ? true extends IsUnion<Exclude<keyof Params, OneOf<keyof Params>>>
      ? [id: string, innerId: string, innermostId: string]
      : [id: string, innerId: string]
    : [id: string]
type BodyOf<Payload> = [Payload] extends [never] ? [] : [body: Payload]
type QueryOf<Query> = [Query] extends [never] ? [] : [query?: Query]

type CallResult<A, Query> = [Query] extends [never]
  ? Promise<A>
  : Query extends { readonly cursor?: string }
    ? A extends ReadonlyArray<infer Item>
      ? Listing<Item>
      : Promise<A>
    : Promise<A>

type Call<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? (
      ...request: [
        ...IdOf<Endpoint["~Params"]["Type"]>,
        ...BodyOf<Endpoint["~Payload"]["Type"]>,
        ...QueryOf<Endpoint["~Query"]["Type"]>,
        options?: CallOptions
      ]
    ) => CallResult<Wire<Endpoint["~Success"]>, Endpoint["~Query"]["Type"]>
  : never

/** Every endpoint by group and name. Parameters: the IDs of the path if any, then the body or the query. */
export type Kanmon = {
  readonly [Group in Client.Groups as HttpApiGroup.Identifier<Group>]: {
    readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Call<Endpoint>
  }
}

type Method = (request: unknown) => Effect.Effect<unknown, KanmonError.KanmonError>

interface Page {
  readonly body: unknown
  readonly cursor: string | undefined
}

/** Converts the arguments, in the order of {@link Call}, to a request of the contract's client. */
const requestOf = ({ params, path, payload, query }: HttpApiEndpoint.Top, given: ReadonlyArray<unknown>) => {
  const rest = [...given]
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)
  return {
    request: {
      responseMode: "response-only",
      ...(params === undefined ? {} : { params: Object.fromEntries(ids.map((id) => [id, rest.shift()])) }),
      // As JSON: removes undefined fields and converts dates to text.
      ...(payload.size === 0 ? {} : { payload: JSON.parse(JSON.stringify(rest.shift() ?? null)) as unknown }),
      ...(query === undefined ? {} : { query: rest.shift() ?? {} })
    },
    options: (rest.shift() ?? {}) as CallOptions
  }
}

/** Endpoints with a cursor are paginated. */
const isPaged = ({ query }: HttpApiEndpoint.Top): boolean =>
  query !== undefined &&
  SchemaAST.isObjects(query.ast) &&
  query.ast.propertySignatures.some(({ name }) => name === "cursor")

const listing = (first: Promise<Page>, next: (cursor: string) => Promise<Page>): Listing<unknown> => {
  const items = first.then(({ body }) => body as ReadonlyArray<unknown>)
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      // The loop reports failures; without this, the promise would count as unhandled.
      items.catch(() => undefined)
      for (let page = await first; ; page = await next(page.cursor)) {
        yield* page.body as ReadonlyArray<unknown>
        if (page.cursor === undefined) return
      }
    }
  })
}

/** The body of a successful response, and the cursor of the next page. */
const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Page, KanmonError.KanmonError> =>
  Effect.map(Effect.mapError(response.json, KanmonError.ofClient), (body) => ({
    body,
    cursor: nextCursor(response.headers["link"])
  }))

const run = async <A>(
  call: Effect.Effect<A, KanmonError.KanmonError>,
  { idempotencyKey, signal }: CallOptions
): Promise<A> => {
  const keyed = idempotencyKey === undefined ? call : Client.withIdempotencyKey(idempotencyKey)(call)
  try {
    return await Effect.runPromise(keyed, signal === undefined ? {} : { signal })
  } catch (error) {
    // Like fetch, an aborted call throws the signal's reason.
    signal?.throwIfAborted()
    throw error
  }
}

/** The result of every call in this mode. */
const isResponse = (answer: unknown): answer is HttpClientResponse.HttpClientResponse =>
  Predicate.hasProperty(answer, HttpClientResponse.TypeId)

/** One endpoint as a function; `good` tests for successful statuses. */
const functionOf =
  (endpoint: HttpApiEndpoint.Top, method: Method, good: (status: number) => boolean) =>
  (...given: ReadonlyArray<unknown>) => {
    const { options, request } = requestOf(endpoint, given)
    const send = (query: object): Promise<Page> =>
      run(
        Effect.flatMap(
          Effect.filterOrElse(method({ ...request, ...query }), isResponse, () => Effect.die("expected a response")),
          (response) => (good(response.status) ? read(response) : Effect.fail(KanmonError.unreadable(response)))
        ),
        options
      )
    const first = send({})
    return isPaged(endpoint)
      ? listing(first, (cursor) => send({ query: { ...request.query, cursor } }))
      : first.then(({ body }) => body)
  }

/** The client of one installation. */
export const make = ({ fetch, ...options }: KanmonOptions): Kanmon => {
  // Redirects are not followed, because they would receive the API key.
  const requestInit = Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
  const web = Layer.provide(
    FetchHttpClient.layer,
    fetch === undefined ? requestInit : Layer.merge(requestInit, Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  const methods = Effect.runSync(Effect.provide(Client.calls(options), web))
  const kanmon: Record<string, Record<string, unknown>> = {}
  HttpApi.reflect(Api, {
    onGroup: ({ group }) => {
      kanmon[group.identifier] = {}
    },
    onEndpoint: ({ endpoint, group, successes }) => {
      const method = methods[group.identifier]![endpoint.identifier]!
      kanmon[group.identifier]![endpoint.identifier] = functionOf(endpoint, method, (status) => successes.has(status))
    }
  })
  return kanmon as Kanmon
}
