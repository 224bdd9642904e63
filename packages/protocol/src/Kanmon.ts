/**
 * The API's client for people who do not write with Effect: every endpoint of the contract as an async function that answers
 * what is on the wire, and throws `KanmonError`. With Effect: `Client`.
 */
import { Effect, Layer, type Schema, SchemaAST } from "effect"
import { FetchHttpClient, type HttpClientResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"
import * as Client from "./Client.ts"
import * as KanmonError from "./KanmonError.ts"
import { nextCursor } from "./Lists.ts"

export { KanmonError } from "./KanmonError.ts"

/** What a client needs to know. */
export interface KanmonOptions extends Client.ClientOptions {
  /** Instead of the platform's own: for proxies, and for tests. */
  readonly fetch?: typeof globalThis.fetch
}

/** What every call takes as its last parameter. */
export interface CallOptions {
  /** Of calls that create: with the same key it happens once, however often it is sent. */
  readonly idempotencyKey?: string
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal
}

/** A list: awaited, it is its first page; `for await` goes through all pages. */
export interface Listing<A> extends Promise<ReadonlyArray<A>>, AsyncIterable<A> {}

/** What the schemas call their encoded side, as plain JSON. */
type Wire<S> = S extends Schema.toCodecJson<infer Inner> ? Inner["Encoded"] : never

type IdOf<Params> = [Params] extends [never] ? [] : [id: string]
type BodyOf<Payload> = [Payload] extends [never] ? [] : [body: Payload]
type QueryOf<Query> = [Query] extends [never] ? [] : [query?: Query]

type Answer<A, Query> = [Query] extends [never]
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
    ) => Answer<Wire<Endpoint["~Success"]>, Endpoint["~Query"]["Type"]>
  : never

/** Every endpoint, by its group and its name. What has an id takes it first, then the body or the query. */
export type Kanmon = {
  readonly [Group in Client.Groups as HttpApiGroup.Identifier<Group>]: {
    readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Call<Endpoint>
  }
}

type Method = (request: unknown) => Effect.Effect<HttpClientResponse.HttpClientResponse, KanmonError.KanmonError>

type Methods = Readonly<Record<string, Readonly<Record<string, Method>>>>

interface Page {
  readonly body: unknown
  readonly cursor: string | undefined
}

/** What the caller gave, in the order of {@link Call}, as the contract's client takes it. */
const requestOf = ({ params, path, payload, query }: HttpApiEndpoint.Top, given: ReadonlyArray<unknown>) => {
  const rest = [...given]
  const id = /:(\w+)/.exec(path)?.[1]
  return {
    request: {
      responseMode: "response-only",
      ...(params === undefined || id === undefined ? {} : { params: { [id]: rest.shift() } }),
      // As it would be sent: fields that are undefined are none, and dates are text.
      ...(payload.size === 0 ? {} : { payload: JSON.parse(JSON.stringify(rest.shift() ?? null)) as unknown }),
      ...(query === undefined ? {} : { query: rest.shift() ?? {} })
    },
    options: (rest.shift() ?? {}) as CallOptions
  }
}

/** A list comes in pages when it takes a cursor. */
const isPaged = ({ query }: HttpApiEndpoint.Top): boolean =>
  query !== undefined &&
  SchemaAST.isObjects(query.ast) &&
  query.ast.propertySignatures.some(({ name }) => name === "cursor")

const listing = (first: Promise<Page>, next: (cursor: string) => Promise<Page>): Listing<unknown> => {
  const items = first.then(({ body }) => body as ReadonlyArray<unknown>)
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      // Whoever is in the loop hears of a failure there; nobody awaits this one.
      items.catch(() => undefined)
      for (let page = await first; ; page = await next(page.cursor)) {
        yield* page.body as ReadonlyArray<unknown>
        if (page.cursor === undefined) return
      }
    }
  })
}

/** The body of a good answer, and where the next page is. */
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
    // As fetch has it: who aborts gets the reason back.
    signal?.throwIfAborted()
    throw error
  }
}

/** One endpoint as a function; `good` tells the statuses of its good answers. */
const functionOf =
  (endpoint: HttpApiEndpoint.Top, method: Method, good: (status: number) => boolean) =>
  (...given: ReadonlyArray<unknown>) => {
    const { options, request } = requestOf(endpoint, given)
    const send = (query: object): Promise<Page> =>
      run(
        Effect.flatMap(method({ ...request, ...query }), (response) =>
          good(response.status) ? read(response) : Effect.fail(KanmonError.unreadable(response.status))
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
  // A redirect would be followed with the key, wherever it leads.
  const requestInit = Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
  const web = Layer.provide(
    FetchHttpClient.layer,
    fetch === undefined ? requestInit : Layer.merge(requestInit, Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  const methods = Effect.runSync(Effect.provide(Client.make(options), web)) as unknown as Methods
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
