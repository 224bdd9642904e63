/**
 * The JSON of every route, as types alone: `RouteMap["POST /monitors/:monitorId/check"]`. For code that sends requests
 * without the contract's schemas, such as the dashboard.
 */
import type { Schema } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Contract } from "./Api.ts"
import type { basePath } from "./BasePath.ts"

type Groups = typeof Contract extends HttpApi.HttpApi<infer _Id, infer All> ? All : never
type Endpoints = HttpApiGroup.Endpoints<Groups>

/** The path below the API's base path, without a slash at its end. */
type Below<Path extends string> = Path extends `${typeof basePath}${infer Rest}`
  ? Rest extends `${infer Start}/`
    ? Start
    : Rest
  : Path

type NameOf<Endpoint> = Endpoint extends {
  readonly method: infer Method extends string
  readonly path: infer Path extends string
}
  ? `${Method} ${Below<Path>}`
  : never

/** Leaves out paths that are patterns, such as those of files. */
type Fixed<Name extends string> = object extends Record<Name, 1> ? never : Name

/** Bodies that travel as JSON; text and files travel unchanged. */
type Json<S> = S extends Schema.toCodecJson<infer Inner> ? Inner["Encoded"] : never

/** The parameters of an address. A number is written as text. */
type Texts<S> =
  S extends Schema.toCodecStringTree<infer Inner>
    ? { readonly [Name in keyof Inner["Encoded"]]: Inner["Encoded"][Name] | TextOf<Inner["Type"], Name> }
    : never

type TextOf<Type, Name> = Name extends keyof Type ? Extract<Type[Name], number> : never

type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [_ in Name]?: never }
  : object extends Value
    ? { readonly [_ in Name]?: Value | undefined }
    : { readonly [_ in Name]: Value }

interface Route<Endpoint extends HttpApiEndpoint.ConstraintRequest> {
  /** The parts that a request needs. */
  readonly request: Part<"params", Texts<Endpoint["~Params"]>> &
    Part<"query", Texts<Endpoint["~Query"]>> &
    Part<"body", Json<Endpoint["~Payload"]>>
  /** The body of a success. */
  readonly response: Json<Endpoint["~Success"]>
}

/** Every route by its method and its path below the API's base path. */
export type RouteMap = {
  readonly [Endpoint in Endpoints as Fixed<NameOf<Endpoint>>]: Route<Endpoint>
}
