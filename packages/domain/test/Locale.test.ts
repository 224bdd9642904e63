import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { acceptedLocale, isLocale, localeFor } from "../src/Locale.ts"

describe("a reader's language", () => {
  it.each([
    ["de", "de"],
    ["ja-JP,ja;q=0.9,en;q=0.8", "ja"],
    ["fr-FR,fr;q=0.9,de-CH;q=0.5", "de"],
    ["en;q=0.2, de;q=0.7", "de"],
    ["de;q=0, ja;q=0.1", "ja"],
    ["DE-at", "de"],
    ["de;q=much", undefined],
    ["fr", undefined],
    ["*", undefined],
    ["", undefined],
    [undefined, undefined]
  ])("is read from Accept-Language %j", (header, expected) => {
    assert.strictEqual(acceptedLocale(header), expected)
  })

  it("is the chosen one, independent of the browser's languages", () => {
    assert.strictEqual(localeFor("ja", "de"), "ja")
    assert.strictEqual(localeFor(null, "de"), "de")
    assert.strictEqual(localeFor("tlh", "fr"), "en")
  })

  it("is one of ours for every header", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (chosen, header) => assert.isTrue(isLocale(localeFor(chosen, header))))
    )
  })
})
