/**
 * Endpoints with handlers that read the request and write the response themselves: streams, pages, files, and protocols
 * of other software. They pass the same middleware as all others, but their parts are not decoded before the handler.
 * Clients have no methods for them.
 */
import type { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, type HttpApiSchema } from "effect/http-api"
import { AccountsApi } from "./AccountsApi.ts"
import { AccountSecurityApi } from "./AccountSecurityApi.ts"
import { AcknowledgementsApi } from "./AcknowledgementsApi.ts"
import { basePath } from "./BasePath.ts"
import { ConfirmationsApi } from "./ConfirmationsApi.ts"
import { DeviceApi } from "./DeviceApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { HeartbeatsApi } from "./HeartbeatsApi.ts"
import { InboundApi } from "./InboundApi.ts"
import { DocumentsApi, InstallationApi } from "./InstallationApi.ts"
import { PasskeysApi } from "./PasskeysApi.ts"
import { PaymentsApi } from "./PaymentsApi.ts"
import type { Problem } from "./Problem.ts"
import { PublicPagesApi, PublicRecordsApi } from "./PublicPagesApi.ts"
import { RepliesApi } from "./RepliesApi.ts"
import { ScimApi } from "./ScimApi.ts"
import { Described } from "./Serving.ts"
import { SignInApi } from "./SignInApi.ts"

/** As the contract describes them. */
export class DirectApi extends HttpApi.make("kanmonDirect")
  .add(
    HeartbeatsApi,
    InboundApi,
    RepliesApi,
    EventsApi,
    AccountsApi,
    AccountSecurityApi,
    PasskeysApi,
    DeviceApi,
    SignInApi,
    ScimApi,
    ConfirmationsApi,
    AcknowledgementsApi,
    PaymentsApi,
    PublicRecordsApi,
    DocumentsApi
  )
  .prefix(basePath)
  .add(PublicPagesApi, InstallationApi) {}

type UnreadEndpoint<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer Id,
    infer Method,
    infer Path,
    infer _Params,
    infer _Query,
    infer _Payload,
    infer _Headers,
    infer _Success,
    infer _Error,
    infer Middleware,
    infer Services
  >
    ? HttpApiEndpoint.HttpApiEndpoint<
        Id,
        Method,
        Path,
        never,
        never,
        never,
        never,
        typeof HttpApiSchema.NoContent,
        Schema.Codec<Problem>,
        Middleware,
        Services
      >
    : never

type UnreadGroup<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer Id, infer Endpoints, infer TopLevel>
    ? HttpApiGroup.HttpApiGroup<Id, UnreadEndpoint<Endpoints>, TopLevel>
    : never

type Unread<Api> =
  Api extends HttpApi.HttpApi<infer Id, infer Groups> ? HttpApi.HttpApi<Id, UnreadGroup<Groups>> : never

const unreadEndpoint = (endpoint: HttpApiEndpoint.Top): HttpApiEndpoint.Top => {
  const bare: unknown = HttpApiEndpoint.make(endpoint.method)(endpoint.identifier, endpoint.path as `/${string}`)
  return [...endpoint.middlewares]
    .reduce((served, middleware) => served.middleware(middleware), bare as HttpApiEndpoint.Top)
    .annotateMerge(endpoint.annotations)
    .annotate(Described, endpoint)
}

const unreadGroup = ({ endpoints, identifier }: HttpApiGroup.Top): HttpApiGroup.Top => {
  const empty: unknown = HttpApiGroup.make(identifier)
  return Object.values(endpoints).reduce(
    (group, endpoint) => group.add(unreadEndpoint(endpoint)),
    empty as HttpApiGroup.Top
  )
}

const unread = <Api>(api: Api): Unread<Api> => {
  const { groups, identifier } = api as HttpApi.Top
  const empty: unknown = HttpApi.make(identifier)
  const served: unknown = Object.values(groups).reduce(
    (all, group) => all.add(unreadGroup(group)),
    empty as HttpApi.Top
  )
  return served as Unread<Api>
}

/** The same endpoints as they are served: their parts are read by the handlers. */
export const DirectRoutes = unread(DirectApi)
