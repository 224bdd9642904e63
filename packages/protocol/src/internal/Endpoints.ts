/** The declarations of each endpoint besides its schemas, read from the endpoint and its middleware. */
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import { type Audience, audiences, type Credential } from "@kanmon/domain/Audience"
import { minimumRole, type Role, roleFor } from "@kanmon/domain/Role"
import { Context, Option, type Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Contract } from "../Api.ts"
import { type Described, describedBy, type HeaderName, pipelineCodes } from "../Middleware.ts"
import { codesOf } from "../Problem.ts"
import { Declared, type Serving, usual } from "../Serving.ts"
import { Documented, type Operation } from "./Operation.ts"

/** One endpoint, as its declarations describe it. */
export interface Endpoint {
  readonly operation: Operation
  readonly serving: Serving
  readonly method: string
  readonly path: string
  /** The problems that it can answer with. */
  readonly codes: ReadonlyArray<ProblemCode>
  /** Statuses with bodies that are not problems. */
  readonly successes: ReadonlySet<string>
  readonly credentials: ReadonlyArray<Credential | "none">
  /** The role that the caller needs in the project or organization; whom it is for, if it belongs to neither. */
  readonly caller: Role | Audience
  readonly headers: ReadonlyArray<HeaderName>
  readonly isIdempotent: boolean
  /** Whether only the session of a browser counts, not that of a program. */
  readonly isOfBrowser: boolean
  /** Whether it belongs to one project, in which the caller needs a role. */
  readonly isOfProject: boolean
  /** Whether it belongs to one organization, in which the caller needs a role. */
  readonly isOfOrganization: boolean
}

type Errors = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const endpointOf = (
  { annotations, method, middlewares, path }: HttpApiEndpoint.Top,
  successes: Iterable<number>,
  errors: Errors
): ReadonlyArray<Endpoint> => {
  const operation = Context.getOption(annotations, Documented)
  if (Option.isNone(operation)) return []
  const { access, anonymous = false, audience, forPrograms = false, id } = operation.value
  const around: ReadonlyArray<Described> = [...middlewares].flatMap((middleware) => describedBy(middleware) ?? [])
  // The innermost middleware with credentials decides.
  const admitted = audience ?? around.find((one) => one.audience !== undefined)?.audience ?? "public"
  const accepted =
    audience === undefined
      ? (around.find(({ credentials }) => credentials !== undefined)?.credentials ?? [])
      : audiences[audience]
  const isOfProject = around.some(({ project }) => project === true)
  const isOfOrganization = around.some(({ organization }) => organization === true)
  const needed = access === undefined ? undefined : access in minimumRole ? "project" : "organization"
  const found = isOfProject ? "project" : isOfOrganization ? "organization" : undefined
  if (needed !== found)
    throw new Error(
      `${id}: an endpoint has the \`access\` of a project exactly when it carries ProjectOnly, and that of an organization exactly when it carries OrganizationOnly`
    )
  return [
    {
      operation: operation.value,
      serving: {
        ...usual,
        ...Context.get(annotations, Declared),
        problems: operation.value.isScim === true ? "scim" : "details"
      },
      method: method.toLowerCase(),
      path: path.replaceAll(/:(\w+)/g, "{$1}"),
      codes: [...new Set([...[...errors.values()].flat().flatMap((schema) => codesOf(schema)), ...pipelineCodes])],
      successes: new Set([...successes].map(String)),
      credentials: anonymous ? [...accepted, "none"] : accepted,
      caller: access !== undefined ? roleFor(access) : anonymous ? "public" : admitted,
      headers: around.flatMap(({ headers }) => headers ?? []),
      isIdempotent: around.some(({ idempotent }) => idempotent === true),
      isOfBrowser: audience !== undefined && !forPrograms,
      isOfProject,
      isOfOrganization
    }
  ]
}

const read = (): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, successes }) => void found.push(...endpointOf(endpoint, successes.keys(), errors))
  })
  return found
}

/** Every endpoint by the `operationId` of its operation. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  read().map((endpoint) => [endpoint.operation.id, endpoint])
)
