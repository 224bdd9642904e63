/** Reasons that people read are of the vocabulary, so that they are shown in the languages of their readers. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { english } from "@kanmon/domain/ReasonsEnglish"

const root = path.resolve(import.meta.dirname, "../..")

const folders = [
  ...readdirSync(path.join(root, "plugins"))
    .filter((name) => name.startsWith("check-"))
    .map((name) => `plugins/${name}/src`),
  "packages/core/src",
  "packages/probe/src",
  "packages/monitoring/src/alerts",
  "packages/monitoring/src/checks",
  "packages/monitoring/src/evaluation",
  "packages/monitoring/src/heartbeats",
  "packages/domain/src"
]

/** They warn in answers to signals, which programs read. */
const warnings = new Set([
  "packages/domain/src/SignalParameters.ts",
  "packages/monitoring/src/heartbeats/SignalContent.ts"
])

const sources = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !warnings.has(`${folder}/${file}`))
    .map((file) => [`${folder}/${file}`, readFileSync(path.join(root, folder, file), "utf8")] as const)
)

/** A failure with a sentence of its own: `{ code: "slow", message: "…" }`, `new DialFailed({ reason, message: `…` })`. */
const written = [
  /\bcode: (?:"[a-z][a-z0-9_]+"|\w+),\s*message:\s*["`]/g,
  /\bnew (?:\w+\.)?(?:CheckFailed|DialFailed|ResolveFailed|EvaluationFailed|ExchangeFailed)\(\{[^}]*?\bmessage:\s*["`]/g
]

const ownSentences = (source: string): ReadonlyArray<string> => written.flatMap((form) => source.match(form) ?? [])

describe("the reasons of bundled checks", () => {
  it("are found where they have sentences of their own", () => {
    assert.lengthOf(ownSentences('new Check.CheckFailed({ status: "down", message: `${host} is gone` })'), 1)
    assert.lengthOf(ownSentences('return { code: "slow", message: "It was slow" }'), 1)
    assert.isAtLeast(sources.length, 100)
  })

  it("are of the vocabulary", () =>
    assert.deepStrictEqual(
      sources.flatMap(([file, source]) => ownSentences(source).map((found) => `${file}: ${found}`)),
      [],
      "Give `...reason(code, parameters)` of @kanmon/domain/Reason, and the sentences in ReasonsEnglish, German and Japanese"
    ))

  it("are all given by something", () => {
    const all = sources
      .filter(([file]) => !/\/Reasons(?:English|German|Japanese)\.ts$/.test(file))
      .map(([, source]) => source)
    assert.deepStrictEqual(
      Object.keys(english.texts).filter(
        (code) => !code.includes(".") && !all.some((source) => source.includes(`"${code}"`))
      ),
      []
    )
  })
})
