/** The routes of the contract. Types of monitors and channels include those of plugins. */
import type { QuietHours } from "@kanmon/domain/QuietHours"
import type { MonitorBulkChange } from "@kanmon/protocol/MonitorBulkBody"
import type { RouteMap } from "@kanmon/protocol/RouteMap"
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON
} from "@simplewebauthn/browser"
import type { MonitorRecord } from "../live/MonitorStore.ts"

/** Fields of a type, declared by its plugin and decoded by the server. */
type Fields = Readonly<Record<string, unknown>>

interface Method {
  readonly name: string
  readonly type: string
  readonly config: Fields
}

interface Channel extends Method {
  readonly quietHours?: typeof QuietHours.Encoded | null
}

/** The currency is text until the server decodes it. */
type Plan = Omit<NonNullable<RouteMap["POST /billing/plans"]["request"]["body"]>, "currency"> & {
  readonly currency: string
}

type SignOn = NonNullable<RouteMap["PUT /organizations/:organizationId/sso"]["request"]["body"]>

/** The server refuses an empty list. */
type Uncertified<Settings> = Settings extends { readonly certificates: unknown }
  ? Omit<Settings, "certificates"> & { readonly certificates: ReadonlyArray<string> }
  : Settings

/** Routes with fields of plugins, with objects of browsers, and with texts that the server decodes. */
interface Open {
  readonly "POST /billing/plans": {
    readonly body: Plan
    readonly response: RouteMap["POST /billing/plans"]["response"]
  }
  readonly "PATCH /billing/plans/:planId": {
    readonly body: Partial<Plan>
    readonly response: RouteMap["PATCH /billing/plans/:planId"]["response"]
  }
  readonly "PUT /organizations/:organizationId/sso": {
    readonly body: Uncertified<SignOn>
    readonly response: RouteMap["PUT /organizations/:organizationId/sso"]["response"]
  }
  readonly "GET /auth/passkey/generate-register-options": {
    readonly response: PublicKeyCredentialCreationOptionsJSON
  }
  readonly "GET /auth/passkey/generate-authenticate-options": {
    readonly response: PublicKeyCredentialRequestOptionsJSON
  }
  readonly "POST /auth/passkey/verify-registration": {
    readonly body: { readonly name: string; readonly response: object }
    readonly response: RouteMap["POST /auth/passkey/verify-registration"]["response"]
  }
  readonly "POST /auth/passkey/verify-authentication": {
    readonly body: { readonly response: object }
    readonly response: RouteMap["POST /auth/passkey/verify-authentication"]["response"]
  }
  readonly "GET /monitors/:monitorId": { readonly response: MonitorRecord }
  readonly "POST /monitors": { readonly body: Fields; readonly response: MonitorRecord }
  readonly "POST /monitors/batch": {
    readonly body: { readonly monitors: ReadonlyArray<Fields> }
    readonly response: ReadonlyArray<MonitorRecord>
  }
  readonly "POST /monitors/test": {
    readonly body: Fields
    readonly response: RouteMap["POST /monitors/test"]["response"]
  }
  readonly "PATCH /monitors": {
    readonly body: MonitorBulkChange
    readonly response: ReadonlyArray<MonitorRecord>
  }
  readonly "PATCH /monitors/:monitorId": { readonly body: Fields; readonly response: MonitorRecord }
  readonly "POST /notification-channels": {
    readonly body: Channel
    readonly response: RouteMap["POST /notification-channels"]["response"]
  }
  readonly "PATCH /notification-channels/:channelId": {
    readonly body: Partial<Channel>
    readonly response: RouteMap["PATCH /notification-channels/:channelId"]["response"]
  }
  readonly "POST /account/contact-methods": {
    readonly body: Method
    readonly response: RouteMap["POST /account/contact-methods"]["response"]
  }
  readonly "PATCH /account/contact-methods/:contactMethodId": {
    readonly body: Partial<Method>
    readonly response: RouteMap["PATCH /account/contact-methods/:contactMethodId"]["response"]
  }
}

/** A method and a path of the contract, such as `PATCH /monitors/:monitorId`. */
export type Route = keyof RouteMap

/** The body of a success, as JSON. */
export type Answer<R extends Route> = R extends keyof Open ? Open[R]["response"] : RouteMap[R]["response"]

/** The parts of a request: `params` of the path, `query` and `body`. */
export type Parts<R extends Route> = R extends keyof Open
  ? Omit<RouteMap[R]["request"], "body"> &
      (Open[R] extends { readonly body: infer Body } ? { readonly body: Body } : unknown)
  : RouteMap[R]["request"]
