/** Values of any kind in any field of a backup: what is no text does not become one in what is carried over. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Loose } from "../src/uptime-kuma/Backup.ts"
import * as Import from "../src/uptime-kuma/Import.ts"
import { monitorColumns } from "./UptimeKumaTables.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

const convert = (monitors: ReadonlyArray<Loose>, notifications: ReadonlyArray<Loose>) =>
  Import.convert({ version: "1.23.16", monitors, notifications, proxies: 0 }, kinds, 0)

/** Nothing in it was a value of another kind. */
const assertText = (result: unknown) => {
  const all = JSON.stringify(result)
  for (const trace of ["[object", "undefined", "NaN", "function "]) assert.notInclude(all, trace)
}

const web: Loose = { id: 1, name: "Shop", type: "http", url: "https://a.example/", active: true, interval: 60 }
const hook: Loose = { id: 1, name: "Hook", type: "webhook", webhookURL: "https://hook.example/" }

const monitorTypes = ["http", "keyword", "json-query", "port", "ping", "dns", "push", "group"]
const notificationTypes: Readonly<Record<string, ReadonlyArray<string>>> = {
  telegram: ["telegramBotToken", "telegramChatID", "telegramMessageThreadID", "telegramServerUrl"],
  discord: ["discordWebhookUrl", "discordUsername", "threadId"],
  slack: ["slackwebhookURL", "slackchannel"],
  teams: ["webhookUrl"],
  mattermost: ["mattermostWebhookUrl", "mattermosticonurl"],
  webhook: ["webhookURL", "webhookAdditionalHeaders"],
  smtp: ["smtpTo", "smtpCC", "smtpBCC", "customSubject"],
  pushover: ["pushoveruserkey", "pushoverapptoken", "pushoverdevice"],
  ntfy: ["ntfyserverurl", "ntfyAuthenticationMethod", "ntfyusername", "ntfypassword", "ntfytopic", "ntfyaccesstoken"],
  matrix: ["homeserverUrl", "internalRoomId", "accessToken"],
  PagerDuty: ["pagerdutyIntegrationKey", "pagerdutyIntegrationUrl"],
  Opsgenie: ["opsgenieApiKey", "opsgenieRegion"],
  twilio: ["twilioToNumber"]
}

const word = fc.stringMatching(/^[a-z]{0,8}$/)
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
/** Lists and objects, some of them as their text. */
const value = fc
  .oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(word, fc.oneof(leaf, fc.dictionary(word, leaf)), { maxKeys: 3 })
  )
  .chain((one) => fc.constantFrom<unknown>(one, JSON.stringify(one)))

const fieldsOf = (names: ReadonlyArray<string>) => fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })

describe("values of any kind", () => {
  it("are no text in monitors", () => {
    const names = [
      ...Object.keys(monitorColumns),
      "tags",
      "notificationIDList",
      "accepted_statuscodes",
      "parent",
      "headers"
    ]
    fc.assert(
      fc.property(fc.constantFrom(...monitorTypes), fieldsOf(names), (type, fields) => {
        assertText(convert([{ ...web, ...fields, type }], [hook]))
      }),
      { numRuns: 300 }
    )
  })

  it("are no text in channels", () => {
    const record = fc
      .constantFrom(...Object.keys(notificationTypes))
      .chain((type) => fc.tuple(fc.constant(type), fieldsOf(["id", "name", "isDefault", ...notificationTypes[type]!])))
    fc.assert(
      fc.property(record, ([type, fields]) => {
        assertText(convert([{ ...web, notificationIDList: { 1: true } }], [{ ...hook, ...fields, type }]))
      }),
      { numRuns: 300 }
    )
  })

  it("are named where they were headers of a webhook", () => {
    const { report, variables } = convert([], [{ ...hook, webhookAdditionalHeaders: '{"x-a":{"b":1},"x-c":7}' }])
    assert.include(
      report.flatMap(({ notes }) => notes),
      "These headers have no text, and are not carried over: x-a."
    )
    assert.deepStrictEqual(
      variables.map(({ value }) => value),
      ["7"]
    )
  })
})
