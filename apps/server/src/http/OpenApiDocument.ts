/** The OpenAPI 3.1 document: generated from the contract, with the monitors' bodies as the loaded check kinds have them. */
import type { Channel } from "@kanmon/core/Channel"
import type { Catalogue } from "@kanmon/core/PluginHost"
import { freePlanId } from "@kanmon/domain/Plan"
import { Api } from "@kanmon/protocol/Api"
import { codes, Problem, type ProblemCode, ProblemDetails, toDetails } from "@kanmon/protocol/Problem"
import { OpenApi } from "effect/http-api"
import { authPaths, authProblems, authTag } from "./OpenApiAuth.ts"
import {
  channelChange,
  confirmationPaths,
  confirmationProblems,
  confirmationRequest,
  ofChannel,
  ruleChange,
  ruleRequest
} from "./OpenApiChannels.ts"
import { eventPaths, eventProblems, eventTag } from "./OpenApiEvents.ts"
import { heartbeatPaths, heartbeatProblems, heartbeatTag } from "./OpenApiHeartbeats.ts"
import { incidentRequests } from "./OpenApiIncidents.ts"
import { type Json, jsonSchema, ofCheck } from "./OpenApiMonitors.ts"
import { paymentPaths, paymentProblems, paymentRequests } from "./OpenApiPayments.ts"
import { publicPagePaths, publicPageProblems, publicPageSchemas } from "./OpenApiPublicPages.ts"
import { pageChange, pageRequest } from "./OpenApiPages.ts"
import { withDefaultsInWords } from "./OpenApiRequests.ts"

interface Operation extends Json {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Json>
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Kinds = ReadonlyArray<readonly [type: string, schemas: ReturnType<typeof ofCheck>]>

/** The document for an installation at this address. */
export const make = (
  { channels, checks }: Pick<Catalogue["Service"], "channels" | "checks">,
  baseUrl: string,
  version: string
): Json => {
  const { components, info, paths, tags, ...spec } = OpenApi.fromApi(Api)
  const kinds: Kinds = [...checks.values()].map((check) => [check.type, ofCheck(check)])
  const { ProblemEncoded: _, ...schemas } = components.schemas
  return {
    ...spec,
    info: { ...info, version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: baseUrl }],
    tags: [...tags, heartbeatTag, eventTag, authTag],
    paths: completed({
      ...paths,
      ...heartbeatPaths,
      ...publicPagePaths,
      ...confirmationPaths,
      ...paymentPaths,
      ...eventPaths,
      ...authPaths
    } as unknown as Paths),
    components: {
      ...components,
      schemas: {
        ...schemas,
        ...monitorRecords(kinds),
        ...withDefaultsInWords({
          ...monitorRequests(kinds),
          ...alertRequests([...channels.values()]),
          ...incidentRequests,
          StatusPageRequest: pageRequest,
          StatusPageChange: pageChange,
          ...paymentRequests
        }),
        ...publicPageSchemas,
        Problem: jsonSchema(ProblemDetails)
      },
      headers,
      securitySchemes: securitySchemes(baseUrl)
    }
  }
}

const securitySchemes = (baseUrl: string): Json => ({
  apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "A project's key" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: `${baseUrl.startsWith("https:") ? "__Secure-" : ""}kanmon.session_token`,
    description: "Set by signing in. Writes with the `Origin` of another site are refused."
  }
})

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

const oneOf = (prefix: string, kinds: Kinds): Json => ({
  oneOf: kinds.map(([type]) => schemaRef(`${prefix}.${type}`)),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(kinds.map(([type]) => [type, `#/components/schemas/${prefix}.${type}`]))
  }
})

const monitorRecords = (kinds: Kinds): Json => ({
  Monitor: oneOf("Monitor", kinds),
  ...Object.fromEntries(kinds.map(([type, { record }]) => [`Monitor.${type}`, record]))
})

const monitorRequests = (kinds: Kinds): Json => ({
  MonitorRequest: oneOf("MonitorRequest", kinds),
  MonitorChange: { anyOf: kinds.map(([type]) => schemaRef(`MonitorChange.${type}`)) },
  ...Object.fromEntries(
    kinds.flatMap(([type, { change, request }]) => [
      [`MonitorRequest.${type}`, request],
      [`MonitorChange.${type}`, change]
    ])
  )
})

const alertRequests = (channels: ReadonlyArray<Channel>): Json => ({
  NotificationChannelRequest: {
    oneOf: channels.map(({ type }) => schemaRef(`NotificationChannelRequest.${type}`)),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        channels.map(({ type }) => [type, `#/components/schemas/NotificationChannelRequest.${type}`])
      )
    }
  },
  ...Object.fromEntries(channels.map((channel) => [`NotificationChannelRequest.${channel.type}`, ofChannel(channel)])),
  NotificationChannelChange: channelChange,
  ConfirmationRequest: confirmationRequest,
  AlertRuleRequest: ruleRequest,
  AlertRuleChange: ruleChange
})

const projectName: Json = {
  type: "object",
  properties: { name: { type: "string", minLength: 1, maxLength: 200 } },
  required: ["name"],
  additionalProperties: false,
  examples: [{ name: "Shop" }]
}

/** Bodies that the contract leaves open, because they are decoded by hand. */
const bodies: Readonly<Record<string, Json>> = {
  createMonitor: schemaRef("MonitorRequest"),
  updateMonitor: schemaRef("MonitorChange"),
  testMonitor: schemaRef("MonitorRequest"),
  createNotificationChannel: schemaRef("NotificationChannelRequest"),
  updateNotificationChannel: schemaRef("NotificationChannelChange"),
  compareNotificationChannel: schemaRef("NotificationChannelChange"),
  confirmRecipient: schemaRef("ConfirmationRequest"),
  createAlertRule: schemaRef("AlertRuleRequest"),
  updateAlertRule: schemaRef("AlertRuleChange"),
  createIncident: schemaRef("IncidentRequest"),
  updateIncident: schemaRef("IncidentChange"),
  createStatusPage: schemaRef("StatusPageRequest"),
  updateStatusPage: schemaRef("StatusPageChange"),
  createPlan: schemaRef("PlanRequest"),
  updatePlan: schemaRef("PlanChange"),
  startCheckout: schemaRef("CheckoutRequest"),
  createProject: projectName,
  renameProject: projectName
}

/** Routes outside the contract, which know best what they refuse and whom. */
const byHand = {
  ...authProblems,
  ...heartbeatProblems,
  ...publicPageProblems,
  ...confirmationProblems,
  ...paymentProblems,
  ...eventProblems
}

const withSession = new Set([
  "listProjects",
  "createProject",
  "createPlan",
  "updatePlan",
  "deletePlan",
  "getSubscription",
  "startCheckout",
  "openBillingPortal"
])
const withEither = new Set(["getProject", "renameProject", "deleteProject", "rotateApiKey", "listPlugins"])
const health = new Set(["checkHealth", "checkLiveness"])
const isPublic = (operationId: string): boolean => health.has(operationId) || operationId === "listPlans"

/** What a plan may have no room for. */
const withinPlan = new Set([
  "createMonitor",
  "updateMonitor",
  "createNotificationChannel",
  "updateNotificationChannel",
  "createStatusPage",
  "updateStatusPage"
])
const withinAccount = new Set([
  "createProject",
  "createNotificationChannel",
  "createAlertRule",
  "createStatusPage",
  "createIncident",
  "updateIncident"
])
const mayConflict = new Set([
  "updateMonitor",
  "updateNotificationChannel",
  "updateAlertRule",
  "updateStatusPage",
  "deletePlan"
])
const sendsMessages = new Set(["testNotificationChannel", "sendConfirmationCode"])
const paid = new Set(["startCheckout", "openBillingPortal"])

/** Answered from memory: nobody is counted. */
const isUncounted = (operationId: string): boolean =>
  isPublic(operationId) ||
  operationId in publicPageProblems ||
  operationId in confirmationProblems ||
  operationId in paymentProblems

const securityOf = (operationId: string): ReadonlyArray<Json> => {
  if (isPublic(operationId)) return []
  if (withSession.has(operationId)) return [{ session: [] }]
  return withEither.has(operationId) ? [{ apiKey: [] }, { session: [] }] : [{ apiKey: [] }]
}

/** A list comes in pages when it takes a cursor. */
const isPaged = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === "cursor")

const problemsOf = (
  path: string,
  method: string,
  { operationId, requestBody }: Operation
): ReadonlyArray<ProblemCode> => {
  if (health.has(operationId)) return []
  const always = ["forbidden", "rate_limited", "internal_error", "unavailable"] as const
  const own = byHand[operationId]
  if (own !== undefined) return [...own, ...always]
  if (isPublic(operationId)) return always
  return [
    "unauthorized",
    ...always,
    ...(withinPlan.has(operationId) ? (["plan_limit_reached"] as const) : []),
    ...(withinAccount.has(operationId) ? (["account_limit_reached"] as const) : []),
    ...(paid.has(operationId) ? (["billing_not_configured"] as const) : []),
    ...(path.includes("{") ? (["not_found"] as const) : []),
    ...(method === "post" ? (["malformed_request", "conflict", "validation_failed"] as const) : []),
    ...(requestBody !== undefined || operationId in bodies
      ? (["malformed_request", "payload_too_large", "unsupported_media_type", "validation_failed"] as const)
      : []),
    ...(method === "get" ? (["malformed_request"] as const) : []),
    ...(mayConflict.has(operationId) ? (["conflict"] as const) : []),
    ...(sendsMessages.has(operationId) ? (["delivery_failed"] as const) : [])
  ]
}

const completed = (paths: Paths): Json =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, complete(path, method, operation)])
      )
    ])
  )

const complete = (path: string, method: string, operation: Operation): Json => {
  const { operationId, parameters, requestBody, responses, ...rest } = operation
  const body = bodies[operationId]
  // The contract's one problem schema stands for all of them; each status is told apart here.
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400 || health.has(operationId))
  return {
    ...rest,
    operationId,
    security: rest["security"] !== undefined && operationId in byHand ? rest["security"] : securityOf(operationId),
    parameters: [
      ...parameters.map((one) => (one["name"] === "limit" ? { ...one, schema: limitSchema } : one)),
      ...(method === "post" && !(operationId in byHand) ? [idempotencyKey] : [])
    ],
    ...(requestBody === undefined
      ? {}
      : { requestBody: body === undefined ? requestBody : withSchema(requestBody, body) }),
    responses: {
      ...Object.fromEntries(good.map(([status, one]) => [status, withHeaders(one, operation)])),
      ...Object.fromEntries(
        [...Map.groupBy(new Set(problemsOf(path, method, operation)), (code) => codes[code].status)].map(
          ([status, alike]) => [String(status), problemResponse(alike)]
        )
      )
    }
  }
}

/** The contract knows the example of such a body, and not its schema. */
const withSchema = (requestBody: Json, schema: Json): Json => {
  const { "application/json": open } = requestBody["content"] as { readonly "application/json": Json }
  return { ...requestBody, content: { "application/json": { ...open, schema } } }
}

const limitSchema: Json = { type: "integer", minimum: 1, maximum: 1000, default: 1000 }

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "For 24 hours a repeated request with the same key and body gets the first response and has no second effect",
  schema: { type: "string", maxLength: 255 }
}

const header = (description: string, type: string): Json => ({ description, schema: { type } })

const headers = {
  "X-Request-Id": header("The id of the request, from the client or generated; it is in the logs", "string"),
  RateLimit: header("What is left of the limit, and the seconds until it is reset", "string"),
  "RateLimit-Policy": header("The limit and its window in seconds", "string"),
  "Retry-After": header("Seconds to wait", "integer"),
  Link: header('The next page, rel="next" (RFC 8288)', "string")
}

const headerRefs = (...names: ReadonlyArray<keyof typeof headers>): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const withHeaders = (response: Json, operation: Operation): Json => ({
  ...response,
  headers: {
    ...headerRefs(
      "X-Request-Id",
      ...(isUncounted(operation.operationId) ? [] : (["RateLimit", "RateLimit-Policy"] as const))
    ),
    ...(isPaged(operation) ? headerRefs("Link") : {}),
    ...(response["headers"] as Json | undefined)
  }
})

/** How one status refuses, in one way or in several. */
const problemResponse = (alike: ReadonlyArray<ProblemCode>): Json => {
  const { status } = codes[alike[0]!]
  return {
    description: alike.map((code) => `${codes[code].title} (\`${code}\`): ${codes[code].when}`).join(". "),
    headers: headerRefs("X-Request-Id", ...(status === 429 || status === 503 ? (["Retry-After"] as const) : [])),
    content: {
      "application/problem+json": { schema: schemaRef("Problem"), example: problemExample(alike[0]!) }
    }
  }
}

const problemExample = (code: ProblemCode): Json =>
  toDetails(
    new Problem({
      code,
      detail: codes[code].when,
      ...(code === "validation_failed" ? { errors: [{ path: "interval", message: "Expected whole seconds" }] } : {}),
      ...(code === "plan_limit_reached" ? { planLimit: { limit: 50, current: 50, planId: freePlanId } } : {}),
      ...(code === "account_limit_reached" ? { accountLimit: { limit: 100, current: 100 } } : {})
    }),
    "01m7xs8mrbmd3ef5jxd1fat24r"
  )
