/**
 * The middleware of the endpoints. Each middleware declares the errors, the headers and the credentials that it adds, so
 * that the OpenAPI document of an operation follows from the middleware that its endpoint carries.
 */
import type { OrganizationId, ProjectId } from "@kanmon/domain/Ids"
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import type { Principal, User } from "@kanmon/domain/Principal"
import { type Audience, audiences, type Credential } from "@kanmon/domain/Audience"
import type { Role } from "@kanmon/domain/Role"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { refuses } from "./Problem.ts"

/** Response headers that the document describes once. */
export type HeaderName =
  "X-Request-Id" | "RateLimit" | "RateLimit-Policy" | "Retry-After" | "Idempotency-Replayed" | "Link"

/** The parts that a middleware adds to the OpenAPI document of an operation, besides its errors. */
export interface Described {
  /** Any of these is accepted. A middleware further inside narrows the choice. */
  readonly credentials?: ReadonlyArray<Credential>
  /** Whom it admits, where no role in a project decides. */
  readonly audience?: Audience
  /** Headers of every successful response. */
  readonly headers?: ReadonlyArray<HeaderName>
  /** Whether `Idempotency-Key` is accepted. */
  readonly idempotent?: boolean
  /** Whether the operation belongs to one project, in which the caller needs a role. */
  readonly project?: boolean
  /** Whether the operation belongs to one organization, in which the caller needs a role. */
  readonly organization?: boolean
}

const admitting = (audience: Audience): Described => ({ audience, credentials: audiences[audience] })

/** How the `User-Agent` of `kanmon apply` begins. */
export const fileApplyAgent = "kanmon-apply"

/** The header by which a session names the project; a key belongs to one already. */
export const projectHeader = "Kanmon-Project"
/** The same as a query parameter, for clients that cannot send headers. */
export const projectParameter = "project"

/** The header that names the organization, where the path does not. */
export const organizationHeader = "Kanmon-Organization"
/** The same as a query parameter. */
export const organizationParameter = "organization"

/** Errors of the request pipeline before routing: bodies that are too large or compressed. */
export const pipelineCodes: ReadonlyArray<ProblemCode> = ["payload_too_large", "unsupported_media_type"]

/** The caller of the request. */
export class Caller extends Context.Service<Caller, Principal>()("@kanmon/protocol/Caller") {}

/** The project of the request: that of the API key, of the path, or of the header `Kanmon-Project`. */
export class CallerProject extends Context.Service<CallerProject, ProjectId>()("@kanmon/protocol/CallerProject") {}

/** The organization of the request: that of the path, of the header `Kanmon-Organization`, or the account's own. */
export class CallerOrganization extends Context.Service<CallerOrganization, OrganizationId>()(
  "@kanmon/protocol/CallerOrganization"
) {}

/** The caller's role in the project or the organization of the request. */
export class CallerRole extends Context.Service<CallerRole, Role>()("@kanmon/protocol/CallerRole") {}

/** The account that is signed in. */
export class CallerUser extends Context.Service<CallerUser, User>()("@kanmon/protocol/CallerUser") {}

/** Renders problems as responses, also those of the head of a request, of defects and of missing dependencies. */
export class Problems extends HttpApiMiddleware.Service<Problems>()("@kanmon/protocol/Problems", {
  error: refuses("internal_error", "unavailable", "uri_too_long", "headers_too_large")
}) {}

/** Identifies the caller by an API key or a session. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "@kanmon/protocol/Authorization",
  { error: refuses("malformed_request", "unauthorized", "forbidden", "rate_limited") }
) {
  static readonly described: Described = admitting("caller")
}

/**
 * Finds the project of the request and checks the caller's role against the endpoint's `access`. A project in which the
 * caller has no role is reported as not found.
 */
export class ProjectOnly extends HttpApiMiddleware.Service<
  ProjectOnly,
  { provides: CallerProject | CallerRole; requires: Caller }
>()("@kanmon/protocol/ProjectOnly", { error: refuses("forbidden", "organization_disabled", "not_found") }) {
  static readonly described: Described = { credentials: ["apiKey", "session"], project: true }
}

/**
 * Finds the organization of the request and checks the caller's session and role against the endpoint's `access`. An
 * organization without the caller as a member is reported as not found.
 */
export class OrganizationOnly extends HttpApiMiddleware.Service<
  OrganizationOnly,
  { provides: CallerOrganization | CallerRole | CallerUser; requires: Caller }
>()("@kanmon/protocol/OrganizationOnly", { error: refuses("forbidden", "organization_disabled", "not_found") }) {
  static readonly described: Described = { credentials: ["session"], organization: true }
}

/**
 * The same where an API key of the organization is a caller too, with its role: an endpoint of this kind has no person. A key
 * of another organization finds nothing, and that of a project is refused.
 */
export class OrganizationOrKey extends HttpApiMiddleware.Service<
  OrganizationOrKey,
  { provides: CallerOrganization | CallerRole; requires: Caller }
>()("@kanmon/protocol/OrganizationOrKey", { error: refuses("forbidden", "organization_disabled", "not_found") }) {
  static readonly described: Described = { credentials: ["apiKey", "session"], organization: true }
}

/** Refuses callers without a session. */
export class UserOnly extends HttpApiMiddleware.Service<UserOnly, { provides: CallerUser; requires: Caller }>()(
  "@kanmon/protocol/UserOnly",
  { error: refuses("forbidden") }
) {
  static readonly described: Described = admitting("account")
}

/** Refuses callers without the session of an administrator. */
export class AdminOnly extends HttpApiMiddleware.Service<AdminOnly, { provides: CallerUser; requires: Caller }>()(
  "@kanmon/protocol/AdminOnly",
  { error: refuses("forbidden") }
) {
  static readonly described: Described = admitting("administrator")
}

/** Finds the organization by a token for provisioning, and limits the request rate of the token. */
export class Provisioning extends HttpApiMiddleware.Service<Provisioning, { provides: CallerOrganization }>()(
  "@kanmon/protocol/Provisioning",
  {
    error: refuses("unauthorized", "forbidden", "organization_disabled", "rate_limited")
  }
) {
  static readonly described: Described = {
    ...admitting("identityProvider"),
    headers: ["RateLimit", "RateLimit-Policy"]
  }
}

/** Limits the request rate of a caller and its account. */
export class Limits extends HttpApiMiddleware.Service<Limits, { requires: Caller }>()("@kanmon/protocol/Limits", {
  error: refuses("rate_limited")
}) {
  static readonly described: Described = { headers: ["RateLimit", "RateLimit-Policy"] }
}

/** Gives a repeated request with the same `Idempotency-Key` the first response. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Caller }>()(
  "@kanmon/protocol/Idempotency",
  { error: refuses("malformed_request", "conflict", "validation_failed") }
) {
  static readonly described: Described = { idempotent: true }
}

/** Refuses a body that is too large, too deep, not JSON, or of another content type. */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("@kanmon/protocol/JsonBody", {
  error: refuses(
    "malformed_request",
    "request_timeout",
    "payload_too_large",
    "unsupported_media_type",
    "validation_failed"
  )
}) {}

/**
 * Refuses a body that is too large or too deep. The endpoint's own protocol decides about the media type and the form
 * of errors.
 */
export class BoundedBody extends HttpApiMiddleware.Service<BoundedBody>()("@kanmon/protocol/BoundedBody", {
  error: refuses("malformed_request", "request_timeout", "payload_too_large", "unsupported_media_type")
}) {}

/** Limits the request rate of a network address. */
export class AddressLimits extends HttpApiMiddleware.Service<AddressLimits>()("@kanmon/protocol/AddressLimits", {
  error: refuses("rate_limited")
}) {
  static readonly described: Described = { headers: ["RateLimit", "RateLimit-Policy"] }
}

const described: ReadonlyArray<readonly [middleware: unknown, Described]> = [
  Authorization,
  ProjectOnly,
  OrganizationOnly,
  OrganizationOrKey,
  UserOnly,
  AdminOnly,
  Provisioning,
  Limits,
  Idempotency,
  AddressLimits
].map((middleware) => [middleware, middleware.described])

const descriptions = new Map(described)

/** The parts that a middleware adds to the document, if any. */
export const describedBy = (middleware: unknown): Described | undefined => descriptions.get(middleware)
