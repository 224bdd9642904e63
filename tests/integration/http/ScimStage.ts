/** An organization with a proven domain, and its identity provider that provisions people by SCIM. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { type ApiResponse, call, person } from "./Server.ts"
import { organizationOf } from "./Team.ts"

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
export const enterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

type ScimCall = (
  method: string,
  route: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>
) => Effect.Effect<ApiResponse>

/** Calls SCIM with a token. */
export const scimWith = Effect.fnUntraced(function* (token: string) {
  const server = yield* HttpServer.HttpServer
  const scim: ScimCall = (method, route, body, headers) =>
    call(method, `/scim/v2${route}`, body, {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
      ...headers
    }).pipe(Effect.provideService(HttpServer.HttpServer, server))
  return scim
})

let organizations = 0

/** An owner with a second factor aside, an organization that has proven a domain of its own, and a token. */
export const tenant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* person
  const organizationId = yield* organizationOf(owner)
  const domain = `tenant${++organizations}.example`
  yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
    VALUES (${organizationId}, ${domain}, 'proof', now(), now())`
  const route = `/organizations/${organizationId}`
  const made = yield* owner.withSession("POST", `${route}/scim-tokens`, { name: "Directory" })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  const scim = yield* scimWith(made.body.token)

  /** Single sign-on whose groups give these roles. */
  const mapped = (roles: Readonly<Record<string, string>>, defaultRole: string | null = "viewer") =>
    Effect.map(
      owner.withSession("PUT", `${route}/sso`, {
        protocol: "oidc",
        enabled: true,
        enforced: false,
        roles: Object.entries(roles).map(([group, role]) => ({ group, role })),
        defaultRole,
        issuer: "http://127.0.0.1:9",
        clientId: "kanmon",
        scopes: [],
        groupsClaim: "groups"
      }),
      ({ body, status }) => assert.strictEqual(status, 200, JSON.stringify(body))
    )
  const members = Effect.map(
    owner.withSession("GET", `${route}/members`),
    ({ body }) =>
      Object.fromEntries(
        (body as ReadonlyArray<any>).map(({ email, role, source }) => [email, `${role} by ${source}`])
      ) as Readonly<Record<string, string>>
  )
  const provision = Effect.fnUntraced(function* (name: string, more: object = {}) {
    const answer = yield* scim("POST", "/Users", user(`${name}@${domain}`, more))
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  })
  return { owner, organizationId, domain, route, token: made.body, scim, mapped, members, provision }
})

/** A person as providers send one. */
export const user = (userName: string, more: object = {}) => ({
  schemas: [userSchema],
  userName,
  active: true,
  ...more
})

export const patch = (...Operations: ReadonlyArray<object>) => ({ schemas: [patchSchema], Operations })

/** Asserts an error in SCIM's form. */
export const scimRefused = (answer: ApiResponse, status: number, scimType?: string, detail?: RegExp): void => {
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  assert.strictEqual(answer.headers.get("content-type"), "application/scim+json")
  assert.deepStrictEqual(answer.body.schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"])
  assert.strictEqual(answer.body.status, String(status))
  assert.strictEqual(answer.body.scimType, scimType, JSON.stringify(answer.body))
  if (detail !== undefined) assert.match(answer.body.detail, detail)
}
