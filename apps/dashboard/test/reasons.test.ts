/** Reasons in the reader's language, wherever the dashboard shows them. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { reason } from "@kanmon/domain/Reason"
import { german } from "@kanmon/domain/ReasonsGerman"
import { type Check, tableOf } from "../src/features/monitor/checkRuns.ts"
import { reasonText, sayReasonsIn, writeReasonTimes } from "../src/locales/reasons.ts"

const src = path.resolve(import.meta.dirname, "../src")

afterEach(() => {
  sayReasonsIn(undefined)
  writeReasonTimes({})
})

const refused = { code: "connect_refused", ...reason("connection_refused", { target: "shop.example:443" }) }

describe("a reason in the dashboard", () => {
  it("is in the reader's language, with the reader's times", () => {
    const missed = reason("signal_missed", { deadline: "2026-11-28T08:00:00.000Z", last: "none" })
    assert.strictEqual(reasonText(refused), "shop.example:443 refused the connection")
    sayReasonsIn(german)
    writeReasonTimes({ instant: () => "neun Uhr" })
    assert.strictEqual(reasonText(refused), "shop.example:443 hat die Verbindung abgelehnt")
    assert.strictEqual(reasonText(missed), "Bis neun Uhr kam kein Signal. Bisher kam kein Erfolgssignal")
  })

  it("is as a plugin wrote it, where only the plugin can say it", () => {
    sayReasonsIn(german)
    assert.strictEqual(reasonText({ message: "The moon is in the way" }), "The moon is in the way")
    const later = { message: "It is too warm", explanation: { code: "too_warm", parameters: {} } }
    assert.strictEqual(reasonText(later), "It is too warm")
  })

  it("is so in what is exported", () => {
    sayReasonsIn(german)
    const check = { ...({} as Check), checkedAt: "", region: "", status: "down", timing: {}, failure: refused } as Check
    assert.strictEqual(tableOf([check])[1]!.at(-1), "shop.example:443 hat die Verbindung abgelehnt")
  })

  /** Where a sentence of the server is used as it is. To compare two of them shows nothing. */
  const raw = (source: string): ReadonlyArray<string> =>
    source
      .replaceAll(/\S+\.message [!=]== \S+/g, "")
      .match(/\b(?:failure|lastFailure|reason)[?!]?\.message\b|\balert\.reason\b/g) ?? []

  it("is nowhere shown as the server wrote it", () => {
    assert.lengthOf(raw("<bdi>{failure?.message}</bdi> {alert.reason}"), 2)
    assert.deepStrictEqual(
      readdirSync(src, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => raw(readFileSync(path.join(src, file), "utf8")).map((found) => `${file}: ${found}`)),
      [],
      "Show reasonText(failure) of locales/reasons.ts"
    )
  })
})
