/** How the contract describes its operations for the OpenAPI document. */
import type { Audience } from "@kanmon/domain/Audience"
import type { Permission } from "@kanmon/domain/Role"
import { Context, type Schema } from "effect"
import { OpenApi } from "effect/http-api"

/** The description of one operation in the OpenAPI document, besides its schemas. */
export interface Operation {
  /** The `operationId`: camelCase, unique in the document. */
  readonly id: string
  /** An imperative verb and a noun, at most five words. */
  readonly summary: string
  /** One to four sentences about behaviour, side effects, limits and important errors. */
  readonly description: string
  /** The permission that the caller needs; required on the endpoints of a project or an organization. */
  readonly access?: Permission
  /** An example of the request body; by media type where there are several. */
  readonly request?: Schema.Json | ByMediaType
  /** An example of the body of every successful response; by media type where there are several. */
  readonly response?: Schema.Json | ByMediaType
  /** An example of the response as CSV, which `Accept: text/csv` selects. */
  readonly csv?: string
  /** An example of the response as server-sent events, which `Accept: text/event-stream` selects. */
  readonly events?: string
  /** Headers that only this operation answers with, by their names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Examples of parameters, by their names. */
  readonly parameters?: Readonly<Record<string, Schema.Json>>
  /** How many JSON values the request body may have, if not as many as usual. */
  readonly maxValues?: number
  /** Whether the request body can be left out. */
  readonly optionalBody?: true
  /** For operations without `Authorization` that identify their caller themselves. */
  readonly audience?: Audience
  /** With `audience`: whether the session of a program counts too, and not only that of a browser. */
  readonly forPrograms?: true
  /**
   * Whether an administrator who acts as the account may call an endpoint of an account or organization. By default
   * they may read, may not write data of the account itself, and have the role editor in organizations.
   */
  readonly forImpersonators?: boolean
  /** A credential of `audience` can be left out. */
  readonly anonymous?: true
  /** Whether errors are those of SCIM instead of problem details. */
  readonly isScim?: true
  /** Whether errors are shown as HTML pages to browsers. */
  readonly errorPages?: true
}

/** Examples of one body in several media types. */
export class ByMediaType {
  readonly examples: Readonly<Record<string, Schema.Json>>
  constructor(examples: Readonly<Record<string, Schema.Json>>) {
    this.examples = examples
  }
}

/** The description that an endpoint carries. */
export class Documented extends Context.Service<Documented, Operation>()("@kanmon/protocol/internal/Documented") {}

/** Annotations of an endpoint for the OpenAPI document. */
export const operation = (described: Operation): Context.Context<never> => {
  const { description, id, summary } = described
  return Context.add(OpenApi.annotations({ identifier: id, summary, description }), Documented, described)
}
