/** Backups of Uptime Kuma as files: imported parts, notes about the rest, and the places of secrets. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import * as Decoding from "../src/Decoding.ts"
import * as Source from "../src/Source.ts"
import * as Backup from "../src/uptime-kuma/Backup.ts"
import * as BackupText from "../src/uptime-kuma/BackupText.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import { environmentFile } from "../src/Written.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))
const sample = fs.readFileSync(path.join(import.meta.dirname, "uptime-kuma-1.23.16.json"), "utf8")

const imported = (text: string) => Import.convert(Result.getOrThrow(Backup.read(text)), kinds, 0)
const backup = (lists: Readonly<Record<string, unknown>>) => JSON.stringify({ version: "1.23.16", ...lists })

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

/** The fields of the one monitor in a backup. */
const monitor = (fields: Readonly<Record<string, unknown>>) => {
  const found = imported(backup({ monitorList: [{ id: 1, name: "One", active: true, interval: 60, ...fields }] }))
  return {
    fields: applied(found).fields.get("monitor one"),
    notes: found.report.flatMap(({ notes }) => notes).join("\n")
  }
}

describe("a backup of Uptime Kuma", () => {
  const found = imported(sample)
  const { fields, mistakes } = applied(found)

  it("becomes a file that can be applied", () => {
    assert.deepStrictEqual(mistakes, [])
    assert.deepStrictEqual(found.counts, { monitors: 12, channels: 5, rules: 6, pages: 0 })
    assert.include(fields.get("monitor shop-home"), {
      name: "Shop: Home",
      url: "https://shop.example.org/",
      bodyContains: "Add to ${basket}",
      interval: 20,
      timeout: 16
    })
    assert.deepInclude(fields.get("monitor shop-api"), {
      url: "https://api.shop.example.org/v1/orders?token=s3cret",
      method: "POST",
      expectedStatus: ["200-299", 301],
      followRedirects: false,
      verifyTls: false,
      authentication: "basic",
      username: "kuma",
      password: "pässword",
      body: '{\n    "ping": true\n}',
      headers: {
        "content-type": "application/json",
        "X-Api-Key": "k-123456",
        Accept: "application/json"
      }
    })
    assert.include(fields.get("monitor api-status"), { jsonPath: "$.checks.database", jsonEquals: "ok" })
    assert.include(fields.get("monitor postgres"), { type: "tcp", host: "db.example.org", port: 5432 })
    assert.include(fields.get("monitor router"), { type: "icmp", paused: true })
    assert.include(fields.get("monitor mail-exchange"), { type: "dns", recordType: "MX", resolver: "1.1.1.1" })
    assert.include(fields.get("monitor nightly-backup"), { type: "heartbeat", interval: 86_400 })
    assert.deepInclude(fields.get("monitor shop-home"), {
      group: "Shop",
      tags: ["prod"],
      description: "The front door"
    })
    assert.include(fields.get("monitor old-server-is-off"), { invert: true })
    assert.include(fields.get("monitor no-error-page"), { bodyNotContains: "Fatal error" })
    assert.include(fields.get("channel mail"), { type: "email", "config.address": "ops@example.org" })
    assert.deepInclude(fields.get("channel mail"), { "config.additionalAddresses": ["boss@example.org"] })
    assert.isFalse(fields.has("channel mail-2"))
  })

  it("tells the same people after as many failures, as often", () => {
    assert.deepInclude(fields.get("rule down-on-call-team-chat"), {
      monitors: ["shop-home"],
      channels: ["on-call", "team-chat"],
      consecutiveFailures: 3,
      resendEvery: 4
    })
    assert.deepInclude(fields.get("rule down-on-call"), { monitors: ["api-status", "api-queue"], resendEvery: 0 })
  })

  it("says of everything that was lost what it was", () => {
    assert.deepStrictEqual(
      found.report.filter(({ leftOut }) => leftOut).map(({ about }) => about),
      ["Channel Gotify", "Channel Broken", "Monitor Worker", "Monitor Broker"]
    )
    const said = found.report.map(({ about, notes }) => `${about}: ${notes.join(" ")}`).join("\n")
    for (const words of [
      "Monitor Shop API: It is asked directly, without its proxy",
      "Monitor API queue: Its query is not checked",
      "Monitor Router: It has no notifications",
      "It is checked every 10 s, not every 5 s"
    ])
      assert.include(said, words)
  })

  it("puts no secret into the file or the report, and all of them into the list beside it", () => {
    const secrets = [
      "123456:ABC",
      "hooks.slack.com",
      "s3cret",
      "k-123456",
      "hook-token-1",
      "pässword",
      '"ping"',
      "hunter2"
    ]
    for (const secret of secrets) assert.notInclude(found.yaml + JSON.stringify(found.report), secret)
    const list = environmentFile(found.variables)
    for (const secret of secrets.filter((one) => one !== "hunter2")) assert.include(list, secret)
    assert.include(found.yaml, "Authorization: Bearer ${CHANNEL_HOOK_AUTHORIZATION}")
    assert.strictEqual(
      environmentFile([{ name: "A", value: "it's", place: "monitor a, body" }]),
      `# monitor a, body\nA='it'\\''s'\n`
    )
  })

  it.each([
    [{ type: "http", url: "https://a.example", method: "OPTIONS" }, "There is no check with the method OPTIONS"],
    [{ type: "http", url: "https://a.example", authMethod: "ntlm" }, "Signing in by ntlm is not possible"],
    [{ type: "http", url: "not an address" }, "It does not fit: url"],
    [{ type: "port", hostname: "a.example" }, "It has no port"],
    [{ type: "snmp" }, "Its type snmp: there is no such check here"]
  ])("leaves %j out, and says why", (given, words) => {
    const { fields: left, notes } = monitor(given)
    assert.isUndefined(left)
    assert.include(notes, words)
  })

  it("reads what older versions and version 2 call otherwise", () => {
    assert.include(monitor({ type: "ping", hostname: "[2001:db8::1]", active: 1, interval: "30" }).fields, {
      host: "2001:db8::1",
      interval: 30,
      paused: false
    })
    const old = monitor({ type: "http", url: "https://a.example", basic_auth_user: "a", basic_auth_pass: "b" }).fields
    assert.include(old, { authentication: "basic", username: "a", password: "b" })
    const query = { type: "json-query", url: "https://a.example", jsonPath: "a", expectedValue: "3" }
    assert.include(monitor({ ...query, jsonPathOperator: "==" }).fields, { jsonPath: "$.a", jsonEquals: 3 })
    assert.deepInclude(monitor({ ...query, jsonPathOperator: ">" }).fields, {
      jsonAssertions: [{ jsonPath: "$.a", operator: "greaterThan", value: 3 }]
    })
    assert.include(monitor({ ...query, jsonPath: "$sum(a)", jsonPathOperator: ">" }).notes, "is not checked")
    const byId = { monitorList: { "7": { id: 7, name: "Seven", type: "ping", hostname: "a.example", active: true } } }
    assert.strictEqual(imported(backup(byId)).counts.monitors, 1)
    assert.include(monitor({ type: "push", interval: 60, maxretries: 3, retryInterval: 60 }).fields, { grace: 180 })
    const daily = { type: "push", interval: 86_400, maxretries: 1 }
    assert.include(monitor({ ...daily, retryInterval: 3600 }).fields, { grace: 3600 })
    assert.include(monitor({ ...daily, retryInterval: 20 }).fields, { grace: 60 })
    assert.notProperty(monitor({ ...daily, maxretries: 0 }).fields, "grace")
    // A weekly job that is expected every day would alert on six days of seven.
    const weekly = monitor({ type: "push", interval: 604_800, maxretries: 1, retryInterval: 691_200 })
    assert.include(weekly.fields, { interval: 604_800, grace: 691_200 })
    assert.notInclude(weekly.notes, "it is checked every")
    assert.include(monitor({ type: "push", interval: 400 * 86_400 }).notes, "every 31622400 s")
  })

  it.each([
    [{ type: "ping", hostname: "192.168.1.1" }, "192.168.1.1, which is in a special range: private use"],
    [{ type: "port", hostname: "[fd00::1]", port: 22 }, "fd00::1, which is in a special range: unique local"],
    [{ type: "http", url: "https://10.0.0.7:8443/?token=s3cret" }, "10.0.0.7, which is in a special range"],
    [{ type: "http", url: "http://localhost:3000/" }, "localhost, which is in a special range: loopback"],
    [
      { type: "dns", hostname: "a.example", dns_resolve_server: "192.168.1.2", port: 53 },
      "192.168.1.2, which is in a special range"
    ],
    [
      { type: "dns", hostname: "a.example", dns_resolve_server: "fd00::2", port: 5353 },
      "fd00::2, which is in a special range"
    ]
  ])("says that checks of a private target are refused: %j", (fields, words) => {
    const { notes } = monitor(fields)
    assert.include(notes, words)
    assert.include(notes, "KANMON_ALLOW_PRIVATE_TARGETS=true")
    assert.notInclude(notes, "s3cret")
  })

  it.each([
    { type: "ping", hostname: "a.example" },
    { type: "http", url: "https://1.1.1.1/" },
    { type: "dns", hostname: "10.in-addr.arpa", dns_resolve_server: "1.1.1.1", port: 53 },
    { type: "push" }
  ])("says nothing of private targets where there is none: %j", (fields) =>
    assert.notInclude(monitor(fields).notes, "PRIVATE_TARGETS")
  )

  it.each([
    ["UTF-8", Buffer.from(sample)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${sample}`)],
    ["UTF-16LE", Buffer.from(sample, "utf16le")],
    ["UTF-16LE with a byte order mark", Buffer.from(`\uFEFF${sample}`, "utf16le")],
    ["UTF-16BE", Buffer.from(sample, "utf16le").swap16()],
    ["UTF-16BE with a byte order mark", Buffer.from(`\uFEFF${sample}`, "utf16le").swap16()]
  ])("is read in %s", (_encoding, bytes) => {
    assert.isTrue(BackupText.isJson(bytes.subarray(0, 100)))
    assert.deepStrictEqual(imported(BackupText.textOf(bytes)), found)
  })

  it.each([
    [{ expiryNotification: true, domainExpiryNotification: 1 }, 21, 21],
    [{ expiryNotification: false, domainExpiryNotification: 0 }, 0, 0],
    [{}, 14, 30]
  ])("keeps the notices %j", (notices, sslExpiryThreshold, domainExpiryThreshold) => {
    const { fields: kept } = monitor({ type: "http", url: "https://a.example", ...notices })
    assert.include(kept, { sslExpiryThreshold, domainExpiryThreshold })
  })

  it("keeps what the records of a name must be", () => {
    const asked = (...conditions: ReadonlyArray<readonly [operator: string, value: string, andOr?: string]>) =>
      monitor({
        type: "dns",
        hostname: "a.example",
        conditions: conditions.map(([operator, value, andOr = "or"]) => ({
          variable: "record",
          operator,
          value,
          andOr
        }))
      })
    assert.include(asked(["equals", "192.0.2.1"]).fields, { expectedValue: "192.0.2.1" })
    assert.deepInclude(asked(["equals", "192.0.2.1"], ["equals", "192.0.2.2"]).fields, {
      expectedValues: ["192.0.2.1", "192.0.2.2"]
    })
    assert.include(asked(["contains", "192.0"]).fields, { recordContains: "192.0" })
    for (const other of [
      asked(["equals", "192.0.2.1"], ["equals", "192.0.2.2", "and"]),
      asked(["equals", "192.0.2.1"], ["contains", "192"]),
      asked(["not_equals", "192.0.2.1"])
    ])
      assert.include(other.notes, "Its conditions are not checked")
  })

  it.each([
    ["telegram", { telegramBotToken: "1:a", telegramChatID: "1" }, { telegramSendSilently: true }, "silently"],
    [
      "discord",
      { discordWebhookUrl: "https://discord.com/api/webhooks/1/a" },
      { discordPrefixMessage: "<@1>" },
      "mentions"
    ],
    ["slack", { slackwebhookURL: "https://hooks.slack.com/services/T/B/x" }, { slackchannel: "#ops" }, "channel"],
    ["slack", { slackwebhookURL: "https://hooks.slack.com/services/T/B/x" }, { slackchannelnotify: true }, "mention"],
    ["pushover", { pushoveruserkey: "u", pushoverapptoken: "a" }, { pushoverpriority: "2" }, "priority"],
    ["ntfy", { ntfytopic: "alerts" }, { ntfyPriority: 5 }, "priority"],
    ["smtp", { smtpTo: "ada@example.org" }, { customSubject: "Down!" }, "subject"],
    ["Opsgenie", { opsgenieApiKey: "01234567" }, { opsgeniePriority: 1 }, "priority"]
  ])("says what a channel of the type %s loses", (type, settings, more, words) => {
    const notes = (extra: object) =>
      imported(
        backup({ monitorList: [], notificationList: [{ id: 1, name: "One", type, ...settings, ...extra }] })
      ).report.flatMap(({ about, notes: said }) => (about === "Channel One" ? said : []))
    const lost = notes(more).filter((note) => !notes({}).includes(note))
    assert.lengthOf(lost, 1)
    assert.include(lost[0], words)
    const off = Object.fromEntries(Object.keys(more).map((field) => [field, ""]))
    assert.deepStrictEqual(notes(off), notes({}))
  })

  it("signs in to ntfy servers and finds topics of Telegram groups as before", () => {
    const botToken = "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678"
    const ntfy = { type: "ntfy", ntfytopic: "alerts", ntfyserverurl: "https://ntfy.example" }
    const notificationList = [
      {
        ...ntfy,
        id: 1,
        name: "A",
        ntfyAuthenticationMethod: "usernamePassword",
        ntfyusername: "ada",
        ntfypassword: "p"
      },
      { ...ntfy, id: 2, name: "B", ntfyAuthenticationMethod: "accessToken", ntfyaccesstoken: "tk_0123456789" },
      {
        id: 3,
        name: "C",
        type: "telegram",
        telegramBotToken: botToken,
        telegramChatID: "1",
        telegramMessageThreadID: 12
      }
    ]
    const found = imported(backup({ monitorList: [], notificationList }))
    const { fields, mistakes } = applied(found)
    assert.deepStrictEqual(mistakes, [])
    assert.notInclude(found.yaml, "topic: alerts")
    assert.deepStrictEqual(
      [...fields.values()].map((one) =>
        Object.fromEntries(Object.entries(one).filter(([name]) => name.startsWith("config.")))
      ),
      [
        {
          "config.topic": "alerts",
          "config.serverUrl": "https://ntfy.example",
          "config.username": "ada",
          "config.password": "p"
        },
        { "config.topic": "alerts", "config.serverUrl": "https://ntfy.example", "config.token": "tk_0123456789" },
        { "config.botToken": botToken, "config.chatId": "1", "config.messageThreadId": 12 }
      ]
    )
  })

  it("says that e-mail waits for its recipient", () => {
    const notificationList = [
      { id: 1, name: "Mail", type: "smtp", smtpTo: "ada@example.org" },
      { id: 2, name: "Chat", type: "ntfy", ntfytopic: "alerts" }
    ]
    const { report } = imported(backup({ monitorList: [], notificationList }))
    const waiting = report.filter(({ notes }) => notes.some((note) => note.includes("has confirmed")))
    assert.deepStrictEqual(
      waiting.map(({ about }) => about),
      ["Channel Mail"]
    )
  })

  it("says nothing of certificates where there are none, and that colours are lost", () => {
    const monitorList = ["port", "ping", "group", "dns"].map((type, id) => ({
      id,
      name: type,
      type,
      url: "https://",
      hostname: "a.example",
      port: 1,
      expiryNotification: 0,
      tags: [{ name: "prod", value: "", color: "#ff0000" }]
    }))
    const said = imported(backup({ monitorList }))
      .report.flatMap(({ notes }) => notes)
      .join("\n")
    assert.notInclude(said, "certificate")
    assert.include(said, "The colours of tags are not carried over (1)")
  })

  it.each([["nothing"], ["[]"], ['{"version":"1"}']])("is not %s", (text) =>
    assert.isTrue(Result.isFailure(Backup.read(text)))
  )

  const odd = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant({}),
    fc.constant([])
  )
  const record = (type: fc.Arbitrary<unknown>, fields: ReadonlyArray<string>) =>
    fc.record({ type, ...Object.fromEntries(fields.map((field) => [field, odd])) }, { requiredKeys: ["type"] })
  const monitors = record(
    fc.constantFrom("http", "keyword", "json-query", "port", "ping", "dns", "push", "mqtt"),
    "name url method hostname port interval timeout maxretries retryInterval resendInterval headers body keyword".split(
      " "
    )
  )
  const notifications = record(
    fc.constantFrom("telegram", "slack", "webhook", "smtp", "ntfy", "matrix", "x"),
    "id name telegramBotToken telegramChatID slackwebhookURL webhookURL webhookAdditionalHeaders smtpTo ntfytopic".split(
      " "
    )
  )

  const web = { type: "http", url: "https://a.example" }

  it.each([
    [{ ...web, interval: "often" }, 'interval is no number ("often"): 60 s is used'],
    [{ ...web, interval: { every: 5 } }, 'interval is no number ({"every":5}): 60 s is used'],
    [{ ...web, interval: null }, "It has no interval: 60 s is used"],
    [{ ...web, retryInterval: "1m" }, 'retryInterval is no number ("1m")'],
    [{ ...web, maxretries: [3] }, "maxretries is no number ([3]): it alerts after the first failure"],
    [{ ...web, resendInterval: true }, "resendInterval is no number (true)"],
    [{ ...web, maxredirects: "few" }, "up to 10 redirects are followed"],
    [{ ...web, timeout: "half" }, "not after half s"],
    [{ type: "port", hostname: "a.example", port: 22, timeout: "half" }, "timeout is no number"],
    [{ type: "port", hostname: "a.example", port: "ssh" }, "Its port is no number (ssh)"],
    [{ type: "dns", hostname: "a.example", port: "domain" }, "name server is asked on port 53"],
    [{ type: "dns", hostname: "a.example", dns_resolve_type: ["MX"] }, "dns_resolve_type is no text: A is used"],
    [{ type: "ping", hostname: "a.example", packetSize: "big" }, "its packets have 56 bytes"],
    [{ type: "ping", hostname: "a.example", ping_count: "many" }, "one packet is sent"],
    [{ type: "ping", hostname: "a.example", ping_count: 25 }, "It sends 20 packets, not 25"],
    [{ ...web, active: "perhaps" }, "it is paused"],
    [{ ...web, ignoreTls: "perhaps" }, "certificates are checked"],
    [{ ...web, method: {} }, "method is no text: GET is used"],
    [{ ...web, method: "POST", body: { a: 1 } }, "body is no text: it sends no body"],
    [{ ...web, type: "keyword", keyword: ["ok"] }, "only the status of its answer is checked"],
    [{ ...web, type: "json-query", jsonPath: "a", expectedValue: true }, "expectedValue is no text"]
  ])("says of %j which setting could not be read", (fields, words) => assert.include(monitor(fields).notes, words))

  it("takes yes and no in text for what they are", () => {
    const { fields: taken, notes } = monitor({ ...web, active: "1", ignoreTls: "true", upsideDown: "false" })
    assert.include(taken, { paused: false, verifyTls: false })
    assert.notInclude(notes, "neither yes nor no")
  })

  it.each([
    [{ type: "telegram", telegramBotToken: "1:a", telegramChatID: "1", telegramMessageThreadID: "news" }, "its thread"],
    [{ type: "webhook", webhookURL: "https://a.example", webhookAdditionalHeaders: "x-a: b" }, "no JSON object"],
    [{ type: "ntfy", ntfytopic: "alerts", ntfyAuthenticationMethod: "ticket" }, "its way to sign in is not known"]
  ])("says of the notification %j which setting could not be read", (fields, words) => {
    const { report } = imported(backup({ monitorList: [], notificationList: [{ id: 1, name: "One", ...fields }] }))
    assert.include(
      report
        .flatMap(({ notes }) => notes)
        .join("\n")
        .toLowerCase(),
      words.toLowerCase()
    )
  })

  it("takes a number below zero of retries or reminders for none", () => {
    const nonsense = { maxretries: -1, resendInterval: -1 }
    const monitorList = [{ id: 1, name: "Shop", type: "http", url: "https://a.example", ...nonsense }]
    const notificationList = [{ id: 1, name: "Phone", type: "ntfy", isDefault: true, ntfytopic: "alerts" }]
    const withId = monitorList.map((one) => ({ ...one, notificationIDList: { 1: true } }))
    assert.deepStrictEqual(applied(imported(backup({ monitorList: withId, notificationList }))).mistakes, [])
  })

  it("becomes a file that can be applied, with any content", () =>
    fc.assert(
      fc.property(fc.array(monitors, { maxLength: 4 }), fc.array(notifications, { maxLength: 3 }), (many, told) => {
        const ids = Object.fromEntries(told.map((one) => [String((one as Backup.Loose)["id"]), true]))
        const monitorList = many.map((one) => ({ url: "https://a.example", ...one, notificationIDList: ids }))
        assert.deepStrictEqual(applied(imported(backup({ monitorList, notificationList: told }))).mistakes, [])
      }),
      { numRuns: 40 }
    ))
})
