/** Notices in the languages of their readers. */
import { assert, describe, it } from "@effect/vitest"
import { isLocale, Locale } from "@kanmon/domain/Locale"
import { pageReason, PageReasonKind } from "@kanmon/domain/PageReason"
import { reason } from "@kanmon/domain/Reason"
import * as fc from "fast-check"
import { de } from "../src/NoticeGerman.ts"
import { ja } from "../src/NoticeJapanese.ts"
import { type Notice, NoticeEvent } from "../src/Notice.ts"
import { ownReasons, reasonIn } from "../src/NoticeReasons.ts"
import * as NoticeText from "../src/NoticeText.ts"
import { noticeWords, say } from "../src/NoticeWords.ts"

const others = Locale.literals.filter((locale) => locale !== "en")

/** Names of values, once each. */
const valuesOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].toSorted()

/** English words that no German and no Japanese text has. */
const english =
  /\b(the|is|are|was|has|have|with|and|of|since|you|your|its?|not|no|again|more|from|until|on call|answered|checks?|regions?|expires?|down|up|Target|Severity|Since|Regions|Project|Rule|Open|Acknowledge)\b/

describe("the texts of notices", () => {
  it.each(others)("have the values of the English ones, and no English words: %s", (locale) => {
    const catalogue: Readonly<Record<string, string>> = { de, ja }[locale as "de" | "ja"]
    assert.deepStrictEqual(Object.keys(catalogue).toSorted(), noticeWords.toSorted())
    for (const word of noticeWords) {
      const text = say(locale, word)
      assert.notStrictEqual(text.trim(), "", word)
      assert.deepStrictEqual(valuesOf(text), valuesOf(word), word)
      assert.notMatch(text.replaceAll(/\{\w+\}/g, ""), english, word)
    }
  })

  it("puts values in as they are, also those that look like the name of a value", () => {
    assert.strictEqual(say("de", "{state}: {name}", { state: "{name}", name: "$&" }), "{name}: $&")
  })
})

const failure = { code: "status_mismatch", message: "" }

const down: Notice = {
  id: "dlv_1",
  alertId: "alt_1",
  event: "monitor_down",
  severity: "critical",
  at: Date.parse("2026-11-20T21:00:00.000Z"),
  project: { id: "prj_1", name: "Acme" },
  rule: null,
  monitor: { id: "mon_1", name: "Shop", type: "http", target: "https://shop.example/" },
  reason: "",
  startedAt: Date.parse("2026-11-20T20:59:00.000Z"),
  durationSeconds: null,
  regions: ["eu-west", "us-east", "ap-south"].map((region, index) => ({
    region,
    status: index < 2 ? "down" : "up",
    responseTime: 812,
    failure: index < 2 ? failure : null
  })),
  region: "eu-west",
  statusCode: 503,
  responseTime: 812.4,
  timing: { dns: 3.1, connect: 20.4, tls: 31, firstByte: 750.2, download: 7.7 },
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: "https://kanmon.example/monitors/mon_1" }
}

const reasonOf = (code: "all_pass") => {
  const { explanation, message } = reason(code, {})
  return { reason: message, explanation }
}

const event = (of: NoticeEvent, locale: Locale): Notice => ({
  ...down,
  event: of,
  language: locale,
  zone: "Asia/Tokyo",
  rules: ["A", "B", "C", "D", "E", "F", "G"].map((name) => ({ id: name, name })),
  durationSeconds: 100_000,
  expiresAt: down.at,
  overtakesOpening: true,
  acknowledgeUrl: "https://kanmon.example/x",
  why: PageReasonKind.literals.map((kind) =>
    pageReason(kind, { name: "Ada", policy: "Ops", step: 1, until: down.at, from: down.at })
  )
})

/** Everything that channels take from a notice. */
const everything = (notice: Notice): string =>
  [
    NoticeText.plain(notice),
    NoticeText.subject(notice),
    NoticeText.word(notice),
    NoticeText.openLabel(notice),
    NoticeText.severityWord(notice),
    ...(notice.why ?? []).map((reason) => NoticeText.whyShort({ ...notice, why: [reason] }))
  ].join("\n")

describe("a notice in another language", () => {
  it.each(others)("has no English sentence left, whatever its event: %s", (locale) => {
    const group = [down, { ...down, ...reasonOf("all_pass") }]
    for (const of of NoticeEvent.literals) {
      const notice = event(of, locale)
      for (const one of [notice, { ...notice, group }])
        for (const line of everything(one).split("\n"))
          assert.notMatch(line.replaceAll(/https?:\S+/g, ""), english, `${of}: ${line}`)
      assert.notStrictEqual(NoticeText.headline(notice), NoticeText.headline({ ...notice, language: "en" }), of)
    }
  })

  it("names days, durations and reasons in the language", () => {
    const german = event("monitor_up", "de")
    const why = [pageReason("on_call", { name: "Primary", until: down.at + 86_400_000, policy: "Ops", step: 1 })]
    assert.strictEqual(
      NoticeText.why({ ...german, why }),
      "Sie haben Bereitschaft in Primary (bis So 06:00 JST), Stufe 2 von Ops"
    )
    assert.strictEqual(
      NoticeText.why({ ...german, language: "ja", why }),
      "Primary の当番です（日曜 06:00 JST まで）、Ops のステップ 2"
    )
    assert.strictEqual(NoticeText.headline(german), "Shop ist wieder in Betrieb")
    assert.strictEqual(NoticeText.subject({ ...german, event: "ssl_expiring" }), "Zertifikat läuft ab: Shop")
    assert.strictEqual(NoticeText.word({ ...german, event: "monitor_stale" }), "KEINE ERGEBNISSE")
    assert.include(NoticeText.summary({ ...german, language: "ja" }), "継続時間は 1 日 3 時間でした。")
    assert.isTrue(NoticeText.facts(german).some((fact) => NoticeText.isWhy(fact, german)))
  })
})

describe("a reason of Kanmon itself", () => {
  const value = fc.constantFrom("shop.example", "Ada & Co", "2026-11-28", "7", "x (y)", "日本")

  it("is said in every language with its values, and unchanged in English", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ownReasons),
        fc.constantFrom(...Locale.literals),
        value,
        (reason, locale, text) => {
          const values = Object.fromEntries(valuesOf(reason).map((name) => [name!, text]))
          const said = reasonIn(locale, say("en", reason, values))
          assert.strictEqual(said, say(locale, reason, values))
        }
      )
    )
  })

  it("has its parts in the language, too", () => {
    assert.strictEqual(
      reasonIn("de", "Too many messages: the next one comes at 10:00 UTC or later. Ada has it"),
      "Zu viele Nachrichten: Die nächste kommt frühestens um 10:00 UTC. Ada kümmert sich darum"
    )
    assert.strictEqual(reasonIn("de", "the API key Deploys has it"), "Der API-Schlüssel Deploys kümmert sich darum")
    assert.strictEqual(
      reasonIn("de", "You test how critical alerts page you. Acknowledge this page, as you would a real one"),
      "Sie testen, wie Alarme Sie erreichen (Schweregrad: Kritisch). Bestätigen Sie diesen Test wie einen echten Alarm"
    )
  })

  it("is told from what a target answered, which stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const answer = `The answer says: ${text}`
        for (const locale of Locale.literals) assert.strictEqual(reasonIn(locale, answer), answer)
      })
    )
    const long = `${"x".repeat(2000)} has it`
    assert.strictEqual(reasonIn("de", long), long)
    assert.isFalse(isLocale("fr"))
  })
})
