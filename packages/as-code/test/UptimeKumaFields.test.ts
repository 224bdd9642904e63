/** Every column of Uptime Kuma's monitors, for every type that is carried over: none loses its meaning without a word. */
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as Database from "../src/uptime-kuma/Database.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import { KumaDatabase, monitorColumns } from "./UptimeKumaTables.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

/** A monitor of each type, with what the type needs. */
const types: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  http: { url: "https://a.example/", method: "POST", body: "{}", timeout: 10 },
  keyword: { url: "https://a.example/", keyword: "ok", method: "POST", body: "{}", timeout: 10 },
  "json-query": {
    url: "https://a.example/",
    json_path: "a",
    json_path_operator: "==",
    expected_value: "1",
    method: "POST",
    body: "{}",
    timeout: 10
  },
  port: { hostname: "a.example", port: 22, timeout: 10 },
  ping: { hostname: "a.example", timeout: 10, ping_count: 3 },
  dns: { hostname: "a.example", dns_resolve_type: "A", dns_resolve_server: "1.1.1.1", port: 53, timeout: 10 },
  push: { maxretries: 1, retry_interval: 120 }
}

/** Other values than the usual ones, where the kind of the column does not say one. */
const values: Readonly<Record<string, string | number>> = {
  accepted_statuscodes_json: '["404"]',
  auth_method: "ntlm",
  basic_auth_user: "ada",
  bearer_token: "token",
  conditions: '[{"variable":"record","operator":"not_equals","value":"192.0.2.1","andOr":"and"}]',
  dns_resolve_server: "dns.example",
  dns_resolve_type: "MX",
  headers: '{"x-a":"b"}',
  http_body_encoding: "xml",
  interval: 90,
  ip_family: "ipv6",
  json_path: "$sum(a)",
  json_path_operator: "!=",
  method: "PUT",
  proxy_id: 1,
  resend_interval: 3,
  smtp_security: "secure",
  timeout: 12,
  url: "https://b.example/"
}

/** Columns that say nothing about what these types check and tell. */
const meaningless = new Set([
  // Alert rules have them: see the tests about who is told.
  "maxretries",
  "resend_interval",
  "id",
  "name",
  "user_id",
  "type",
  "weight",
  "created_date",
  "push_token",
  "dns_last_result",
  "parent",
  // What is kept of answers, and how hosts are named in what is shown.
  "save_response",
  "save_error_response",
  "response_max_length",
  "ping_numeric",
  "screenshot_delay"
])

/** Columns of one type, or of one way to sign in, that the others do not read. */
const ofOthers = (type: string, column: string): boolean => {
  const web = ["http", "keyword", "json-query"].includes(type)
  if (/^(mqtt|docker|database|grpc|radius|game|gamedig|kafka|rabbitmq|snmp|ws|ntp|remote|manual|system)_?/.test(column))
    return true
  // Only with the sign-in that they belong to, which is left out or tested by itself.
  if (/^(auth_(domain|workstation)|oauth_|tls_(cert|key)$|basic_auth_|bearer_token)/.test(column)) return true
  if (["subtype", "location", "protocol"].includes(column)) return true
  if (
    ["url", "method", "body", "headers", "http_body_encoding", "auth_method", "accepted_statuscodes_json"].includes(
      column
    )
  )
    return !web
  if (
    ["ignore_tls", "maxredirects", "expiry_notification", "domain_expiry_notification", "proxy_id", "tls_ca"].includes(
      column
    )
  )
    return !web
  if (["cache_bust", "retry_only_on_status_code_failure"].includes(column)) return !web
  if (["keyword", "invert_keyword"].includes(column)) return type !== "keyword"
  if (["json_path", "json_path_operator", "expected_value"].includes(column)) return type !== "json-query"
  if (["dns_resolve_type", "dns_resolve_server", "conditions"].includes(column)) return type !== "dns"
  if (["smtp_security", "expected_tls_alert"].includes(column)) return type !== "port"
  if (["packet_size", "ping_count", "ping_per_request_timeout"].includes(column)) return type !== "ping"
  if (column === "hostname") return web || type === "push"
  if (column === "port") return type !== "port" && type !== "dns"
  if (column === "timeout" || column === "ip_family") return type === "push"
  // A job that reports has a grace instead, and a GET request here no body.
  return column === "http_body_encoding" && type !== "http"
}

const other = (column: string, definition: string): string | number => {
  const usual = /DEFAULT '?(-?[\d.]+)'?/.exec(definition)?.[1]
  if (column in values) return values[column]!
  if (/BOOLEAN/i.test(definition)) return usual === "1" ? 0 : 1
  return /INT|DOUBLE/i.test(definition) ? Number(usual ?? 0) + 7 : "other"
}

it.effect("changes the monitor or a note with every setting that means something", () =>
  Effect.gen(function* () {
    const asked = Object.keys(types).flatMap((type) =>
      Object.entries(monitorColumns)
        .filter(([column]) => !meaningless.has(column) && !ofOthers(type, column))
        .map(([column, definition]) => ({ type, column, value: other(column, definition) }))
    )
    assert.isAbove(asked.length, 80)
    const base = Object.entries(types).map(([type, own]) => ({ type, column: "", fields: own }))
    const all = [
      ...base,
      ...asked.map(({ column, type, value }) => ({ type, column, fields: { ...types[type], [column]: value } }))
    ]
    using database = new KumaDatabase({
      monitor: all.map(({ fields, type }, index) => ({
        id: index + 1,
        name: `M${index}`,
        interval: 60,
        maxretries: 2,
        type,
        ...fields
      }))
    })
    const { report, yaml } = Import.convert(yield* Database.read(database.copy("", "-wal")), kinds, 0)
    const entries = new Map(
      yaml
        .split(/^(?= {2}m\d+:$)/m)
        .map((text) => [/^ {2}(m\d+):/.exec(text)?.[1], text.split("\n\n")[0]!.replace(/^.*\n.*\n/, "")])
    )
    const said = (index: number) =>
      JSON.stringify([
        entries.get(`m${index}`)?.replaceAll(/^ {4}(tags|name):.*\n/gm, ""),
        report.filter(({ about }) => about === `Monitor M${index}`).map(({ leftOut, notes }) => [leftOut, notes])
      ])
    const silent = asked.filter(
      ({ type }, place) => said(base.length + place) === said(base.findIndex((one) => one.type === type))
    )
    assert.deepStrictEqual(
      silent.map(({ column, type }) => `${type}: ${column}`),
      []
    )
  })
)
