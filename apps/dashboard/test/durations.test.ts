/** Durations as people type them, in each language of the dashboard. */
import { assert, describe, it } from "@effect/vitest"
import { setupI18n } from "@lingui/core"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import * as FastCheck from "fast-check"
import german from "../src/locales/de.ts"
import { readDuration, writeDuration } from "../src/locales/durations.ts"
import japanese from "../src/locales/ja.ts"

const catalogues = {
  en: Object.fromEntries(Object.keys(german).map((text) => [text, text])),
  de: german as Readonly<Record<string, string>>,
  ja: japanese as Readonly<Record<string, string>>
}

describe("durations", () => {
  for (const [locale, texts] of Object.entries(catalogues))
    it(`are read as they are written, in ${locale}`, () => {
      const messages = Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, compileMessage(text)]))
      const i18n = setupI18n({ locale, messages: { [locale]: messages } })
      FastCheck.assert(
        FastCheck.property(FastCheck.nat(400 * 86_400), (seconds) => {
          assert.strictEqual(readDuration(writeDuration(seconds, (text, values) => i18n._(text, values))), seconds)
        })
      )
    })

  it("are read in the short forms, too, and a number alone as seconds", () => {
    const cases: ReadonlyArray<readonly [string, number]> = [
      ["90", 90],
      ["0.5", 0.5],
      ["5min", 300],
      [" 1 h 30 min ", 5400],
      ["1h30m", 5400],
      ["1,5 h", 5400],
      ["1 Std. 5 Min.", 3900],
      ["2 weeks", 1_209_600],
      ["1 day, 2 hours", 93_600],
      ["2時間30分", 9000]
    ]
    for (const [text, seconds] of cases) assert.strictEqual(readDuration(text), seconds, text)
  })

  it("are nothing else", () => {
    for (const text of ["", "soon", "5 parsecs", "1 h 30", "-5", "5 min or so", "1".repeat(100)])
      assert.isUndefined(readDuration(text), text)
  })
})
