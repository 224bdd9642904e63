/**
 * The API as `kanmon apply` uses it, over the client of the contract. Records are raw JSON: their fields are compared with those
 * of files.
 */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { ProjectId } from "@kanmon/domain/Ids"
import { ChangeResult, type ChangesRequest } from "@kanmon/protocol/ChangesBody"
import * as Client from "@kanmon/protocol/Client"
import { fileApplyAgent } from "@kanmon/protocol/Middleware"
import * as KanmonError from "@kanmon/protocol/KanmonError"
import { nextCursor } from "@kanmon/protocol/Lists"
import { Console, Context, Data, type Duration, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import * as Endpoints from "./Endpoints.ts"
import type { Kind } from "./Resource.ts"

const Row = Schema.StructWithRest(Schema.Struct({ id: Schema.String }), [Schema.Record(Schema.String, Schema.Json)])

/** A record as the API returns it. */
export type Row = typeof Row.Type

/** The server refused, or could not be reached. */
export class RemoteFailure extends Data.TaggedError("RemoteFailure")<{
  readonly message: string
  readonly status: number | undefined
  readonly errors: ReadonlyArray<FieldError>
}> {}

export class Remote extends Context.Service<
  Remote,
  {
    /** All records of a kind in the project that files can manage. For maintenance windows, only managed ones. */
    readonly list: (kind: Kind) => Effect.Effect<ReadonlyArray<Row>, RemoteFailure>
    /** All records of a kind in the project, with all maintenance windows. */
    readonly every: (kind: Kind) => Effect.Effect<ReadonlyArray<Row>, RemoteFailure>
    /** Makes all of these changes or none, and returns the result of each; a dry run makes none, and says the same. */
    readonly change: (
      changes: ChangesRequest["changes"],
      dryRun: boolean
    ) => Effect.Effect<ReadonlyArray<ChangeResult>, RemoteFailure>
    /** The status that a monitor would have now, with the reason unless it is up. Nothing is stored. */
    readonly test: (body: Schema.Json) => Effect.Effect<Tested, RemoteFailure>
    /** The fields of a monitor or channel that an update would change, secrets included as far as the caller may read them. */
    readonly compare: (kind: Kind, id: string, body: Schema.Json) => Effect.Effect<Comparison, RemoteFailure>
    readonly projectName: (id: string) => Effect.Effect<string, RemoteFailure>
    /** The members and teams of the organization. The key of a project does not open it. */
    readonly organization: Effect.Effect<Organization, RemoteFailure>
  }
>()("@kanmon/as-code/Remote") {}

/** The people of the organization, as the API lists them. */
export interface Organization {
  readonly members: ReadonlyArray<{ readonly userId: string; readonly email: string }>
  readonly teams: ReadonlyArray<Row>
}

/** The client repeats throttled calls. Calls that did not reach the server are repeated here. */
const retries = 7
const resends = { times: 3, schedule: Schedule.spaced("2 seconds") }
const timeout = "30 seconds"
/** Longer than the server works on changes that are made together. */
const timeoutOfChanges = "4 minutes"

type Failure = KanmonError.KanmonError | Schema.SchemaError

const isUnreachable = (failure: Failure): boolean => failure._tag === "KanmonError" && failure.code === "unreachable"

/** The client itself does not repeat updates and deletions; here they lead to the same result. */
const isUnavailable = (failure: Failure): boolean =>
  isUnreachable(failure) || (failure._tag === "KanmonError" && failure.status === 503)

/** Logs why the command waits. */
const announced = HttpClient.tap(({ headers, status }: HttpClientResponse.HttpClientResponse) => {
  const seconds = Number(headers["retry-after"] ?? 0)
  return status >= 400 && seconds > 1
    ? Console.error(`The server asked to wait; retrying in ${seconds} s.`)
    : Effect.void
})

const bodyOf =
  <A, I>(schema: Schema.Codec<A, I>) =>
  (response: HttpClientResponse.HttpClientResponse): Effect.Effect<A, Failure> =>
    response.status < 200 || response.status >= 300
      ? Effect.fail(KanmonError.unreadable(response))
      : Effect.catchTag(HttpClientResponse.schemaBodyJson(schema)(response), "HttpClientError", (error) =>
          Effect.fail(KanmonError.ofClient(error))
        )

const Rows = Schema.Array(Row)
/** A membership has no ID of its own. */
const Members = Schema.Array(
  Schema.StructWithRest(Schema.Struct({ userId: Schema.String, email: Schema.String }), [
    Schema.Record(Schema.String, Schema.Json)
  ])
)
const Tested = Schema.Struct({
  status: Schema.String,
  failure: Schema.NullOr(Schema.Struct({ message: Schema.String }))
})
/** The outcome of one check. */
export type Tested = typeof Tested.Type
const Made = Schema.Struct({ results: Schema.Array(ChangeResult) })
const Comparison = Schema.Struct({
  differing: Schema.Array(Schema.String),
  /** Fields that the caller may not read. */
  hidden: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
export type Comparison = typeof Comparison.Type

/**
 * With what the API is used: a project's key, or the key of an organization or the login of a person in one of their projects.
 */
export type Credential =
  | { readonly apiKey: Redacted.Redacted; readonly project?: ProjectId }
  | { readonly token: Redacted.Redacted; readonly project: ProjectId }

const ofProject = "On-call schedules and escalation policies belong to the organization"
const needed = `${ofProject}: set KANMON_API_KEY to a key of the organization (kmo_…) and name the project with --project, or run kanmon login`

/** The API of the installation at this address. */
export const layer = (url: string, credential: Credential) =>
  Layer.effect(
    Remote,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const clientWith = (limit: Duration.Input) =>
        Client.make({
          baseUrl: url,
          ...("apiKey" in credential
            ? { apiKey: Redacted.value(credential.apiKey) }
            : { token: Redacted.value(credential.token) }),
          ...(credential.project === undefined ? {} : { project: credential.project }),
          userAgent: fileApplyAgent,
          retries,
          timeout: limit
        }).pipe(Effect.updateService(HttpClient.HttpClient, announced))
      const client = yield* clientWith(timeout)
      const { project } = credential
      const owner = yield* Effect.cached(
        project === undefined
          ? Effect.fail(new KanmonError.KanmonError({ message: needed, code: "forbidden", detail: needed, errors: [] }))
          : Effect.map(
              Effect.retry(client.projects.get({ params: { projectId: project } }), {
                ...resends,
                while: isUnreachable
              }),
              ({ organizationId }) => organizationId
            )
      )
      const lists = Endpoints.lists(client, owner)
      const everyList = Endpoints.everyList(client, owner)
      const patient = yield* clientWith(timeoutOfChanges)
      const change = Endpoints.change(patient)
      const test = Endpoints.test(patient)
      const compare = Endpoints.compare(client)
      const explained = Effect.mapError((failure: Failure) =>
        explain(url, failure, "apiKey" in credential ? setKey : signIn(url))
      )
      const list = (
        lists: ReturnType<typeof Endpoints.lists>,
        kind: Kind,
        cursor?: string
      ): Effect.Effect<ReadonlyArray<Row>, Failure> =>
        Effect.gen(function* () {
          const response = yield* Effect.retry(lists[kind](cursor === undefined ? {} : { cursor }), {
            ...resends,
            while: isUnreachable
          })
          const rows = yield* bodyOf(Rows)(response)
          const next = nextCursor(response.headers["link"])
          return next === undefined ? rows : [...rows, ...(yield* list(lists, kind, next))]
        })

      /** A call that has an effect only once, however often it is sent. */
      const once = <A, R>(call: Effect.Effect<A, Failure, R>) =>
        Effect.flatMap(random.ulid, (id) =>
          Client.withIdempotencyKey(`apply-${id}`)(Effect.retry(call, { ...resends, while: isUnreachable }))
        )

      const again = <A>(call: Effect.Effect<A, Failure>) => Effect.retry(call, { ...resends, while: isUnavailable })

      return Remote.of({
        list: (kind) => explained(list(lists, kind)),
        every: (kind) => explained(list(everyList, kind)),
        change: (changes, dryRun) =>
          once(change({ dryRun, changes })).pipe(
            Effect.flatMap(bodyOf(Made)),
            explained,
            Effect.map(({ results }) => results)
          ),
        test: (body) => explained(Effect.flatMap(once(test(body)), bodyOf(Tested))),
        compare: (kind, id, body) => explained(Effect.flatMap(once(compare(kind, id, body)), bodyOf(Comparison))),
        organization: explained(
          Effect.gen(function* () {
            const { members, teams } = Endpoints.people(client, yield* owner)
            return {
              members: yield* Effect.flatMap(again(members), bodyOf(Members)),
              teams: yield* Effect.flatMap(again(teams), bodyOf(Rows))
            }
          })
        ),
        projectName: (id) =>
          Schema.decodeEffect(ProjectId)(id).pipe(
            Effect.flatMap((projectId) => again(client.projects.get({ params: { projectId } }))),
            explained,
            Effect.map(({ name }) => name)
          )
      })
    })
  ).pipe(
    Layer.provide([FetchHttpClient.layer, SecureRandom.layerWebCrypto]),
    // A redirect would be followed with the key, wherever it leads.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

const setKey = "set KANMON_API_KEY to the key of the project"
const signIn = (url: string): string => `run kanmon login --server ${url}`

/** Words for a failure; `remedy` is what to do when the credential is not accepted. */
export const explain = (url: string, failure: Failure, remedy: string): RemoteFailure => {
  if (failure._tag === "SchemaError")
    return new RemoteFailure({ message: notKanmon(url), status: undefined, errors: [] })
  const { errors, status } = failure
  return new RemoteFailure({ message: messageOf(url, failure, remedy), status, errors })
}

const address = "set KANMON_URL, or --url, to the address of the installation"
const notKanmon = (url: string): string => `${url} is not a Kanmon server; ${address}`

const messageOf = (
  url: string,
  { code, detail, errors, redirectedTo, status }: KanmonError.KanmonError,
  remedy: string
): string => {
  if (redirectedTo !== undefined) return `${url} redirects to ${redirectedTo}; set KANMON_URL, or --url, to that`
  if (code === "unreachable" && /certificate/i.test(detail.slice(0, 500)))
    return `The certificate of ${url} is not trusted here (${detail}); set NODE_EXTRA_CA_CERTS to the file of the certificate that signed it`
  if (code === "unreachable") return `${url} cannot be reached (${detail}); ${address}`
  if (code === "unreadable")
    return status !== undefined && status >= 500
      ? `${url} answers with status ${status}; try again later`
      : notKanmon(url)
  if (errors.length > 0)
    return errors.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; ")
  // Lists and changes are there in every project: an address without them is of an older server.
  if (code === "not_found") return `${detail}; if the server is older than this kanmon, use the version of the server`
  return status === 401 ? `${detail}; ${remedy}` : detail
}
