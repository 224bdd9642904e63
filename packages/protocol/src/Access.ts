/** Permissions and middleware that the contract's endpoints require of callers. */
import {
  minimumOrganizationRole,
  minimumRole,
  type OrganizationPermission,
  type Permission,
  type ProjectPermission
} from "@kanmon/domain/Role"
import { Context, Option, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { AdminOnly, OrganizationOnly, OrganizationOrKey, organizationParameter, UserOnly } from "./Middleware.ts"
import { Counted, type Counting, Declared, Described } from "./Serving.ts"
import { Documented } from "./internal/Operation.ts"

/**
 * The permission in the project or organization that the caller needs; undefined for endpoints that belong to neither.
 */
const permissionOf = ({ annotations }: HttpApiEndpoint.Top): Permission | undefined =>
  Option.getOrUndefined(Context.getOption(annotations, Documented))?.access

const isOfProject = (permission: Permission): permission is ProjectPermission => permission in minimumRole
const isOfOrganization = (permission: Permission): permission is OrganizationPermission =>
  permission in minimumOrganizationRole

/** The permission in the project that the caller needs. */
export const projectPermissionOf = (endpoint: HttpApiEndpoint.Top): ProjectPermission | undefined => {
  const permission = permissionOf(endpoint)
  return permission !== undefined && isOfProject(permission) ? permission : undefined
}

/** The permission in the organization that the caller needs. */
export const organizationPermissionOf = (endpoint: HttpApiEndpoint.Top): OrganizationPermission | undefined => {
  const permission = permissionOf(endpoint)
  return permission !== undefined && isOfOrganization(permission) ? permission : undefined
}

/** Whether an administrator may call the endpoint who acts as the account; undefined where its method decides. */
export const forImpersonators = ({ annotations }: HttpApiEndpoint.Top): boolean | undefined =>
  Option.getOrUndefined(Context.getOption(annotations, Documented))?.forImpersonators

/** How many JSON values the body may have, if not as many as usual. */
export const maxValuesOf = ({ annotations }: HttpApiEndpoint.Top): number | undefined =>
  Option.getOrUndefined(Context.getOption(annotations, Documented))?.maxValues

/** The endpoint as the contract describes it, if its handler reads the parts itself. */
export const describedOf = (endpoint: HttpApiEndpoint.Top): HttpApiEndpoint.Top =>
  Option.getOrElse(Context.getOption(endpoint.annotations, Described), () => endpoint)

/** Whether the body may be a form. */
export const takesForms = (endpoint: HttpApiEndpoint.Top): boolean =>
  describedOf(endpoint).payload.has("application/x-www-form-urlencoded")

/** How the endpoint counts requests of a network address. */
export const countingOf = ({ annotations }: HttpApiEndpoint.Top): Counting => Context.get(annotations, Counted)

/** Whether browsers post forms of other sites here. */
export const takesForeignForms = ({ annotations }: HttpApiEndpoint.Top): boolean =>
  Context.get(annotations, Declared).takesForeignForms === true

const ofOrganizations: ReadonlySet<unknown> = new Set([OrganizationOnly, OrganizationOrKey])

/** The parameters that the query may have. */
export const queryOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  const { middlewares, query } = describedOf(endpoint)
  const ast = query === undefined ? undefined : SchemaAST.toEncoded(query.ast)
  const declared =
    ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
  return [...middlewares].some((middleware) => ofOrganizations.has(middleware))
    ? [...declared, organizationParameter]
    : declared
}

const ofAccount: ReadonlySet<unknown> = new Set([UserOnly, AdminOnly, ...ofOrganizations])

/** Whether the endpoint belongs to an account or an organization, so that a session decides even if a key is sent too. */
export const isOfAccount = ({ middlewares }: HttpApiEndpoint.Top): boolean =>
  [...middlewares].some((middleware) => ofAccount.has(middleware))
