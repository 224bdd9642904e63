/** A database of the release before, with a row in every table, is migrated to today: nothing is lost, and everything is read. */
import { createHash, createHmac } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Store } from "@kanmon/monitoring"
import * as Database from "@kanmon/platform/database/Database"
import { hashToken, Secrets } from "@kanmon/platform/database/Secrets"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { DefaultPlan } from "@kanmon/identity/testing/billing/DefaultPlan.ts"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { StatusPages } from "@kanmon/monitoring/status-pages"
import { MonitorId, PlanId, ProjectId, StatusPageId, UserId } from "@kanmon/domain/Ids"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../support/TestDatabase.ts"
import { call, layer as server, Logs } from "./http/Server.ts"

/** Releases before, by the level of their databases: before people, search and logs, and before organizations. */
const levels = [16, 27]
const secret = Redacted.make("a secret for tests")
const sessionToken = "t".repeat(32)
/** As the browser holds it, signed under the secret of the server of these tests. */
const sessionCookie = `kanmon.session_token=${sessionToken}.${encodeURIComponent(
  createHmac("sha256", "a secret for tests that is long enough").update(sessionToken).digest("base64")
)}`
const furtherKey = `km_${"b".repeat(43)}`
const oldKey = `km_${"a".repeat(43)}`

/** Columns that monitors have got since the first of these releases. */
const organized = {
  tags: [],
  group_path: null,
  description: null,
  links: [],
  retry_interval: null,
  wanted_retry_interval: null,
  config_encrypted: null
}
const handled = {
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_by_kind: null,
  note: null,
  snoozed_until: null,
  snoozed_by: null,
  snoozed_by_kind: null
}

/** Rows by table, in an order in which each refers to those before. Columns that are left out get a value of their type. */
const rows: ReadonlyArray<readonly [table: string, fixed: Readonly<Record<string, unknown>>]> = [
  ["users", { id: "usr_1", name: "Ada", email: "ada@example.org" }],
  ["sessions", { id: "ses_1", token: sessionToken, expires_at: "2099-01-01T00:00:00.000Z" }],
  [
    "subscriptions",
    {
      subscription_id: "sub_1",
      plan_id: "plan_pro",
      status: "active",
      current_period_start: "2026-11-01T00:00:00.000Z",
      current_period_end: "2099-01-01T00:00:00.000Z",
      cancel_at: null,
      past_due_since: null,
      fit_at: null
    }
  ],
  ["projects", { id: "prj_1", user_id: "usr_1", name: "Shop" }],
  [
    "monitors",
    {
      id: "mon_1",
      project_id: "prj_1",
      name: "Café",
      type: "http",
      interval_seconds: 60,
      timeout_seconds: 10,
      regions: ["eu-west"],
      config: { url: "https://shop.example/" },
      key: "shop",
      wanted_interval: 30,
      ...organized,
      search: "cafe\nhttps://shop.example/"
    }
  ],
  [
    "monitors",
    {
      id: "mon_2",
      project_id: "prj_1",
      key: null,
      ...organized,
      name: "Job",
      type: "heartbeat",
      interval_seconds: 60,
      timeout_seconds: 10,
      config: { grace: 0 },
      wanted_interval: null,
      passive: true
    }
  ],
  ["heartbeats", { monitor_id: "mon_2", state: { lastSignal: null, lastSuccess: null, started: {}, observedAt: 0 } }],
  [
    "monitor_states",
    {
      monitor_id: "mon_1",
      status: "down",
      state: {
        status: "down",
        since: 1_793_491_200_000,
        blindSince: null,
        judgedAt: 1_793_491_200_000,
        lastCheckedAt: 1_793_491_200_000,
        streak: 2,
        unwell: 2,
        regions: {}
      }
    }
  ],
  ["status_changes", { status: "down", failure: null }],
  ["observations", { region: "eu-west", status: "down", failure: { code: "timeout", message: "Too slow" } }],
  ["rollup_hour", { region: "eu-west" }],
  [
    "channels",
    {
      id: "ch_1",
      project_id: "prj_1",
      key: "on-call",
      name: "On call",
      type: "webhook",
      confirmation: "not_needed",
      disabled_reason: null,
      last_delivery: null
    }
  ],
  [
    "alert_rules",
    {
      id: "rul_1",
      project_id: "prj_1",
      key: "down",
      name: "Down",
      monitor_ids: ["mon_1"],
      channel_ids: ["ch_1"],
      triggers: ["monitor_down", "ssl_expired"],
      consecutive_failures: 2,
      resend_every: 30
    }
  ],
  [
    "alerts",
    {
      id: "alt_1",
      project_id: "prj_1",
      rule_id: "rul_1",
      monitor_id: "mon_1",
      trigger: "monitor_down",
      resolved_at: null,
      ...handled,
      notice: { reason: "It answered 503" }
    }
  ],
  [
    "alert_history",
    {
      id: "alr_1",
      alert_id: "alt_1",
      project_id: "prj_1",
      rule_id: "rul_1",
      monitor_id: "mon_1",
      channel_id: "ch_1",
      type: "monitor_down",
      resolved_at: null,
      status: "delivered",
      error: null
    }
  ],
  [
    "deliveries",
    {
      id: "dlv_1",
      entry_id: "alr_1",
      rule_id: "rul_1",
      purpose: "open",
      status: "delivered",
      error: null,
      shared_with: null,
      grouped_with: null,
      link_used_at: null,
      attempts: [],
      notice: { event: "monitor_down" }
    }
  ],
  [
    "deliveries",
    {
      id: "dlv_2",
      entry_id: "alr_1",
      rule_id: "rul_1",
      purpose: "repeat",
      status: "failed",
      error: "HTTP 500",
      shared_with: null,
      grouped_with: null,
      link_used_at: null,
      attempts: [],
      notice: { event: "monitor_down", startedAt: "2026-11-01T00:00:00.000Z", reminder: true }
    }
  ],
  [
    "incidents",
    {
      id: "inc_1",
      project_id: "prj_1",
      key: null,
      title: "Upgrade",
      status: "identified",
      monitor_ids: ["mon_1"],
      maintenance: true,
      scheduled_start: "2027-01-03T02:00:00.000Z",
      scheduled_end: "2027-01-03T03:00:00.000Z",
      recurrence: "FREQ=WEEKLY",
      timezone: "UTC",
      series_start: "2026-11-01T02:00:00.000Z",
      series_millis: 3_600_000,
      resolved_at: null
    }
  ],
  ["incident_updates", { id: "upd_1", status: "identified", message: "We upgrade." }],
  [
    "status_pages",
    {
      id: "sp_1",
      project_id: "prj_1",
      key: "public",
      name: "Shop",
      slug: "shop",
      custom_domain_status: "none",
      custom_domain_error: null,
      custom_domain: null
    }
  ],
  [
    "api_keys",
    {
      id: "key_1",
      name: "Reader",
      role: "viewer",
      expires_at: null,
      key_hash: hashToken(furtherKey),
      created_by_kind: "person"
    }
  ],
  [
    "audit_log",
    {
      id: "aud_1",
      account_id: "usr_1",
      actor_kind: "person",
      action: "project.created",
      change: { version: 1, before: null, after: { name: "Shop" } }
    }
  ],
  ["silences", { id: "sil_1", created_by_kind: "person" }],
  ["status_page_monitors", { page_id: "sp_1", monitor_id: "mon_1", display_group: "Web" }]
]

/** What accounts owned belongs to their organizations. */
const owned: ReadonlySet<string> = new Set([
  "projects",
  "payment_customers",
  "checkouts",
  "subscriptions",
  "confirmed_recipients",
  "payment_turns",
  "certificate_orders"
])

/** A row of before as it has to be now. */
const expected = (table: string, { user_id, ...row }: Record<string, unknown>): Record<string, unknown> => {
  if (table === "sessions") {
    const digest = createHash("sha256").update(String(row["token"])).digest("hex")
    return { ...row, user_id, token: `sha256:${digest}` }
  }
  if (user_id === undefined) return row
  return owned.has(table) ? { ...row, organization_id: String(user_id).replace("usr_", "org_") } : { ...row, user_id }
}

/** What every other row refers to. */
const references: Readonly<Record<string, string>> = {
  user_id: "usr_1",
  project_id: "prj_1",
  monitor_id: "mon_1",
  channel_id: "ch_1",
  entry_id: "alr_1",
  incident_id: "inc_1",
  plan_id: "plan_pro",
  depends_on: "mon_2"
}

const valueOf = (table: string, column: string, type: string): unknown => {
  if (type === "ARRAY") return []
  if (type === "boolean") return column === "single"
  if (type === "jsonb" || type === "json") return {}
  if (type === "date") return "2026-11-01"
  if (type.startsWith("timestamp")) return "2026-11-01T00:00:00.000Z"
  if (type === "text") return references[column] ?? `${table} ${column}`
  return 1
}

/** Those of the migrations; the locks of engines are made anew at every start. */
const tables = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ name: string }>`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> 'migrations' AND relname NOT LIKE 'engine%' ORDER BY 1`,
    (found) => found.map(({ name }) => name)
  )
)

const fill = Effect.fnUntraced(function* (table: string, fixed: Readonly<Record<string, unknown>>) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{ name: string; type: string }>`SELECT column_name AS name, data_type AS type
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table} AND is_identity = 'NO'
      AND is_generated = 'NEVER'`
  const row = { ...Object.fromEntries(columns.map(({ name, type }) => [name, valueOf(table, name, type)])), ...fixed }
  const names = columns.map(({ name }) => `"${name}"`).join(", ")
  yield* sql.unsafe(
    `INSERT INTO "${table}" (${names}) SELECT ${names} FROM jsonb_populate_record(NULL::"${table}", $1::jsonb)`,
    [JSON.stringify(row)]
  )
})

const contents = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const all: Record<string, ReadonlyArray<Record<string, unknown>>> = {}
  for (const name of names) {
    const found = yield* sql.unsafe<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`)
    all[name] = found.map(({ row }) => JSON.parse(row))
  }
  return all
})

it.live.each(levels)("loses nothing on the way from a release before, at level %i", (before) =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.empty
    const database = Database.layer(url, { maxConnections: 2 })
    yield* Effect.gen(function* () {
      yield* Migrations.to(before)
      const known = yield* tables
      const { encrypt } = yield* Secrets
      const secrets: Readonly<Record<string, object>> = {
        projects: { api_key_encrypted: encrypt(oldKey, "prj_1"), api_key_hash: hashToken(oldKey) },
        heartbeats: { token_encrypted: encrypt("token", "mon_2") },
        channels: { config_encrypted: encrypt(JSON.stringify({ url: "https://hooks.example/x" }), "ch_1") }
      }
      const present = rows.filter(([table]) => known.includes(table))
      for (const [table, fixed] of present) yield* fill(table, { ...fixed, ...secrets[table] })
      const done = new Set(rows.map(([table]) => table))
      for (const table of known) if (!done.has(table) && table !== "installation") yield* fill(table, {})
      const old = yield* contents(known)
      for (const table of known) if (table !== "installation") assert.isNotEmpty(old[table], table)

      yield* Migrations.run
      const now = yield* contents(known)
      for (const table of known) {
        assert.strictEqual(now[table]!.length, old[table]!.length, table)
        for (const row of old[table]!.map((row) => expected(table, row))) {
          const kept = now[table]!.some((one) =>
            Object.entries(row).every(([column, value]) => JSON.stringify(one[column]) === JSON.stringify(value))
          )
          assert.isTrue(kept, `${table}: ${JSON.stringify(row)} became ${JSON.stringify(now[table])}`)
        }
      }
    }).pipe(Effect.provide(Layer.merge(database, Secrets.layer(secret))))

    const store = Store.layer(secret).pipe(
      Layer.provideMerge(Layer.orDie(database)),
      Layer.provide(Layer.succeed(DefaultPlan, PlanId.make("plan_enterprise")))
    )
    yield* Effect.gen(function* () {
      const projectId = ProjectId.make("prj_1")
      const projects = yield* Projects
      const monitors = yield* Monitors
      const pages = yield* StatusPages
      assert.deepInclude(yield* monitors.get(projectId, MonitorId.make("mon_1")), {
        name: "Café",
        key: "shop",
        interval: 60,
        regions: ["eu-west"],
        tags: [],
        group: null,
        links: [],
        dependsOn: before > 16 ? [MonitorId.make("mon_2")] : []
      })
      const page = yield* pages.get(projectId, StatusPageId.make("sp_1"))
      assert.deepInclude(page, { slug: "shop", tags: [] })
      const [project] = yield* projects.ofMember(UserId.make("usr_1"))
      assert.deepInclude(project, { id: projectId, name: "Shop", apiKey: oldKey })
      const sql = yield* SqlClient.SqlClient
      const [found] = yield* sql`SELECT search FROM monitors WHERE id = 'mon_1'`
      assert.deepStrictEqual(found, { search: "cafe\nhttps://shop.example/" })
      assert.deepStrictEqual(
        yield* sql`SELECT id, subject_kind, subject_id, topic, resend_every FROM deliveries ORDER BY id`,
        [
          ["dlv_1", "mon_1 monitor_down ", 0],
          ["dlv_2", "mon_1 monitor_down 2026-11-01T00:00:00.000Z", 30]
        ].map(([id, topic, resend_every]) => ({ id, subject_kind: "alert", subject_id: "alt_1", topic, resend_every }))
      )
    }).pipe(Effect.provide(store))

    // Over HTTP, where every answer is held against today's contract.
    yield* Effect.gen(function* () {
      const logs = yield* Logs
      const read = (route: string, credential: Readonly<Record<string, string>> = { "x-api-key": oldKey }) =>
        Effect.map(call("GET", route, undefined, credential), ({ body, status }) => {
          assert.strictEqual(status, 200, `${route}: ${JSON.stringify([body, logs.slice(-2)])}`)
          return body
        })
      const [channel] = yield* read("/notification-channels")
      assert.deepInclude(channel, { id: "ch_1", key: "on-call", type: "webhook", confirmation: "not_needed" })
      assert.strictEqual(channel.config.url, "https://hooks.example/x")
      const rule = (yield* read("/alert-rules")).find(({ id }: { readonly id: string }) => id === "rul_1")
      assert.deepInclude(rule, {
        key: "down",
        monitorIds: ["mon_1"],
        tags: [],
        channelIds: ["ch_1"],
        trigger: "monitor_down",
        triggers: ["monitor_down", "ssl_expired"],
        consecutiveFailures: 2,
        resendEvery: 30,
        severity: "critical"
      })
      const [alert] = yield* read("/alerts?state=open")
      assert.deepInclude(alert, {
        id: "alt_1",
        monitorId: "mon_1",
        severity: "critical",
        reason: "It answered 503",
        acknowledgedBy: null,
        snoozedUntil: null,
        silenced: false
      })
      assert.deepStrictEqual(alert.entries, [{ id: "alr_1", channelId: "ch_1", status: "delivered", error: null }])
      const [entry] = yield* read("/alert-history?from=2026-10-01&to=2026-12-01")
      assert.deepInclude(entry, { id: "alr_1", type: "monitor_down", resolvedAt: null })
      const [delivery] = yield* read("/alert-history/alr_1/deliveries")
      assert.deepInclude(delivery, { id: "dlv_1", event: "monitor_down", status: "delivered", sharedWith: null })
      const [window] = yield* read("/incidents?maintenance=true")
      assert.deepInclude(window, {
        id: "inc_1",
        key: null,
        title: "Upgrade",
        monitorIds: ["mon_1"],
        tags: [],
        series: { start: "2026-11-01T02:00:00.000Z", end: "2026-11-01T03:00:00.000Z" }
      })
      assert.strictEqual(window.updates[0].message, "We upgrade.")
      const [page] = yield* read("/status-pages")
      assert.deepInclude(page, { key: "public", slug: "shop", tags: [] })
      assert.deepStrictEqual(page.monitors, [{ monitorId: "mon_1", displayGroup: "Web" }])
      const shown = yield* read("/public/status-pages/shop")
      assert.include(JSON.stringify(shown), "Café")
      const monitor = (yield* read("/monitors")).find(({ id }: { readonly id: string }) => id === "mon_1")
      assert.deepInclude(monitor, { id: "mon_1", retryInterval: null, wantedInterval: 30, wantedRetryInterval: null })
      yield* Effect.forEach(["stats", "outages", "uptime", "checks", "daily-uptime", "response-times"], (part) =>
        read(`/monitors/mon_1/${part}`)
      )
      assert.strictEqual((yield* read("/overview")).openAlerts, 1)
      // The account is signed in as before, and owns the organization that owns what it owned.
      const cookie = { cookie: sessionCookie }
      if (before > 20) {
        assert.strictEqual((yield* read("/monitors", { "x-api-key": furtherKey }))[0].id, "mon_1")
        const entries = yield* read("/audit-log?from=2026-10-01&to=2026-12-01")
        assert.include(JSON.stringify(entries), "aud_1")
        const personal = yield* read("/audit-log/account?from=2026-10-01&to=2026-12-01", cookie)
        assert.include(JSON.stringify(personal), "aud_1")
      }
      const organizationId = "org_1"
      const [project] = yield* read("/projects", cookie)
      assert.deepInclude(project, { id: "prj_1", organizationId, name: "Shop", apiKey: oldKey, role: "owner" })
      const byHeader = { ...cookie, "kanmon-project": "prj_1" }
      assert.strictEqual((yield* read("/monitors", byHeader))[0].id, "mon_1")
      const subscription = yield* read("/billing/subscription", cookie)
      assert.deepInclude(subscription, {
        planId: "plan_pro",
        effectivePlanId: "plan_pro",
        status: "active",
        monitorsUsed: 2
      })
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT o.name, m.user_id, m.role, m.source FROM organizations o
          JOIN organization_members m ON m.organization_id = o.id`,
        [{ name: "Ada", user_id: "usr_1", role: "owner", source: "founder" }]
      )
      assert.deepStrictEqual(yield* sql`SELECT organization_id, recipient FROM confirmed_recipients`, [
        { organization_id: organizationId, recipient: "confirmed_recipients recipient" }
      ])
    }).pipe(Effect.provide(server({ database: url })))
  }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
)
