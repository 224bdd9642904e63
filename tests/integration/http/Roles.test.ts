/**
 * Who may call what: every operation of the contract with every role, by key and by session. The matrix is derived from the
 * OpenAPI document, so a new operation is in it from the start.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { audiences } from "@kanmon/domain/Audience"
import { includes, KeyRole, minimumRole, roles, type Role } from "@kanmon/domain/Role"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { Effect } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { join, organizationOf } from "./Team.ts"
import { type ApiResponse, call, type Call, layer as server, person, refused, shop } from "./Server.ts"

type Person = Effect.Success<typeof person>

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Below the API's address, where these tests send their requests. */
  readonly isOfApi: boolean
  /** What `x-role` says: a role in the project or organization, or an audience. */
  readonly caller: string
  /** The role that it requires in a project or organization; undefined if it belongs to neither. */
  readonly role: Role | undefined
  readonly isOfOrganization: boolean
  readonly hasBody: boolean
  /** The credentials that it accepts; `none` where it can be called without. */
  readonly credentials: ReadonlyArray<string>
}

const document = OpenApiDocument.make(await Effect.runPromise(load(bundled)), "http://kanmon.example", "1")

const operations: ReadonlyArray<Operation> = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path: path.replace("/api/v1", ""),
    isOfApi: path.startsWith("/api/v1"),
    caller: operation["x-role"],
    role: roles.find((role) => role === operation["x-role"]),
    isOfOrganization: operation["x-role-of"] === "organization",
    hasBody: method === "post" || method === "patch" || (method === "put" && operation.requestBody !== undefined),
    credentials: (operation.security ?? []).map((one: object) => Object.keys(one)[0] ?? "none")
  }))
)

const ofProject = operations.filter(({ isOfOrganization, role }) => role !== undefined && !isOfOrganization)
/** Members are managed by people: keys cannot. */
const byKey = ofProject.filter(({ credentials }) => credentials.includes("apiKey"))
const ofOrganization = operations.filter(({ isOfOrganization }) => isOfOrganization)
const of = (...callers: ReadonlyArray<string>) => operations.filter(({ caller }) => callers.includes(caller))
/** Signing up and in follows rules of its own. */
const isOfAuth = ({ path }: Operation): boolean => path.startsWith("/auth/")
const ofAccount = of("account", "administrator").filter((operation) => !isOfAuth(operation))

/** Nothing that the address names exists, except the project: an operation that is allowed says so. */
const addressOf = ({ id, path }: Operation, place: string): string =>
  `${path
    .replace("{projectId}", place)
    .replace("{organizationId}", place)
    .replace("{monitorId}", "mon_none")
    .replace("{channelId}", "ch_none")
    .replace("{ruleId}", "rul_none")
    .replace("{alertId}", "alr_none")
    .replace("{silenceId}", "sil_none")
    .replace("{incidentId}", "inc_none")
    .replace("{statusPageId}", "sp_none")
    .replace("{keyId}", "key_none")
    .replace("{userId}", "usr_none")
    .replace("{teamId}", "team_none")
    .replace("{invitationId}", "inv_none")
    .replace("{silenceId}", "sil_none")
    .replaceAll(/\{(\w+)\}/g, "none")}${id === "streamEvents" ? "?lastEventId=x" : ""}`

const send = <R>(
  using: (...request: Parameters<Call>) => Effect.Effect<ApiResponse, never, R>,
  operation: Operation,
  place: string,
  headers?: Readonly<Record<string, string>>
) => using(operation.method, addressOf(operation, place), operation.hasBody ? {} : undefined, headers)

const isAdmitted = (answer: ApiResponse, name: string): void => {
  const isRefused = answer.status === 401 || (answer.status === 403 && answer.body.code === "forbidden")
  assert.isFalse(isRefused, `${name}: ${JSON.stringify(answer.body)}`)
  // The project or organization is known to the caller; what is missing is something in it.
  if (answer.status === 404) assert.notMatch(answer.body.detail, /project|organization/, name)
}

/** Deletes or changes what the other requests rely on, so each gets a project of its own. */
const consumes = new Set(["deleteProject", "rotateApiKey"])

const isTooLow = (answer: ApiResponse, operation: Operation): void => {
  refused(answer, 403, "forbidden")
  assert.include(answer.body.detail, `the role ${operation.role}`, operation.id)
}

/** How a request names its organization where the path does not. */
const inOrganization = (organizationId: string) => ({ "kanmon-organization": organizationId })

/** Operations of an organization that its keys may use too. */
const byOrganizationKey = new Set(ofOrganization.filter(({ credentials }) => credentials.includes("apiKey")))

const organizationKeyOf = Effect.fnUntraced(function* (owner: Call, organizationId: string, role: string) {
  const made = yield* owner("POST", `/organizations/${organizationId}/api-keys`, { name: role, role })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  return { "x-api-key": made.body.apiKey as string }
})

const keyOf = Effect.fnUntraced(function* (owner: Call, projectId: string, role: string) {
  const made = yield* owner("POST", `/projects/${projectId}/api-keys`, { name: role, role })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  return { "x-api-key": made.body.apiKey as string }
})

layer(server())("the operations of a project", (it) => {
  /** What a caller with a role gets from each operation. */
  const holds = Effect.fnUntraced(function* (
    role: Role,
    owner: Person,
    operations: ReadonlyArray<Operation>,
    credential: (projectId: string) => Effect.Effect<Record<string, string>, never, HttpServer.HttpServer>
  ) {
    const usual = yield* credential(owner.projectId)
    for (const operation of operations) {
      const fresh = consumes.has(operation.id)
        ? (yield* owner.withSession("POST", "/projects", { name: "Fresh" })).body.id
        : undefined
      const headers = fresh === undefined ? usual : yield* credential(fresh)
      const answer = yield* send(call, operation, fresh ?? owner.projectId, headers)
      if (includes(role, operation.role!)) isAdmitted(answer, operation.id)
      else isTooLow(answer, operation)
    }
  })

  for (const role of roles) {
    it.effect(`allow what the role ${role} may do, and name the role needed otherwise`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        const member = yield* join(ada, role)
        yield* holds(role, ada, ofProject, (projectId) =>
          Effect.succeed({ cookie: member.cookie, "kanmon-project": projectId })
        )
      })
    )

    it.effect(`allow it to a viewer who has the role ${role} in this project`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        const member = yield* join(ada, "viewer")
        const other = (yield* ada.withSession("POST", "/projects", { name: "Other" })).body.id
        const raise = Effect.fnUntraced(function* (projectId: string) {
          if (role !== "viewer")
            yield* ada.withSession("PUT", `/projects/${projectId}/members/${member.userId}`, { role })
          return { cookie: member.cookie, "kanmon-project": projectId }
        })
        yield* holds(role, ada, ofProject, raise)
        // In the other projects and in the organization nothing is raised.
        yield* holds(
          "viewer",
          { ...ada, projectId: other },
          ofProject.filter(({ id }) => !consumes.has(id)),
          () => Effect.succeed({ cookie: member.cookie, "kanmon-project": other })
        )
        const organizationId = yield* organizationOf(ada)
        for (const operation of ofOrganization.filter((one) => one.role !== "viewer"))
          isTooLow(
            yield* send(member.withSession, operation, organizationId, inOrganization(organizationId)),
            operation
          )
      })
    )
  }

  for (const role of KeyRole.literals) {
    it.effect(`allow what the role ${role} may do to a key with it`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        yield* holds(role, ada, byKey, (projectId) => keyOf(ada.withSession, projectId, role))
        const key = yield* keyOf(ada.withSession, ada.projectId, role)
        for (const operation of ofProject.filter((one) => !byKey.includes(one)))
          refused(yield* send(call, operation, ada.projectId, key), 403, "forbidden")
      })
    )

    it.effect(`allow it in each project to a key of the organization with the role ${role}`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        const key = yield* organizationKeyOf(ada.withSession, yield* organizationOf(ada), role)
        yield* holds(role, ada, byKey, (projectId) => Effect.succeed({ ...key, "kanmon-project": projectId }))
        const named = { ...key, "kanmon-project": ada.projectId }
        for (const operation of ofProject.filter((one) => !byKey.includes(one)))
          refused(yield* send(call, operation, ada.projectId, named), 403, "forbidden")
        const stranger = yield* person
        for (const operation of byKey) {
          const elsewhere = { ...key, "kanmon-project": stranger.projectId }
          refused(yield* send(call, operation, stranger.projectId, elsewhere), 404, "not_found")
        }
      })
    )
  }

  it.effect("refuse strangers as if the project did not exist, and callers without a credential", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      for (const operation of ofProject) {
        refused(yield* send(call, operation, ada.projectId), 401, "unauthorized")
        for (const project of [ada.projectId, "prj_none", "nonsense"]) {
          const headers = { "kanmon-project": project }
          refused(yield* send(ben.withSession, operation, ada.projectId, headers), 404, "not_found")
        }
        if (operation.path.includes("{projectId}")) {
          refused(yield* send(ben.withKey, operation, ada.projectId), 404, "not_found")
          isAdmitted(yield* send(ada.withSession, operation, "prj_none").pipe(Effect.map(asRecord)), operation.id)
        } else {
          const answer = yield* send(ada.withSession, operation, ada.projectId)
          refused(answer, 403, "forbidden")
          assert.include(answer.body.detail, "Kanmon-Project")
        }
      }
    })
  )

  it.effect("let the key decide when a session is sent as well", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const both = { "x-api-key": ada.key, cookie: ben.cookie, "kanmon-project": ben.projectId }
      const made = yield* call("POST", "/monitors", shop, both)
      assert.strictEqual(made.body.projectId, ada.projectId)
      assert.isEmpty((yield* ben.withKey("GET", "/monitors")).body)
      // A wrong key is not overlooked because of the session.
      refused(yield* call("GET", "/monitors", undefined, { ...both, "x-api-key": "km_x" }), 401, "unauthorized")
    })
  )

  it.effect("let no page of another origin write with a session", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "kanmon-project": ada.projectId, origin: "https://evil.example" }
      refused(yield* ada.withSession("POST", "/monitors", shop, headers), 403, "forbidden")
      const own = { ...headers, origin: "http://kanmon.example" }
      assert.strictEqual((yield* ada.withSession("POST", "/monitors", shop, own)).status, 201)
    })
  )
})

/** The project in the path is what does not exist here. */
const asRecord = (answer: ApiResponse): ApiResponse => ({ ...answer, body: { ...answer.body, detail: "" } })

layer(server())("the operations of an organization", (it) => {
  for (const role of roles) {
    it.effect(`allow what the role ${role} may do, and name the role needed otherwise`, () =>
      Effect.gen(function* () {
        const ada = yield* person
        const member = yield* join(ada, role)
        const organizationId = yield* organizationOf(ada)
        // Last, because it ends what the others need.
        const last = ofOrganization.filter(({ id }) => id === "deleteOrganization")
        for (const operation of [...ofOrganization.filter((one) => !last.includes(one)), ...last]) {
          const answer = yield* send(member.withSession, operation, organizationId, inOrganization(organizationId))
          if (includes(role, operation.role!)) isAdmitted(answer, operation.id)
          else isTooLow(answer, operation)
        }
      })
    )
  }

  for (const role of KeyRole.literals) {
    it.effect(`allow what the role ${role} may do on call to a key of the organization, and nothing else`, () =>
      Effect.gen(function* () {
        const [ada, ben] = [yield* person, yield* person]
        const organizationId = yield* organizationOf(ada)
        const foreign = yield* organizationOf(ben)
        const key = yield* organizationKeyOf(ada.withSession, organizationId, role)
        for (const operation of ofOrganization) {
          const answer = yield* send(call, operation, organizationId, { ...key, ...inOrganization(organizationId) })
          if (!byOrganizationKey.has(operation)) {
            refused(answer, 403, "forbidden")
            assert.include(answer.body.detail, "session", operation.id)
          } else if (includes(role, operation.role!)) isAdmitted(answer, operation.id)
          else isTooLow(answer, operation)
          const elsewhere = yield* send(call, operation, foreign, { ...key, ...inOrganization(foreign) })
          assert.include([403, 404], elsewhere.status, operation.id)
          if (byOrganizationKey.has(operation)) refused(elsewhere, 404, "not_found")
        }
        for (const operation of ofAccount) refused(yield* send(call, operation, ada.projectId, key), 403, "forbidden")
      })
    )
  }

  it.effect("refuse strangers as if the organization did not exist, keys, and callers without a credential", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const organizationId = yield* organizationOf(ada)
      for (const operation of ofOrganization) {
        refused(yield* send(call, operation, organizationId, inOrganization(organizationId)), 401, "unauthorized")
        for (const id of [organizationId, "org_none", "nonsense"]) {
          const answer = yield* send(ben.withSession, operation, id, inOrganization(id))
          // A malformed id in a path is one that does not exist.
          refused(answer, 404, "not_found")
        }
        const byKey = yield* send(ada.withKey, operation, organizationId, inOrganization(organizationId))
        refused(byKey, 403, "forbidden")
        assert.include(byKey.body.detail, "session", operation.id)
      }
    })
  )

  it.effect("let no page of another origin write with a session", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organizationId = yield* organizationOf(ada)
      const headers = { ...inOrganization(organizationId), origin: "https://evil.example" }
      for (const operation of ofOrganization.filter(({ method }) => method !== "GET"))
        refused(yield* send(ada.withSession, operation, organizationId, headers), 403, "forbidden")
    })
  )
})

layer(server())("the operations of an account", (it) => {
  it.effect("require a session, which decides when a key is sent as well", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      for (const operation of ofAccount) {
        refused(yield* send(call, operation, ada.projectId), 401, "unauthorized")
        const byKey = yield* send(ada.withKey, operation, ada.projectId)
        refused(byKey, 403, "forbidden")
        assert.include(byKey.body.detail, "session", operation.id)
        const both = yield* send(ada.withSession, operation, ada.projectId, { "x-api-key": ben.key })
        // What an account has may itself be a session, and be missing.
        if (both.status !== 404) assert.notInclude(String(both.body.detail), "session", operation.id)
      }
      const projects = yield* ada.withSession("GET", "/projects", undefined, { "x-api-key": ben.key })
      assert.deepStrictEqual(
        projects.body.map(({ id }: { readonly id: string }) => id),
        [ada.projectId]
      )
    })
  )
})

layer(server())("the operations that belong to no project", (it) => {
  /** Every kind of caller: a key of each role, a session, and an administrator's. */
  const callers = Effect.gen(function* () {
    const ada = yield* person
    const boss = yield* person
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE users SET is_admin = true WHERE email = ${boss.email}`
    const keys = yield* Effect.forEach(KeyRole.literals, (role) => keyOf(ada.withSession, ada.projectId, role))
    return {
      projectId: ada.projectId,
      keys: [{ "x-api-key": ada.key }, ...keys],
      session: { cookie: ada.cookie },
      administrator: { cookie: boss.cookie }
    }
  })

  it.effect("admit exactly the callers that x-role names", () =>
    Effect.gen(function* () {
      const { administrator, keys, projectId, session } = yield* callers
      const sent = (operation: Operation, headers?: Readonly<Record<string, string>>) =>
        send(call, operation, projectId, headers)
      for (const operation of of("public").filter((one) => !isOfAuth(one) && one.isOfApi)) {
        const answer = yield* sent(operation)
        assert.notStrictEqual(answer.body.code, "unauthorized", operation.id)
        assert.notStrictEqual(answer.body.code, "forbidden", operation.id)
      }
      // With a token for provisioning they have tests of their own.
      for (const operation of of("identityProvider"))
        for (const headers of [undefined, ...keys, session, administrator])
          assert.strictEqual((yield* sent(operation, headers)).status, 401, operation.id)
      for (const operation of of("caller")) {
        refused(yield* sent(operation), 401, "unauthorized")
        for (const headers of [...keys, session, administrator])
          isAdmitted(yield* sent(operation, headers), operation.id)
      }
      for (const operation of ofAccount) {
        refused(yield* sent(operation), 401, "unauthorized")
        for (const headers of keys) refused(yield* sent(operation, headers), 403, "forbidden")
        const byAccount = yield* sent(operation, session)
        if (operation.caller === "administrator") {
          refused(byAccount, 403, "forbidden")
          assert.include(byAccount.body.detail, "administrator", operation.id)
        } else isAdmitted(byAccount, operation.id)
        isAdmitted(yield* sent(operation, administrator), operation.id)
      }
      for (const operation of of("account").filter(isOfAuth)) refused(yield* sent(operation), 401, "unauthorized")
    })
  )
})

describe("the contract", () => {
  it("says of every operation who may call it", () => {
    const named = new Set<string>([...roles, ...Object.keys(audiences)])
    assert.deepStrictEqual(
      operations.filter(({ caller }) => !named.has(caller)).map(({ id }) => id),
      []
    )
    // Any caller may read them: they belong to no project and no account.
    assert.deepStrictEqual(
      of("caller").map(({ id }) => id),
      ["listPlugins", "listCheckTypes", "listChannelTypes"]
    )
    assert.sameMembers(
      of("administrator").map(({ id }) => id),
      [
        "listProbes",
        "createPlan",
        "updatePlan",
        "deletePlan",
        "listInstallationAuditLog",
        "listInstallationAccounts",
        "getInstallationAccount",
        "disableAccount",
        "enableAccount",
        "impersonateAccount",
        "listInstallationOrganizations",
        "disableOrganization",
        "enableOrganization"
      ]
    )
    assert.isAbove(ofProject.length, 40)
    assert.includeMembers(
      ofProject.map(({ caller }) => caller),
      [...new Set(Object.values(minimumRole))]
    )
  })

  /** Who has which role in a project is decided by people. */
  const ofPeople = new Set(["listProjectMembers", "raiseProjectMember", "resetProjectMember"])

  /** What is on call, and the people whom it names: all else of an organization is for people. */
  const ofOrganizationKeys = /^\/organizations\/\{organizationId\}\/(schedules|escalation-policies|on-call)(\/|$)/
  const readByKeys = new Set(["listMembers", "listTeams"])

  it("accepts exactly the credentials of whom x-role names", () => {
    for (const operation of operations) {
      const { caller, credentials, id, isOfOrganization, path } = operation
      const audience = Object.entries(audiences).find(([name]) => name === caller)?.[1]
      const isShared = ofOrganizationKeys.test(path) || readByKeys.has(id)
      const isOfPeople = (isOfOrganization && !isShared) || ofPeople.has(id)
      const named: ReadonlyArray<string> = audience ?? (isOfPeople ? ["session"] : ["apiKey", "session"])
      // What concerns signing in itself is for browsers; elsewhere the session of a program is as good.
      const expected = named.flatMap((one) => (one === "session" && !isOfAuth(operation) ? [one, "token"] : [one]))
      // What is public may read a session, if there is one.
      if (caller === "public") assert.oneOf(credentials.join(), ["", "session,none", "session,token,none"], id)
      else assert.deepStrictEqual(credentials, expected, `${id} (where keys of projects may not ask: ofPeople, above)`)
    }
  })
})

layer(server())("a role below editor", (it) => {
  it.effect("sees no secrets", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const config = { url: "https://hooks.example/secret-path", headers: { "X-Token": "very secret token" } }
      const channel = yield* ada.withKey("POST", "/notification-channels", { name: "Hook", type: "webhook", config })
      const monitor = yield* ada.withKey("POST", "/monitors", {
        ...shop,
        url: "https://ada:hunter2hunter2@shop.example/",
        headers: { authorization: "Bearer 0123456789abcdef" }
      })
      const job = yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 60 })
      for (const role of KeyRole.literals) {
        const key = yield* keyOf(ada.withSession, ada.projectId, role)
        const read = (route: string) => Effect.map(call("GET", route, undefined, key), ({ body }) => body)
        const mayRead = includes(role, "editor")
        for (const shown of [
          yield* read(`/notification-channels/${channel.body.id}`),
          (yield* read("/notification-channels"))[0]
        ])
          assert.strictEqual(shown.config.url, mayRead ? config.url : "••••", role)
        for (const shown of [yield* read(`/monitors/${monitor.body.id}`), (yield* read("/monitors"))[1]]) {
          assert.strictEqual(shown.headers.authorization, mayRead ? "Bearer 0123456789abcdef" : "••••", role)
          assert.strictEqual(shown.url.includes("hunter2"), mayRead, role)
          assert.include(shown.url, "shop.example")
        }
        const { heartbeatUrl } = yield* read(`/monitors/${job.body.id}`)
        assert.strictEqual(heartbeatUrl === job.body.heartbeatUrl, mayRead, role)
        assert.strictEqual((yield* read(`/projects/${ada.projectId}`)).apiKey === ada.key, role === "admin", role)
      }
    })
  )
})
