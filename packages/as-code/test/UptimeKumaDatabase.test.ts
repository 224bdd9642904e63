/** Databases of Uptime Kuma 2 as files: imported parts, allowed states of a copy, and notes about the rest. */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as Decoding from "../src/Decoding.ts"
import * as Source from "../src/Source.ts"
import * as Database from "../src/uptime-kuma/Database.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import * as ImportReport from "../src/uptime-kuma/ImportReport.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { KumaDatabase, type Rows } from "./UptimeKumaTables.ts"

const kinds = await Effect.runPromise(load(bundled))

const config = (type: string, fields: Readonly<Record<string, unknown>>) => JSON.stringify({ type, ...fields })
const url = "https://a.example"

const rows: Rows = {
  user: [{ id: 1, username: "ada" }],
  setting: [
    { key: "tlsExpiryNotifyDays", value: "[7,14,21]" },
    { key: "domainExpiryNotifyDays", value: "[7,45]" },
    { key: "serverTimezone", value: '"Europe/Berlin"' }
  ],
  proxy: [{ id: 1, user_id: 1, protocol: "http", host: "proxy.example", port: 3128, auth: 0 }],
  api_key: [{ id: 1, key: "x", name: "ci", user_id: 1 }],
  notification: [
    {
      id: 1,
      name: "On call",
      user_id: 1,
      config: config("telegram", {
        name: "On call",
        telegramBotToken: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678",
        telegramChatID: "-100123"
      })
    },
    { id: 2, name: "Hook", user_id: 1, config: config("webhook", { webhookURL: "https://hook.example/in" }) },
    { id: 3, name: "Phone app", user_id: 1, config: config("gotify", { gotifyserverurl: "https://g.example" }) },
    { id: 4, name: "Messenger", user_id: 1, config: config("signal", { signalURL: "https://s.example" }) }
  ],
  monitor: [
    { id: 1, name: "Shop", type: "group", maxretries: 0, interval: 60, description: "Everything that sells" },
    { id: 2, name: "EU/West", type: "group", parent: 1, interval: 60 },
    { id: 3, name: "Home", type: "keyword", url, keyword: "Sold out", invert_keyword: 1, parent: 2, interval: 60 },
    {
      id: 4,
      name: "API",
      type: "http",
      url: "https://api.example/v1?token=s3cret",
      method: "POST",
      body: '{"a":1}',
      headers: '{"X-Key":"k-1"}',
      auth_method: "basic",
      basic_auth_user: "kuma",
      basic_auth_pass: "pässword",
      accepted_statuscodes_json: '["200-299","404"]',
      maxretries: 3,
      retry_interval: 20,
      resend_interval: 5,
      interval: 60,
      timeout: 48,
      expiry_notification: 1,
      domain_expiry_notification: 1,
      proxy_id: 1,
      ip_family: "ipv6",
      parent: 1,
      description: "Call Ada"
    },
    { id: 5, name: "Bearer", type: "http", url, auth_method: "bearer", bearer_token: "tok-1", expiry_notification: 0 },
    { id: 6, name: "Upside", type: "http", url, upside_down: 1 },
    { id: 7, name: "Upside port", type: "port", hostname: "a.example", port: 22, upside_down: 1 },
    { id: 8, name: "Router", type: "ping", hostname: "192.0.2.1", packet_size: 1000 },
    {
      id: 9,
      name: "Address",
      type: "dns",
      hostname: "a.example",
      dns_resolve_type: "A",
      dns_resolve_server: "1.1.1.1,8.8.8.8",
      port: 5353,
      conditions: JSON.stringify([
        { type: "expression", andOr: "and", variable: "record", operator: "equals", value: "192.0.2.7" }
      ])
    },
    { id: 10, name: "Backup job", type: "push", interval: 3600, maxretries: 1, retry_interval: 600, push_token: "p-1" },
    { id: 11, name: "Containers", type: "docker", docker_container: "web" },
    { id: 12, name: "DB", type: "postgres", database_connection_string: "postgres://u:hunter2@db/x" },
    { id: 13, name: "Old group", type: "group", active: 0 },
    { id: 14, name: "In old group", type: "http", url, parent: 13 },
    { id: 15, name: "Empty", type: "group" },
    { id: 16, name: "Windows login", type: "http", url, auth_method: "ntlm" }
  ],
  monitor_notification: [
    { monitor_id: 4, notification_id: 1 },
    { monitor_id: 1, notification_id: 1 },
    { monitor_id: 1, notification_id: 2 },
    { monitor_id: 9, notification_id: 3 }
  ],
  tag: [
    { id: 1, name: "Team", color: "#111" },
    { id: 2, name: "team", color: "#222" },
    { id: 3, name: "産", color: "#333" }
  ],
  monitor_tag: [
    { monitor_id: 4, tag_id: 1, value: "Payments EU" },
    { monitor_id: 4, tag_id: 3, value: "" },
    { monitor_id: 3, tag_id: 2, value: "payments-eu" }
  ],
  status_page: [
    { id: 1, slug: "status", title: "Shop status", icon: "/icon.svg", theme: "dark", footer_text: "Hello" },
    { id: 2, slug: "inside", title: "Inside", icon: "/icon.svg", theme: "auto", published: 0 }
  ],
  status_page_cname: [
    { status_page_id: 1, domain: "status.shop.example" },
    { status_page_id: 1, domain: "up.shop.example" }
  ],
  group: [
    { id: 1, name: "Second", public: 1, weight: 2, status_page_id: 1 },
    { id: 2, name: "First", public: 1, weight: 1, status_page_id: 1 }
  ],
  monitor_group: [
    { monitor_id: 4, group_id: 1, weight: 1 },
    { monitor_id: 3, group_id: 1, weight: 2 },
    { monitor_id: 4, group_id: 2, weight: 1, send_url: 1 },
    { monitor_id: 1, group_id: 2, weight: 2 }
  ],
  incident: [
    { id: 1, title: "Slow payments", content: "We look", status_page_id: 1 },
    { id: 2, title: "Long ago", content: "Over", active: 0, pin: 0, status_page_id: 1 }
  ],
  heartbeat: [{ id: 1, monitor_id: 4, status: 1, time: "2026-11-20 10:00:00.000" }]
}

const converted = (file: string) =>
  Effect.map(Database.read(file), (backup) => Import.convert(backup, kinds, Date.parse("2026-11-23T12:00:00Z")))

/** The file as `kanmon apply` understands it, with its secrets in the environment. */
const applied = ({ variables, yaml }: Import.Imported) => {
  const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  const source = Source.read([{ name: "kanmon.yaml", text: yaml }], environment)
  const { mistakes, wanted } = Decoding.decode(source.entries, kinds)
  return {
    mistakes: [...source.mistakes, ...mistakes],
    fields: new Map(wanted.map(({ fields, key, kind }) => [`${kind} ${key}`, fields]))
  }
}

const said = ({ report }: Import.Imported): string =>
  report
    .flatMap(({ about, leftOut, notes }) => notes.map((note) => `${leftOut ? "- " : ""}${about}: ${note}`))
    .join("\n")

const found = await Effect.runPromise(
  Effect.gen(function* () {
    using database = new KumaDatabase(rows)
    return yield* converted(database.copy(""))
  })
)

it.effect("reports how many records were carried over, in words that fit one and many", () =>
  Effect.gen(function* () {
    using database = new KumaDatabase(rows)
    const read = yield* Database.read(database.copy(""))
    const reported = ImportReport.report(Import.convert(read, kinds, 0), read)
    assert.match(
      reported,
      /^Carried over 8 monitors for \d+, 2 channels for \d+, 1 status page for 2, and 3 alert rules /
    )
  })
)

describe("a database of Uptime Kuma 2", () => {
  const { fields, mistakes } = applied(found)

  it("becomes a file that can be applied", () => {
    assert.deepStrictEqual(mistakes, [])
    assert.deepStrictEqual(found.counts, { monitors: 8, channels: 2, rules: 3, pages: 1 })
  })

  it("keeps requests, retries and expiry notices of http monitors", () => {
    const api = fields.get("monitor api")
    assert.deepInclude(api, {
      url: "https://api.example/v1?token=s3cret",
      method: "POST",
      body: '{"a":1}',
      expectedStatus: ["200-299", 404],
      interval: 60,
      retryInterval: 20,
      timeout: 48,
      sslExpiryThreshold: 21,
      domainExpiryThreshold: 45,
      group: "Shop",
      tags: ["team:payments-eu"],
      description: "Call Ada",
      paused: false
    })
    assert.deepInclude(fields.get("monitor home"), { bodyNotContains: "Sold out", group: "Shop/EU-West" })
    assert.include(fields.get("monitor upside"), { invert: true })
    assert.include(api, { authentication: "basic", username: "kuma", password: "pässword" })
    assert.include(fields.get("monitor bearer"), { authentication: "bearer", token: "tok-1" })
  })

  it("keeps the other types of monitors", () => {
    assert.include(fields.get("monitor router"), {
      type: "icmp",
      host: "192.0.2.1"
    })
    assert.include(fields.get("monitor address"), { resolver: "1.1.1.1:5353", expectedValue: "192.0.2.7" })
    assert.include(fields.get("monitor backup-job"), { type: "heartbeat", interval: 3600, grace: 600 })
    assert.include(fields.get("monitor in-old-group"), { paused: true, group: "Old group" })
  })

  it("notifies the channels of a monitor and of the groups around it, each once", () => {
    const rules = [...fields].filter(([key]) => key.startsWith("rule ")).map(([, rule]) => rule)
    const of = (monitor: string) =>
      rules
        .filter((rule) => JSON.stringify(rule["monitors"]).includes(`"${monitor}"`))
        .map(({ channels, consecutiveFailures, resendEvery }) => ({ channels, consecutiveFailures, resendEvery }))
    assert.sameDeepMembers(of("api"), [
      { channels: ["on-call"], consecutiveFailures: 4, resendEvery: 5 },
      { channels: ["hook"], consecutiveFailures: 4, resendEvery: 0 }
    ])
    // The group's rule waits for the retries of all that is in it.
    assert.deepStrictEqual(of("home"), [{ channels: ["on-call", "hook"], consecutiveFailures: 4, resendEvery: 0 }])
    assert.match(JSON.stringify(found.report), /These rules alert after 4 failures in a row/)
  })

  it("converts status pages with headings and domain", () => {
    assert.deepInclude(fields.get("page shop-status"), {
      name: "Shop status",
      slug: "status-status",
      customDomain: "status.shop.example",
      monitors: [
        { monitor: "api", group: "First" },
        { monitor: "home", group: "Second" }
      ]
    })
  })

  it("reports everything that was lost", () => {
    const text = said(found)
    for (const words of [
      "- Channel Phone app: There is no channel of its type, gotify",
      "- Channel Messenger: There is no channel of its type, signal",
      "- Monitor Upside port: A tcp monitor here cannot be up while its target is down",
      "- Monitor Containers: Its type docker: nothing here asks Docker",
      "- Monitor DB: Its type postgres:",
      "- Monitor Windows login: Signing in by ntlm is not possible here",
      "- Page Inside: It is not published",
      "- Group Empty: No monitor in it",
      "- Tag 産: Nothing of it fits",
      "Tag team:payments-eu: These are one tag now: team: payments-eu, Team: Payments EU",
      "Monitor API: It is asked directly, without its proxy",
      "Monitor API: It is not limited to ipv6",
      "Monitor Address: One name server is asked",
      "Monitor Address: It has no notifications",
      "Monitor In old group: It is paused, because its group is",
      "Group Shop: A group here has no description",
      "Group Shop: Its notifications go to rules for the monitors in it",
      "Page Shop status: Its slug is status-status",
      "Page Shop status: The monitor API has no link on it",
      "Page Shop status: The monitor API is shown once, not under Second as well",
      "Page Shop status: The group Shop cannot be shown",
      "Page Shop status: It has one domain here, not up.shop.example as well",
      "Page Shop status: Not carried over: footer, theme",
      'Page Shop status: Its incident "Slow payments" is still shown',
      "Page Shop status: Its past incidents are not carried over (1)",
      "The database: Proxies are not carried over (1)",
      "The database: API keys are not carried over (1)",
      "The database: The colours of tags are not carried over (3)",
      "The database: Its newest check is of 2026-11-20 10:00:00.000 UTC"
    ])
      assert.include(text, words)
  })

  it("puts no secret into the file or the report", () => {
    for (const secret of ["s3cret", "k-1", "123456:ABC", "tok-1", "pässword", "hunter2", "p-1", '{"a":1}'])
      assert.notInclude(found.yaml + said(found), secret)
  })
})

describe("a copy of a database", () => {
  const logged: Rows = { monitor: [{ id: 50, name: "New", type: "http", url }] }
  const monitorsOf = (file: string) => Effect.map(converted(file), ({ counts }) => counts.monitors)
  const problem = (file: string, patience = 0) =>
    Effect.map(Effect.flip(Database.read(file, { patience })), ({ message }) => message)
  const edited = (edit: (database: DatabaseSync) => void, file: string): string => {
    const database = new DatabaseSync(file)
    edit(database)
    database.close()
    return file
  }

  it.effect("has recent changes when its log is beside it, and stays as it is", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows, logged)
      const file = database.copy("", "-wal")
      const before = fs.readFileSync(file)
      assert.strictEqual(yield* monitorsOf(file), 9)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["kuma.db", "kuma.db-wal"])
      assert.deepStrictEqual(fs.readFileSync(file), before)
    })
  )

  it.effect("says that recent changes may be missing without its log", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows, logged)
      const found = yield* converted(database.copy(""))
      assert.strictEqual(found.counts.monitors, 8)
      assert.include(said(found), "kuma.db-wal was not beside kuma.db")
      assert.notInclude(said(yield* converted(database.file)), "kuma.db-wal")
    })
  )

  it.effect("can be the database of a server that runs", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows, logged)
      assert.strictEqual(yield* monitorsOf(database.file), 9)
      database.open.exec("UPDATE monitor SET name = 'Newer' WHERE id = 50")
    })
  )

  it.effect("is refused when it is another file, with what to do", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows)
      const folder = database.folder
      const file = (name: string, content: string | Uint8Array) => {
        fs.writeFileSync(path.join(folder, name), content)
        return path.join(folder, name)
      }
      assert.include(yield* problem(file("empty.db", "")), "is empty")
      assert.include(yield* problem(file("secret.db", "\u0001\u0002".repeat(5000))), "may be encrypted or damaged")
      const whole = fs.readFileSync(database.copy(""))
      const page = new Uint8Array(4096).fill(7)
      assert.include(yield* problem(file("damaged.db", Buffer.concat([whole.subarray(0, 100), page]))), "is damaged")
      const other = edited((one) => one.exec("CREATE TABLE a (b)"), path.join(folder, "other.db"))
      assert.include(yield* problem(other), "is not a database of Uptime Kuma: it has no table monitor")
    })
  )

  it.effect("is refused when its version is 1, its upgrade did not end, or a table is missing", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows)
      const old = edited((one) => one.exec("DROP TABLE knex_migrations"), database.copy(""))
      assert.include(yield* problem(old), "is a database of Uptime Kuma 1. Export a backup there")
      const half = edited((one) => one.exec("UPDATE knex_migrations_lock SET is_locked = 1"), database.copy(""))
      assert.include(yield* problem(half), "was copied while Uptime Kuma upgraded it")
      for (const table of ["knex_migrations_lock", "heartbeat", "monitor_tag"]) {
        const part = edited((one) => one.exec(`DROP TABLE ${table}`), database.copy(""))
        assert.include(
          yield* problem(part),
          `no such table: ${table}. Is this a complete kuma.db? If not: copy kuma.db`
        )
      }
    })
  )

  it.effect("is refused while another process locks it", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows)
      const file = edited((one) => one.exec("PRAGMA journal_mode = DELETE"), database.copy(""))
      const other = new DatabaseSync(file)
      other.exec("BEGIN EXCLUSIVE")
      assert.include(yield* problem(file), "is locked by another process: stop Uptime Kuma, or copy kuma.db")
      other.close()
    })
  )

  it.effect("asks for its log when the tables are only there", () =>
    Effect.gen(function* () {
      using database = new KumaDatabase(rows)
      const folder = fs.mkdtempSync(path.join(database.folder, "fresh-"))
      const fresh = path.join(folder, "fresh.db")
      const open = new DatabaseSync(fresh)
      open.exec("PRAGMA journal_mode = WAL; CREATE TABLE monitor (id)")
      fs.copyFileSync(fresh, path.join(folder, "kuma.db"))
      assert.include(yield* problem(path.join(folder, "kuma.db")), "its kuma.db-wal is missing")
      open.close()
    })
  )
})
