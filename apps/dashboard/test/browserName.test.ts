/** The words for browsers. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { browserName } from "../src/features/account/browserName.ts"

describe("the name of a browser", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0",
      "Edge",
      "Windows"
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
      "Chrome",
      "Windows"
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox", "Linux"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
      "Safari",
      "macOS"
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/146.0 Mobile/15E148 Safari/604.1",
      "Chrome",
      "iPhone"
    ],
    [
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
      "Samsung Internet",
      "Android"
    ],
    ["curl/8.14.1", "curl", undefined],
    ["node", undefined, undefined]
  ])("knows %s", (userAgent, browser, system) => {
    assert.deepStrictEqual(browserName(userAgent), { browser, system })
  })

  it("accepts any user agent", () => {
    fc.assert(fc.property(fc.string(), (text) => void browserName(text)))
  })
})
