/** Channels, alert rules and the alert history over HTTP. */
import { assert, layer } from "@effect/vitest"
import { mask } from "@kanmon/core/Masking"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
const hook = {
  name: "Hook",
  type: "webhook",
  config: { url: "https://example.org/hook", headers: { authorization: "Bearer a-token-of-mine" }, secret }
}

layer(shared, live)("channels", (it) => {
  it.effect("creates, reads, changes and deletes channels without returning secrets", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", hook)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.match(made.body.id, /^ch_[0-9a-z]{26}$/)
      assert.deepInclude(made.body, { disabledReason: null, lastDelivery: null, projectId: ada.projectId })
      const shown = {
        url: "https://example.org/hook",
        method: "POST",
        headers: { authorization: "••••mine" },
        secret: "••••NTY3"
      }
      assert.deepStrictEqual(made.body.config, shown)
      assert.deepStrictEqual((yield* ada.withKey("GET", `/notification-channels/${made.body.id}`)).body, made.body)
      assert.deepStrictEqual((yield* ada.withKey("GET", "/notification-channels")).body, [made.body])

      const stored = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{
          text: string
        }>`SELECT channels::text AS text FROM channels WHERE id = ${made.body.id}`
        return row!.text
      })
      assert.notInclude(yield* stored, "a-token-of-mine")
      assert.notInclude(yield* stored, secret)

      // Masked secrets that are sent back keep their stored values.
      const renamed = yield* ada.withKey("PATCH", `/notification-channels/${made.body.id}`, {
        name: "Renamed",
        config: { ...shown, method: "PUT" }
      })
      assert.strictEqual(renamed.status, 200, JSON.stringify(renamed.body))
      assert.deepStrictEqual(renamed.body.config, { ...shown, method: "PUT" })
      const cleared = yield* ada.withKey("PATCH", `/notification-channels/${made.body.id}`, {
        config: { secret: null }
      })
      assert.notProperty(cleared.body.config, "secret")
      assert.strictEqual(cleared.body.config.headers.authorization, "••••mine")

      const turned = yield* ada.withKey("PATCH", `/notification-channels/${made.body.id}`, {
        type: "ntfy",
        config: { topic: "t" }
      })
      assert.deepStrictEqual(turned.body.config, { topic: "t", serverUrl: "https://ntfy.sh" })
      const gone = yield* ada.withKey("DELETE", `/notification-channels/${made.body.id}`)
      assert.deepStrictEqual(gone.body, { id: made.body.id, deleted: true })
      refused(yield* ada.withKey("GET", `/notification-channels/${made.body.id}`), 404, "not_found")
    })
  )

  it.effect("does not send stored secrets to a changed destination", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const theirs = yield* Targets.http(Targets.answer({ status: 204 }))
      const { body: made } = yield* ada.withKey("POST", "/notification-channels", hook)
      const route = `/notification-channels/${made.id}`
      const secretPaths = ["config.headers.authorization", "config.secret"]
      for (const config of [{ ...made.config, url: theirs.url }, { url: theirs.url }]) {
        const answer = yield* ada.withKey("PATCH", route, { config })
        refused(answer, 422, "validation_failed", ...secretPaths)
        for (const { message } of answer.body.errors) assert.match(message, /^Send this secret again.*: url changes/)
        refused(yield* ada.withKey("POST", `${route}/compare`, { config }), 422, "validation_failed", ...secretPaths)
      }
      assert.strictEqual((yield* ada.withKey("GET", route)).body.config.url, hook.config.url)
      const own = { authorization: "Bearer another-token" }
      const moved = yield* ada.withKey("PATCH", route, { config: { url: theirs.url, headers: own, secret: null } })
      assert.strictEqual(moved.status, 200, JSON.stringify(moved.body))
      yield* ada.withKey("POST", `${route}/test`)
      assert.strictEqual(theirs.requests[0]!.headers["authorization"], own.authorization)
      assert.notInclude(JSON.stringify(theirs.requests), "a-token-of-mine")
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a mask as a secret in a new channel, another type or another field", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const config = { url: "https://example.org/hook", headers: { authorization: "••••mine" } }
      refused(
        yield* ada.withKey("POST", "/notification-channels", { ...hook, config }),
        422,
        "validation_failed",
        "config.headers.authorization"
      )
      const { body: made } = yield* ada.withKey("POST", "/notification-channels", hook)
      const route = `/notification-channels/${made.id}`
      refused(
        yield* ada.withKey("PATCH", route, { config: { headers: { "x-other": "••••mine" } } }),
        422,
        "validation_failed",
        "config.headers.x-other"
      )
      const slack = { type: "slack", config: { webhookUrl: "••••mine" } }
      refused(yield* ada.withKey("PATCH", route, slack), 422, "validation_failed", "config.webhookUrl")
    })
  )

  it.effect("masks the password of a URL, and keeps it if the mask is sent back", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const there = yield* Targets.http(Targets.answer({ status: 204 }))
      const address = new URL(there.url)
      address.username = "ada"
      address.password = "open-sesame"
      const body = { name: "Hook", type: "webhook", config: { url: address.href } }
      const { body: made } = yield* ada.withKey("POST", "/notification-channels", body)
      assert.strictEqual(made.config.url, address.href.replace("open-sesame", "••••"))
      const route = `/notification-channels/${made.id}`
      const back = yield* ada.withKey("PATCH", route, { config: { ...made.config, method: "PUT" } })
      assert.strictEqual(back.status, 200, JSON.stringify(back.body))
      yield* ada.withKey("POST", `${route}/test`)
      const basic = `Basic ${Buffer.from("ada:open-sesame").toString("base64")}`
      assert.strictEqual(there.requests[0]!.headers["authorization"], basic)
    }).pipe(Effect.scoped)
  )

  it.effect("sends a test, and returns the destination's answer", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const there = yield* Targets.http((request, response) => {
        response.statusCode = request.url === "/good" ? 202 : 403
        response.end("your token Bearer a-token-of-mine is not welcome")
      })
      const make = (path: string) =>
        ada.withKey("POST", "/notification-channels", {
          ...hook,
          config: { ...hook.config, url: `${there.url}${path}` }
        })
      const good = yield* make("/good")
      const sent = yield* ada.withKey("POST", `/notification-channels/${good.body.id}/test`)
      assert.deepInclude(sent.body, { delivered: true, detail: "HTTP 202" })
      assert.strictEqual(JSON.parse(there.requests[0]!.body).event, "test")

      const bad = yield* make("/bad")
      const answer = yield* ada.withKey("POST", `/notification-channels/${bad.body.id}/test`)
      refused(answer, 502, "delivery_failed")
      assert.strictEqual(answer.body.detail, "HTTP 403: your token •••• is not welcome")
      const { body } = yield* ada.withKey("GET", `/notification-channels/${bad.body.id}`)
      assert.deepInclude(body.lastDelivery, { status: "failed", detail: answer.body.detail })
    }).pipe(Effect.scoped)
  )

  it.effect("signs with a secret of earlier rules until it is changed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const there = yield* Targets.http((_request, response) => void response.end())
      const channels = yield* Channels
      const bad = "whsec_not a key in base64"
      const config = { url: `${there.url}/hook`, method: "POST", secret: bad }
      const { id } = yield* channels.create(ada.projectId as ProjectId, { name: "Old", type: "webhook", config })
      const path = `/notification-channels/${id}`
      const renamed = yield* ada.withKey("PATCH", path, { name: "New", config: { secret: mask(bad) } })
      assert.strictEqual(renamed.status, 200, JSON.stringify(renamed.body))
      assert.strictEqual((yield* ada.withKey("POST", `${path}/test`)).status, 200)
      assert.match(there.requests[0]!.headers["webhook-signature"] as string, /^v1,/)
      refused(
        yield* ada.withKey("PATCH", path, { config: { secret: `${bad}!` } }),
        422,
        "validation_failed",
        "config.secret"
      )
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    [{}, ["name", "type"]],
    [{ ...hook, type: "pigeon" }, ["type"]],
    [{ ...hook, colour: "red" }, ["colour"]],
    [{ ...hook, config: "x" }, ["config"]],
    [{ name: "", type: "webhook", config: {} }, ["config.url", "name"]],
    [{ ...hook, config: { url: "ftp://x" } }, ["config.url"]],
    [{ ...hook, config: { url: "https://x.example", methd: "PUT", method: "GET" } }, ["config.methd", "config.method"]],
    [{ ...hook, config: { url: "https://x.example", headers: { Host: "y" } } }, ["config.headers.Host"]],
    ...["whsec_this is no base64!", "whsec_", "whsec_c2hvcnQ=", `whsec_${Buffer.alloc(65).toString("base64")}`].map(
      (bad) => [{ ...hook, config: { ...hook.config, secret: bad } }, ["config.secret"]] as const
    ),
    [{ name: "Mail", type: "email", config: { address: "a@x.test, b@x.test" } }, ["config.address"]],
    [{ name: "Sms", type: "sms", config: { phoneNumber: "0049 151" } }, ["config.phoneNumber"]]
  ] as const)("refuse %j", ([body, paths]) =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* ada.withKey("POST", "/notification-channels", body), 422, "validation_failed", ...paths)
    })
  )

  it.effect("creates channels of all 14 types from their examples", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body } = yield* ada.withKey("GET", "/openapi.json")
      const requests = Object.entries<any>(body.components.schemas).filter(([name]) =>
        name.startsWith("NotificationChannelRequest.")
      )
      const types = requests.map(([name]) => name.split(".")[1])
      assert.sameMembers(
        types,
        "email slack discord teams pagerduty opsgenie webhook telegram sms phone pushover ntfy mattermost matrix".split(
          " "
        )
      )
      for (const [name, schema] of requests) {
        const made = yield* ada.withKey("POST", "/notification-channels", schema.examples[0])
        assert.strictEqual(made.status, 201, `${name}: ${JSON.stringify(made.body)}`)
      }
    })
  )
})

layer(shared, live)("alert rules", (it) => {
  it.effect("creates, reads, changes and deletes rules; every project starts with one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const [first] = (yield* ada.withKey("GET", "/alert-rules")).body
      assert.deepInclude(first, { name: "Certificates and domains", monitorIds: [], channelIds: [] })
      assert.include(first.triggers, "domain_expired")
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", shop)
      const { body: channel } = yield* ada.withKey("POST", "/notification-channels", hook)
      const body = { name: "Down", monitorIds: [monitor.id], channelIds: [channel.id], trigger: "monitor_down" }
      const made = yield* ada.withKey("POST", "/alert-rules", body)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepInclude(made.body, { ...body, triggers: ["monitor_down"], consecutiveFailures: 1, resendEvery: 0 })
      const changed = yield* ada.withKey("PATCH", `/alert-rules/${made.body.id}`, { consecutiveFailures: 3 })
      assert.deepInclude(changed.body, { ...body, consecutiveFailures: 3 })
      const turned = yield* ada.withKey("PATCH", `/alert-rules/${first.id}`, { trigger: "ssl_expired" })
      assert.deepStrictEqual(turned.body.triggers, ["ssl_expired"])
      // A monitor that has been deleted since does not stand in the way of another change.
      yield* ada.withKey("DELETE", `/monitors/${monitor.id}`)
      assert.strictEqual((yield* ada.withKey("PATCH", `/alert-rules/${made.body.id}`, { name: "Still" })).status, 200)
      yield* ada.withKey("DELETE", `/alert-rules/${made.body.id}`)
      refused(yield* ada.withKey("GET", `/alert-rules/${made.body.id}`), 404, "not_found")
    })
  )

  it.effect("previews who would be notified about a monitor", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: monitor } = yield* ada.withKey("POST", "/monitors", { ...shop, tags: ["prod"] })
      const { body: channel } = yield* ada.withKey("POST", "/notification-channels", hook)
      const { body: other } = yield* ada.withKey("POST", "/notification-channels", { ...hook, name: "Other" })
      const { body: rule } = yield* ada.withKey("POST", "/alert-rules", {
        name: "Prod",
        tags: ["prod"],
        channelIds: [channel.id],
        consecutiveFailures: 2
      })
      yield* ada.withKey("POST", "/alert-rules", { name: "Elsewhere", tags: ["test"] })
      const preview = () => ada.withKey("GET", `/alert-rules/preview?monitorId=${monitor.id}`)
      const { body: found, status } = yield* preview()
      assert.strictEqual(status, 200, JSON.stringify(found))
      assert.strictEqual(found.quiet, null)
      assert.deepStrictEqual(
        found.rules.map(({ name }: { readonly name: string }) => name),
        ["Certificates and domains", "Prod"]
      )
      assert.deepStrictEqual(found.rules[1], {
        id: rule.id,
        name: "Prod",
        triggers: ["monitor_down"],
        consecutiveFailures: 2,
        resendEvery: 0,
        channels: [{ id: channel.id, name: "Hook", type: "webhook", blocked: null }]
      })
      assert.deepStrictEqual(
        found.rules[0].channels.map(({ id }: { readonly id: string }) => id),
        [channel.id, other.id]
      )

      const until = new Date(Date.now() + 3_600_000).toISOString()
      yield* ada.withKey("POST", "/silences", { tags: ["prod"], until, reason: "Drill" })
      assert.deepStrictEqual((yield* preview()).body.quiet, { by: "silence", until })
      yield* ada.withKey("PATCH", `/monitors/${monitor.id}`, { paused: true })
      assert.deepStrictEqual((yield* preview()).body.quiet, { by: "paused", until: null })
      const ben = yield* person
      refused(yield* ben.withKey("GET", `/alert-rules/preview?monitorId=${monitor.id}`), 404, "not_found")
    })
  )

  it.effect("accepts only monitors and channels of its project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const { body: monitor } = yield* ben.withKey("POST", "/monitors", shop)
      const { body: channel } = yield* ben.withKey("POST", "/notification-channels", hook)
      const answer = yield* ada.withKey("POST", "/alert-rules", {
        name: "Theirs",
        monitorIds: [monitor.id],
        channelIds: [channel.id]
      })
      refused(answer, 422, "validation_failed", "channelIds[0]", "monitorIds[0]")
      const [rule] = (yield* ben.withKey("GET", "/alert-rules")).body
      refused(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { name: "Mine" }), 404, "not_found")
      refused(yield* ada.withKey("DELETE", `/notification-channels/${channel.id}`), 404, "not_found")
      refused(yield* ada.withKey("POST", `/notification-channels/${channel.id}/test`), 404, "not_found")
    })
  )

  it.effect.each([
    [{}, ["name"]],
    [{ name: "x", trigger: "monitor_gone" }, ["trigger"]],
    [{ name: "x", triggers: [] }, ["triggers"]],
    [{ name: "x", trigger: "monitor_down", triggers: ["ssl_expired"] }, ["triggers"]],
    [{ name: "x", consecutiveFailures: 0 }, ["consecutiveFailures"]],
    [{ name: "x", consecutiveFailures: 101 }, ["consecutiveFailures"]],
    [{ name: "x", resendEvery: -1, consecutivFailures: 2 }, ["consecutivFailures", "resendEvery"]],
    [{ name: "x", monitorIds: ["nonsense"] }, ["monitorIds[0]"]]
  ] as const)("refuse %j", ([body, paths]) =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* ada.withKey("POST", "/alert-rules", body), 422, "validation_failed", ...paths)
    })
  )

  it.effect("validates the days of the history", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.deepStrictEqual((yield* ada.withKey("GET", "/alert-history")).body, [])
      refused(yield* ada.withKey("GET", "/alert-history?from=2026-11-20&to=2026-11-01"), 400, "malformed_request")
      refused(yield* ada.withKey("GET", "/alert-history?from=yesterday"), 400, "malformed_request")
      refused(yield* ada.withKey("GET", "/alert-history/alr_1/deliveries"), 404, "not_found")
    })
  )
})
