/** The severity of rules and alerts: its default, filters, events, notices, and messages of several rules. */
import { assert, layer } from "@effect/vitest"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { events, layer as alertServer, outage } from "./AlertServer.ts"
import { person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

layer(alertServer(), live)("the severity of a rule", (it) => {
  it.effect("is that of its most urgent trigger unless it is given, and stays when other fields change", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const create = (fields: object) =>
        Effect.map(ada.withKey("POST", "/alert-rules", { name: "Rule", ...fields }), ({ body }) => body)
      assert.strictEqual((yield* create({})).severity, "critical")
      assert.strictEqual((yield* create({ triggers: ["monitor_degraded", "ssl_expiring"] })).severity, "warning")
      assert.strictEqual((yield* create({ triggers: ["domain_expiring", "domain_expired"] })).severity, "critical")
      const rule = yield* create({ trigger: "monitor_down", severity: "info" })
      assert.strictEqual(rule.severity, "info")
      const change = (fields: object) =>
        Effect.map(ada.withKey("PATCH", `/alert-rules/${rule.id}`, fields), ({ body }) => body.severity)
      assert.strictEqual(yield* change({ name: "Other" }), "info")
      assert.strictEqual(yield* change({ triggers: ["monitor_degraded"] }), "info")
      assert.strictEqual(yield* change({ severity: null }), "warning")
      assert.strictEqual(yield* change({ severity: "critical" }), "critical")
      refused(yield* ada.withKey("POST", "/alert-rules", { name: "Rule", severity: "loud" }), 422, "validation_failed")
    })
  )

  it.effect("is kept by the alert with which it opened: in lists, filters, history, events and notices", () =>
    Effect.gen(function* () {
      const { ada, down, rule, up } = yield* outage({ rule: { severity: "warning" } })
      yield* down()
      yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { severity: "info" })
      const list = (query: string) =>
        Effect.map(ada.withKey("GET", `/alerts${query}`), ({ body }) =>
          (body as ReadonlyArray<{ severity: string }>).map(({ severity }) => severity)
        )
      for (const [query, found] of [
        ["", ["warning"]],
        ["?severity=warning", ["warning"]],
        ["?severity=critical&severity=warning&state=open", ["warning"]],
        ["?severity=info", []],
        ["?severity=critical&state=open", []]
      ] as const)
        assert.deepStrictEqual(yield* list(query), [...found], query)
      refused(yield* ada.withKey("GET", "/alerts?severity=loud"), 400, "malformed_request")
      const [entry] = (yield* ada.withKey("GET", "/alert-history")).body
      assert.strictEqual(entry.severity, "warning")
      yield* ada.withKey("POST", `/alerts/${entry.id}/acknowledge`)
      yield* up()
      assert.deepStrictEqual(
        (yield* events(ada.projectId)).map(({ data, name }) => [name, data.severity]),
        [
          ["triggered", "warning"],
          ["acknowledged", "warning"],
          ["resolved", "warning"]
        ]
      )
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT purpose, notice->>'severity' AS severity FROM deliveries WHERE project_id = ${ada.projectId}
          ORDER BY created_at, id`,
        [
          { purpose: "open", severity: "warning" },
          { purpose: "close", severity: "warning" }
        ]
      )
    })
  )

  it.effect("of a message for several rules is the most urgent one", () =>
    Effect.gen(function* () {
      const { ada, channel, down } = yield* outage({ rule: { severity: "info" } })
      yield* ada.withKey("POST", "/alert-rules", { name: "Urgent", severity: "critical" })
      yield* ada.withKey("POST", "/alert-rules", { name: "Usual", severity: "warning" })
      yield* down()
      const due = yield* Effect.flatMap(Deliveries, (deliveries) => deliveries.next(channel.id))
      assert.strictEqual(due!.notice.severity, "info")
      assert.lengthOf(due!.shared, 2)
      assert.strictEqual(due!.severity, "critical")
    })
  )
})
