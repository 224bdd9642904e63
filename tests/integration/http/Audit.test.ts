/** The audit log over HTTP. Every operation of the contract that writes is walked: none can be forgotten. */
import { assert, layer } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import type { auditActions } from "@kanmon/domain/AuditEntry"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { dayMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { join, organizationOf, verify } from "./Team.ts"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Retention } from "@kanmon/monitoring/retention"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { layer as alertServer, outage } from "./AlertServer.ts"
import { call, layer as server, password, person, publicUrl, refused, shop } from "./Server.ts"
import { layerOf, telegram } from "../../support/OnCallBodies.ts"

const document = OpenApiDocument.make(await Effect.runPromise(load(bundled)), "http://kanmon.example", "1")

/** The operations that a caller with a key or a session writes with. */
const writing = Object.entries<any>(document.paths)
  .filter(([path]) => !path.startsWith("/api/v1/auth/"))
  .flatMap(([, methods]) => Object.entries<any>(methods))
  .filter(
    ([method, { security }]) =>
      method !== "get" && security.some((one: object) => Object.keys(one).some((name) => name !== "none"))
  )
  .map(([, { operationId }]) => operationId as string)

/** What they change, if anything, is not Kanmon's; a payment is recorded when the provider reports it. */
const changesNothing = [
  "testMonitor",
  "checkMonitorNow",
  "compareMonitor",
  "compareNotificationChannel",
  "previewStatusPage",
  "checkUptimeKumaFile",
  "testNotificationChannel",
  "testContactMethod",
  "sendContactMethodCode",
  "sendConfirmationCode",
  "startCheckout",
  "openBillingPortal",
  "previewSchedule",
  "previewScheduleChange",
  "previewEscalationPolicy",
  "previewEscalationPolicyChange"
]

/** Asserted in `Recipients.test.ts` and `ContactMethods.test.ts`, where codes arrive, and in `AccountData.test.ts`, where nothing remains. */
const withCode = ["confirmRecipient", "confirmContactMethod", "deleteAccount"]

const until = toIso(Date.now() + dayMillis)

/** They need an alert that is open. */
const acts = [
  ["acknowledgeAlert", "alert.acknowledged", "/alerts/{}/acknowledge", { note: "On it" }, { note: "On it" }],
  ["unacknowledgeAlert", "alert.unacknowledged", "/alerts/{}/unacknowledge", undefined, {}],
  ["snoozeAlert", "alert.snoozed", "/alerts/{}/snooze", { until }, { until }],
  ["acknowledgeMonitorAlerts", "alert.acknowledged", "/monitors/{}/alerts/acknowledge", {}, { note: null }],
  ["unacknowledgeMonitorAlerts", "alert.unacknowledged", "/monitors/{}/alerts/unacknowledge", undefined, {}],
  ["snoozeMonitorAlerts", "alert.snoozed", "/monitors/{}/alerts/snooze", { until }, { until }]
] as const

interface Step {
  readonly operation: string
  readonly action: keyof typeof auditActions
  readonly method: string
  /** With `{}` for the ID of what the steps before created under this name. */
  readonly route: string
  readonly body?: unknown
  readonly before: object | null
  readonly after: object | null
}

const hook = {
  name: "Hook",
  type: "webhook",
  config: { url: "https://hooks.example/", secret: "whsec_dG9wIHNlY3JldCwgYW5kIGxvbmcgZW5vdWdo" }
}
const page = { name: "Acme", slug: "acme", monitorIds: [] }
const plan = { name: "Studio", monitors: 200, checkInterval: 30, regions: 3, price: 19.9 }
const rule = { name: "Down", monitorIds: [], channelIds: [], trigger: "monitor_down", consecutiveFailures: 2 }
const incident = { title: "Slow", status: "investigating", message: "We look into it.", monitorIds: [] }

/** A creation, a change and a deletion of one kind. */
const lifeOf = (
  kind: string,
  route: string,
  names: readonly [create: string, update: string, remove: string],
  body: object,
  change: object,
  [before, after]: readonly [object, object] = [{}, change]
): ReadonlyArray<Step> => [
  {
    operation: names[0],
    action: `${kind}.created` as Step["action"],
    method: "POST",
    route,
    body,
    before: null,
    after: {}
  },
  {
    operation: names[1],
    action: `${kind}.updated` as Step["action"],
    method: "PATCH",
    route: `${route}/{}`,
    body: change,
    before,
    after
  },
  {
    operation: names[2],
    action: `${kind}.deleted` as Step["action"],
    method: "DELETE",
    route: `${route}/{}`,
    before: {},
    after: null
  }
]

const steps: ReadonlyArray<Step> = [
  ...lifeOf(
    "monitor",
    "/monitors",
    ["createMonitor", "updateMonitor", "deleteMonitor"],
    { ...shop, headers: { authorization: "Bearer 0123456789abcdef" } },
    { interval: 30 },
    [{ interval: 60 }, { interval: 30 }]
  ),
  ...lifeOf(
    "channel",
    "/notification-channels",
    ["createNotificationChannel", "updateNotificationChannel", "deleteNotificationChannel"],
    hook,
    { name: "On call" },
    [{ name: "Hook" }, { name: "On call" }]
  ),
  ...lifeOf(
    "alert_rule",
    "/alert-rules",
    ["createAlertRule", "updateAlertRule", "deleteAlertRule"],
    rule,
    { consecutiveFailures: 3 },
    [{ consecutiveFailures: 2 }, { consecutiveFailures: 3 }]
  ),
  ...lifeOf(
    "incident",
    "/incidents",
    ["createIncident", "updateIncident", "deleteIncident"],
    incident,
    { status: "identified", message: "Found it" },
    [{ status: "investigating" }, { status: "identified", message: "Found it" }]
  ),
  ...lifeOf(
    "status_page",
    "/status-pages",
    ["createStatusPage", "updateStatusPage", "deleteStatusPage"],
    page,
    { name: "Acme status" },
    [{ name: "Acme" }, { name: "Acme status" }]
  )
]

layer(server())("the audit log", (it) => {
  it.effect("has an entry for every operation that writes", () =>
    Effect.gen(function* () {
      const done = new Set<string>()
      const ada = yield* person
      const log = (query = "") => Effect.map(ada.withKey("GET", `/audit-log${query}`), ({ body }) => body)
      const count = (yield* log()).length
      let id = ""
      for (const [index, { action, after, before, body, method, operation, route }] of steps.entries()) {
        const answer = yield* ada.withKey(method, route.replace("{}", id), body)
        assert.isBelow(answer.status, 300, `${operation}: ${JSON.stringify(answer.body)}`)
        id = answer.body.id
        const entries = yield* log()
        assert.strictEqual(entries.length, count + index + 1, operation)
        const [entry] = entries
        assert.deepInclude(entry, { action, projectId: ada.projectId, address: "127.0.0.1" })
        assert.deepInclude(entry.actor, { kind: "key", id: ada.projectId })
        assert.deepInclude(entry.target, { kind: action.split(".")[0], id })
        for (const [found, wanted] of [
          [entry.before, before],
          [entry.after, after]
        ]) {
          // A whole record when it was created or deleted, otherwise only what differs.
          if (wanted !== null && Object.keys(wanted).length === 0)
            assert.isAbove(Object.keys(found).length, 2, operation)
          else assert.deepStrictEqual(found, wanted, operation)
        }
        done.add(operation)
      }

      const expect = Effect.fnUntraced(function* (operation: string, action: string, route = "/audit-log") {
        const [entry] = (yield* ada.withSession("GET", route, undefined, { "kanmon-project": ada.projectId })).body
        assert.strictEqual(entry.action, action, operation)
        assert.deepInclude(entry.actor, { kind: "person", name: ada.email }, operation)
        done.add(operation)
        return entry
      })
      const job = yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 60 })
      yield* ada.withSession("POST", `/monitors/${job.body.id}/heartbeat-token`, undefined, {
        "kanmon-project": ada.projectId
      })
      yield* expect("rotateHeartbeatToken", "monitor.token_rotated")
      const inProject = { "kanmon-project": ada.projectId }
      yield* ada.withSession("POST", "/monitors/batch", { monitors: [{ ...shop, name: "One of many" }] }, inProject)
      yield* expect("createMonitors", "monitor.created")
      const ids = [job.body.id]
      yield* ada.withSession("PATCH", "/monitors", { ids, addTags: ["nightly"] }, inProject)
      assert.deepStrictEqual((yield* expect("updateMonitors", "monitor.updated")).after, { tags: ["nightly"] })
      yield* ada.withSession("DELETE", "/monitors", { ids }, inProject)
      yield* expect("deleteMonitors", "monitor.deleted")
      const change = { action: "create", kind: "monitor", body: { ...shop, name: "Together" } }
      const together = yield* ada.withSession("POST", "/changes", { changes: [change] }, inProject)
      assert.strictEqual(together.status, 200, JSON.stringify(together.body))
      yield* expect("changeRecords", "monitor.created")
      const until = toIso((yield* Clock.currentTimeMillis) + dayMillis)
      const quiet = { monitorIds: [], tags: ["nightly"], until, reason: "A move" }
      const silence = yield* ada.withSession("POST", "/silences", quiet, inProject)
      assert.strictEqual(silence.status, 201, JSON.stringify(silence.body))
      assert.deepStrictEqual((yield* expect("createSilence", "silence.created")).after, quiet)
      yield* ada.withSession("DELETE", `/silences/${silence.body.id}`, undefined, inProject)
      assert.deepStrictEqual((yield* expect("deleteSilence", "silence.deleted")).before, quiet)
      const outside = { name: "Elsewhere", trigger: "external" }
      const external = yield* ada.withSession("POST", "/alert-rules", outside, inProject)
      const sender = { name: "Sender", type: "generic", ruleId: external.body.id }
      const integration = yield* ada.withSession("POST", "/integrations", sender, inProject)
      assert.strictEqual(integration.status, 201, JSON.stringify(integration.body))
      assert.deepInclude((yield* expect("createIntegration", "integration.created")).after, sender)
      const route = `/integrations/${integration.body.id}`
      yield* ada.withSession("PATCH", route, { name: "Renamed" }, inProject)
      assert.deepStrictEqual((yield* expect("updateIntegration", "integration.updated")).after, { name: "Renamed" })
      yield* ada.withSession("POST", `${route}/rotate`, undefined, inProject)
      yield* expect("rotateIntegrationAddress", "integration.token_rotated")
      const inbound = integration.body.address.slice(`${publicUrl}/api/v1`.length)
      const late = yield* call("POST", inbound, { key: "a", status: "firing", title: "A" })
      assert.strictEqual(late.status, 404)
      const rotated = yield* ada.withSession("POST", `${route}/rotate`, undefined, inProject)
      const fresh = rotated.body.address.slice(`${publicUrl}/api/v1`.length)
      yield* call("POST", fresh, { key: "a", status: "firing", title: "A" })
      const [fired] = (yield* ada.withSession("GET", "/alerts?state=open", undefined, inProject)).body
      yield* ada.withSession("POST", `/alerts/${fired.id}/resolve`, undefined, inProject)
      yield* expect("resolveAlert", "alert.resolved")
      yield* ada.withSession("DELETE", route, undefined, inProject)
      assert.deepInclude((yield* expect("deleteIntegration", "integration.deleted")).before, { name: "Renamed" })
      const many = { action: "update", filter: { q: "no monitor has this name" }, addTags: ["nightly"] }
      const operation = yield* ada.withSession("POST", "/operations", many, inProject)
      assert.strictEqual(operation.status, 201, JSON.stringify(operation.body))
      const started = yield* expect("startOperation", "operation.started")
      assert.deepStrictEqual(started.after, { action: "update", total: 0, addTags: ["nightly"] })
      yield* ada.withSession("POST", `/operations/${operation.body.id}/stop`, undefined, inProject)
      const stopped = yield* expect("stopOperation", "operation.stopped")
      assert.deepStrictEqual(stopped.after, { status: "stopped", done: 0, total: 0 })
      const keys = `/projects/${ada.projectId}/api-keys`
      const key = yield* ada.withSession("POST", keys, { name: "Deploy", role: "viewer" })
      assert.deepInclude((yield* expect("createApiKey", "api_key.created")).after, { name: "Deploy", role: "viewer" })
      yield* ada.withSession("DELETE", `${keys}/${key.body.id}`)
      yield* expect("deleteApiKey", "api_key.deleted")

      const made = yield* ada.withSession("POST", "/projects", { name: "Second" })
      yield* expect("createProject", "project.created", "/audit-log/account")
      const second = `/projects/${made.body.id}`
      yield* ada.withSession("PATCH", second, { name: "Renamed" })
      const renamed = yield* expect("updateProject", "project.renamed", "/audit-log/account")
      assert.deepStrictEqual([renamed.before, renamed.after], [{ name: "Second" }, { name: "Renamed" }])
      yield* ada.withSession("POST", `${second}/api-key`)
      yield* expect("rotateApiKey", "project.key_rotated", "/audit-log/account")
      yield* ada.withSession("DELETE", second)
      // The log outlives the project.
      yield* expect("deleteProject", "project.deleted", "/audit-log/account")

      const ofOrganization = "/audit-log/organization"
      const organizationId = yield* organizationOf(ada)
      const organization = `/organizations/${organizationId}`
      yield* ada.withSession("PATCH", organization, { name: "Acme" })
      const renamedOrganization = yield* expect("renameOrganization", "organization.renamed", ofOrganization)
      assert.deepStrictEqual(renamedOrganization.after, { name: "Acme" })
      const member = yield* join(ada, "editor")
      const [added] = (yield* ada.withSession("GET", ofOrganization)).body
      assert.deepInclude(added, { action: "member.added", after: { role: "editor", source: "invitation" } })
      assert.deepInclude(added.actor, { kind: "person", name: member.email })
      done.add("acceptInvitation")
      const teams = yield* ada.withSession("POST", `${organization}/teams`, { name: "On call" })
      yield* expect("createTeam", "team.created", ofOrganization)
      const team = `${organization}/teams/${teams.body.id}`
      yield* ada.withSession("PATCH", team, { name: "First line" })
      yield* expect("renameTeam", "team.renamed", ofOrganization)
      yield* ada.withSession("PUT", `${team}/members/${member.userId}`)
      const joined = yield* expect("addTeamMember", "team.member_added", ofOrganization)
      assert.deepStrictEqual(joined.after, { userId: member.userId, email: member.email })
      yield* ada.withSession("DELETE", `${team}/members/${member.userId}`)
      yield* expect("removeTeamMember", "team.member_removed", ofOrganization)
      yield* ada.withSession("DELETE", team)
      yield* expect("deleteTeam", "team.deleted", ofOrganization)
      const roleHere = `/projects/${ada.projectId}/members/${member.userId}`
      yield* ada.withSession("PUT", roleHere, { role: "admin" })
      yield* expect("raiseProjectMember", "member.project_role_changed")
      yield* ada.withSession("DELETE", roleHere)
      yield* expect("resetProjectMember", "member.project_role_changed")
      yield* ada.withSession("PATCH", `${organization}/members/${member.userId}`, { role: "viewer" })
      const changedRole = yield* expect("changeMember", "member.role_changed", ofOrganization)
      assert.deepStrictEqual([changedRole.before, changedRole.after], [{ role: "editor" }, { role: "viewer" }])
      yield* ada.withSession("DELETE", `${organization}/members/${member.userId}`)
      yield* expect("removeMember", "member.removed", ofOrganization)
      const invited = yield* ada.withSession("POST", `${organization}/invitations`, {
        email: "x@example.org",
        role: "viewer"
      })
      yield* expect("createInvitation", "invitation.created", ofOrganization)
      const invitation = `${organization}/invitations/${invited.body.id}`
      yield* ada.withSession("POST", `${invitation}/resend`)
      yield* expect("resendInvitation", "invitation.resent", ofOrganization)
      yield* ada.withSession("DELETE", invitation)
      yield* expect("revokeInvitation", "invitation.revoked", ofOrganization)
      const organizationKey = yield* ada.withSession("POST", `${organization}/api-keys`, {
        name: "Rotations",
        role: "editor"
      })
      const keyMade = yield* expect("createOrganizationKey", "api_key.created", ofOrganization)
      assert.deepInclude(keyMade.after, { name: "Rotations", role: "editor" })
      yield* ada.withSession("DELETE", `${organization}/api-keys/${organizationKey.body.id}`)
      yield* expect("deleteOrganizationKey", "api_key.deleted", ofOrganization)

      const token = yield* ada.withSession("POST", `${organization}/scim-tokens`, { name: "Okta" })
      const tokenMade = yield* expect("createScimToken", "scim_token.created", ofOrganization)
      assert.notInclude(JSON.stringify(tokenMade), token.body.token)
      yield* ada.withSession("DELETE", `${organization}/scim-tokens/${token.body.id}`)
      yield* expect("deleteScimToken", "scim_token.deleted", ofOrganization)
      const now = yield* Clock.currentTimeMillis
      const day = { from: toIso(now), to: toIso(now + dayMillis) }
      const schedules = `${organization}/schedules`
      const primary = yield* ada.withSession("POST", schedules, {
        name: "Primary",
        timezone: "UTC",
        layers: [layerOf("Primary", [ada.userId], { startsOn: day.from.slice(0, 10) })]
      })
      yield* expect("createSchedule", "schedule.created", ofOrganization)
      const schedule = `${schedules}/${primary.body.id}`
      yield* ada.withSession("PATCH", schedule, { name: "First line" })
      const renamedSchedule = yield* expect("updateSchedule", "schedule.updated", ofOrganization)
      assert.deepStrictEqual(
        [renamedSchedule.before, renamedSchedule.after],
        [{ name: "Primary" }, { name: "First line" }]
      )
      const override = yield* ada.withSession("POST", `${schedule}/overrides`, { ...day, userId: null })
      yield* expect("createOverride", "schedule.override_added", ofOrganization)
      yield* ada.withSession("DELETE", `${schedule}/overrides/${override.body.id}`)
      yield* expect("deleteOverride", "schedule.override_ended", ofOrganization)
      const feed = yield* ada.withSession("POST", `${schedule}/calendar`)
      const fed = yield* expect("rotateScheduleCalendar", "schedule.calendar_rotated", ofOrganization)
      assert.notInclude(JSON.stringify(fed), feed.body.url.split("/").at(-1))
      yield* ada.withSession("DELETE", `${schedule}/calendar`)
      yield* expect("deleteScheduleCalendar", "schedule.calendar_ended", ofOrganization)
      const policies = `${organization}/escalation-policies`
      const policy = yield* ada.withSession("POST", policies, {
        name: "Shop",
        steps: [{ afterMinutes: 0, notify: [{ userId: ada.userId }] }]
      })
      yield* expect("createEscalationPolicy", "escalation_policy.created", ofOrganization)
      const practice = { policyId: policy.body.id, startsAt: toIso((yield* Clock.currentTimeMillis) + 3_600_000) }
      const drill = yield* ada.withSession("POST", "/drills", practice, inProject)
      assert.strictEqual(drill.status, 201, JSON.stringify(drill.body))
      assert.deepInclude((yield* expect("createDrill", "drill.created")).after, { policyId: policy.body.id })
      yield* ada.withSession("DELETE", `/drills/${drill.body.id}`, undefined, inProject)
      assert.deepInclude((yield* expect("deleteDrill", "drill.stopped")).before, { policyId: policy.body.id })
      yield* ada.withSession("PATCH", `${policies}/${policy.body.id}`, { repeat: 2 })
      const repeated = yield* expect("updateEscalationPolicy", "escalation_policy.updated", ofOrganization)
      assert.deepStrictEqual([repeated.before, repeated.after], [{ repeat: 0 }, { repeat: 2 }])
      yield* ada.withSession("DELETE", `${policies}/${policy.body.id}`)
      yield* expect("deleteEscalationPolicy", "escalation_policy.deleted", ofOrganization)
      yield* ada.withSession("DELETE", schedule)
      yield* expect("deleteSchedule", "schedule.deleted", ofOrganization)
      yield* ada.withSession("PUT", "/account/away", [day])
      yield* expect("setAway", "account.away_changed", "/audit-log/account")
      const methods = "/account/contact-methods"
      const method = yield* ada.withSession("POST", methods, telegram)
      const addedMethod = yield* expect("createContactMethod", "account.contact_method_added", "/audit-log/account")
      assert.notInclude(JSON.stringify(addedMethod), telegram.config.chatId)
      yield* ada.withSession("PATCH", `${methods}/${method.body.id}`, { config: { chatId: "234567890" } })
      const changed = yield* expect("updateContactMethod", "account.contact_method_changed", "/audit-log/account")
      assert.notInclude(JSON.stringify(changed), "234567890")
      yield* ada.withSession("PUT", "/account/notification-rules", { info: [] })
      yield* expect("setNotificationRules", "account.notification_rules_changed", "/audit-log/account")
      yield* ada.withSession("PUT", "/account/quiet-hours", { quietHours: null })
      yield* expect("setQuietHours", "account.quiet_hours_changed", "/audit-log/account")
      yield* verify(ada)
      const tested = yield* ada.withSession("POST", "/account/page-tests", {})
      assert.strictEqual(tested.status, 201, JSON.stringify(tested.body))
      yield* expect("startPageTest", "account.page_test_started", "/audit-log/account")
      yield* ada.withSession("POST", `/account/page-tests/${tested.body.id}/acknowledge`)
      yield* expect("acknowledgePageTest", "account.page_test_acknowledged", "/audit-log/account")
      yield* ada.withSession("DELETE", `${methods}/${method.body.id}`)
      yield* expect("deleteContactMethod", "account.contact_method_deleted", "/audit-log/account")
      yield* ada.withSession("POST", "/account/calendar")
      yield* expect("rotateOwnCalendar", "account.calendar_rotated", "/audit-log/account")
      yield* ada.withSession("DELETE", "/account/calendar")
      yield* expect("deleteOwnCalendar", "account.calendar_ended", "/audit-log/account")
      const founded = yield* ada.withSession("POST", "/organizations", { name: "Other" })
      const byHeader = `${ofOrganization}?organization=${founded.body.id}&action=organization.*`
      yield* expect("createOrganization", "organization.created", byHeader)
      yield* ada.withSession("DELETE", `/organizations/${founded.body.id}`)

      const signIn = () => call("POST", "/auth/sign-in/email", { email: ada.email, password })
      yield* signIn()
      const [newest] = (yield* ada.withSession("GET", "/account/sessions")).body
      yield* ada.withSession("DELETE", `/account/sessions/${newest.id}`)
      yield* expect("deleteSession", "account.sessions_revoked", "/audit-log/account")
      yield* signIn()
      yield* ada.withSession("DELETE", "/account/sessions")
      yield* expect("deleteOtherSessions", "account.sessions_revoked", "/audit-log/account")

      const sql = yield* SqlClient.SqlClient
      refused(yield* ada.withSession("GET", "/audit-log/installation"), 403, "forbidden")
      yield* sql`UPDATE users SET is_admin = true WHERE email = ${ada.email}`
      yield* expect("deleteOrganization", "organization.deleted", "/audit-log/installation?action=organization.deleted")
      const planned = yield* ada.withSession("POST", "/billing/plans", plan)
      yield* expect("createPlan", "plan.created", "/audit-log/installation")
      yield* ada.withSession("PATCH", `/billing/plans/${planned.body.id}`, { checkInterval: 60 })
      const { after } = yield* expect("updatePlan", "plan.updated", "/audit-log/installation")
      assert.deepStrictEqual(after, { checkInterval: 60 })
      yield* ada.withSession("DELETE", `/billing/plans/${planned.body.id}`)
      yield* expect("deletePlan", "plan.deleted", "/audit-log/installation")

      // These need an identity provider, and are held to their entries in OrganizationSignOn.test.ts.
      const ofSignOn = [
        "setSingleSignOn",
        "deleteSingleSignOn",
        "addSignOnDomain",
        "verifySignOnDomain",
        "deleteSignOnDomain",
        "testSingleSignOn"
      ]
      // These need a token for provisioning, and are held to their entries in Scim.test.ts.
      const ofProvisioning = ["User", "Group"].flatMap((kind) =>
        ["create", "replace", "patch", "delete"].map((verb) => `${verb}Scim${kind}`)
      )
      // These need a second person, and are held to their entries in Operator.test.ts.
      const ofOperator = [
        "disableAccount",
        "enableAccount",
        "impersonateAccount",
        "stopImpersonating",
        "disableOrganization",
        "enableOrganization"
      ]
      // These need an alert with a policy, and are held to their entries in AlertTimeline.test.ts.
      const ofEscalation = ["escalateAlert", "pageForAlert"]
      assert.sameMembers(
        [
          ...done,
          ...ofSignOn,
          ...ofProvisioning,
          ...ofOperator,
          ...ofEscalation,
          ...changesNothing,
          ...withCode,
          ...acts.map(([operation]) => operation)
        ],
        writing,
        "Give each operation that writes a step in this test, or list it in `changesNothing`"
      )

      const everything = JSON.stringify([
        yield* log(),
        (yield* ada.withSession("GET", "/audit-log/account")).body,
        (yield* ada.withSession("GET", "/audit-log/installation")).body
      ])
      for (const secret of [
        "0123456789abcdef",
        "whsec_",
        ada.key,
        key.body.apiKey,
        job.body.heartbeatUrl.split("/").at(-1)
      ])
        assert.notInclude(everything, secret)
    })
  )

  it.effect("names who signed up, and the files that were applied", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const account = (yield* ada.withSession("GET", "/audit-log/account")).body
      assert.deepStrictEqual(
        account.map(({ action }: { readonly action: string }) => action),
        ["project.created", "alert_rule.created", "organization.created", "account.created"]
      )
      for (const { actor } of account) assert.deepInclude(actor, { kind: "person", name: ada.email })
      yield* ada.withKey("POST", "/monitors", shop, { "user-agent": "kanmon-apply/0.1.0" })
      const [entry] = (yield* ada.withKey("GET", "/audit-log")).body
      assert.deepInclude(entry.actor, { kind: "file_apply", id: ada.projectId })
    })
  )

  it.effect("has nothing of a change that was refused, or of other projects", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      yield* ada.withKey("POST", "/monitors", { ...shop, key: "shop" })
      refused(yield* ada.withKey("POST", "/monitors", { ...shop, key: "shop" }), 409, "conflict")
      assert.strictEqual((yield* ada.withKey("GET", "/audit-log?action=monitor.*")).body.length, 1)
      assert.isEmpty((yield* ben.withKey("GET", "/audit-log?action=monitor.*")).body)
      assert.isEmpty((yield* ben.withSession("GET", "/audit-log/account?action=monitor.*")).body)
    })
  )

  it.effect("is filtered, read in pages, and answered as CSV", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const first = yield* ada.withKey("POST", "/monitors", { ...shop, name: '=cmd|"x"' })
      yield* TestClock.adjust("2 seconds")
      yield* ada.withKey("POST", "/monitors", shop)
      yield* ada.withKey("PATCH", `/monitors/${first.body.id}`, { paused: true })
      const actions = (query: string) =>
        Effect.map(ada.withKey("GET", `/audit-log?${query}`), ({ body }) =>
          body.map(({ action }: { readonly action: string }) => action)
        )
      assert.deepStrictEqual(yield* actions(`target=${first.body.id}`), ["monitor.paused", "monitor.created"])
      assert.deepStrictEqual(yield* actions("action=monitor.created&actor=key"), ["monitor.created", "monitor.created"])
      assert.deepStrictEqual(yield* actions(`action=monitor.*&to=${first.body.createdAt}`), ["monitor.created"])
      assert.deepStrictEqual(yield* actions("actor=operator"), [])
      refused(yield* ada.withKey("GET", "/audit-log?from=yesterday"), 400, "malformed_request", "from")

      const newest = yield* ada.withKey("GET", "/audit-log?limit=1")
      const next = /cursor=([^>&]+)/.exec(newest.headers.get("link") ?? "")![1]
      const rest = yield* ada.withKey("GET", `/audit-log?cursor=${next}`)
      assert.notInclude(JSON.stringify(rest.body), newest.body[0].id)

      const csv = yield* ada.withKey("GET", "/audit-log?limit=3", undefined, { accept: "text/csv" })
      assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.include(csv.headers.get("link"), 'rel="next"')
      const lines = csv.body.split("\r\n")
      assert.match(lines[0], /^id,at,actorKind/)
      assert.include(lines[1], `"'=cmd|""x"""`)
      assert.strictEqual(lines.length, 5)
    })
  )

  it.effect("cannot be changed, and is kept for 400 days", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const retention = yield* Retention
      yield* ada.withKey("POST", "/monitors", shop)
      const [entry] = (yield* ada.withKey("GET", "/audit-log")).body
      yield* sql`UPDATE audit_log SET action = 'monitor.deleted' WHERE id = ${entry.id}`
      assert.deepStrictEqual((yield* ada.withKey("GET", "/audit-log")).body[0], entry)
      const now = yield* Clock.currentTimeMillis
      for (const [id, days] of [
        ["aud_young", 400],
        ["aud_old", 400 + 1 / 1440]
      ] as const)
        yield* sql`INSERT INTO audit_log SELECT ${id}, ${new Date(now - days * dayMillis)}, project_id, account_id, actor_kind,
          actor_id, actor_name, address, action, target_id, target_name, change FROM audit_log WHERE id = ${entry.id}`
      yield* retention.auditLog
      const left = yield* sql<{ id: string }>`SELECT id FROM audit_log WHERE id IN ('aud_young', 'aud_old')`
      assert.deepStrictEqual(left, [{ id: "aud_young" }])
    })
  )

  it.effect("is for admins", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", `/projects/${ada.projectId}/api-keys`, { name: "Edit", role: "editor" })
      const answer = yield* call("GET", "/audit-log", undefined, { "x-api-key": made.body.apiKey })
      refused(answer, 403, "forbidden")
      refused(yield* ada.withKey("GET", "/audit-log/account"), 403, "forbidden")
    })
  )
})

layer(alertServer(), { excludeTestServices: true })("the audit log of alerts", (it) => {
  it.effect("has an entry for everything that somebody does with one", () =>
    Effect.gen(function* () {
      const { ada, down, monitor } = yield* outage()
      yield* down()
      const [{ id }] = (yield* ada.withKey("GET", "/alerts")).body
      for (const [operation, action, route, body, after] of acts) {
        const at = route.replace("{}", route.startsWith("/alerts") ? id : monitor.id)
        const answer = yield* ada.withSession("POST", at, body, { "kanmon-project": ada.projectId })
        assert.strictEqual(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`)
        const [entry] = (yield* ada.withKey("GET", "/audit-log")).body
        assert.deepInclude(entry, { action, projectId: ada.projectId, address: "127.0.0.1" }, operation)
        assert.deepInclude(entry.actor, { kind: "person", name: ada.email }, operation)
        assert.deepStrictEqual(entry.target, { kind: "alert", id, name: monitor.name }, operation)
        assert.deepStrictEqual(entry.after, after, operation)
      }
      const { length } = (yield* ada.withKey("GET", "/audit-log?action=alert.*")).body
      assert.strictEqual(length, acts.length)
      // The first ends the snooze. After that there is nothing to take back, and nobody else's alert: nothing is recorded.
      for (const _ of [1, 2]) yield* ada.withKey("POST", `/alerts/${id}/unacknowledge`)
      refused(yield* (yield* person).withKey("POST", `/alerts/${id}/acknowledge`), 404, "not_found")
      assert.strictEqual((yield* ada.withKey("GET", "/audit-log?action=alert.*")).body.length, length + 1)
    })
  )
})
