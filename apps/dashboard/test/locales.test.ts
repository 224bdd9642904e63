/** Texts: every one that is translated is used, and every language has all of them. One without a German text does not compile. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import german from "../src/locales/de.ts"
import japanese from "../src/locales/ja.ts"

const src = path.resolve(import.meta.dirname, "../src")

it("contains no text that nothing shows", () => {
  const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/locales\/(?:de|ja)\b/.test(file))
    .map((file) => readFileSync(path.join(src, file), "utf8"))
    .join("\n")
  assert.deepStrictEqual(
    Object.keys(german).filter((text) => !sources.includes(JSON.stringify(text))),
    []
  )
})

it("has every text in Japanese", () => {
  const missing = Object.keys(german).filter((text) => !(text in japanese))
  assert.isEmpty(missing, `Add these to a file of apps/dashboard/src/locales/ja:\n${missing.join("\n")}\n`)
  assert.deepStrictEqual(
    Object.keys(japanese).filter((text) => !(text in german)),
    []
  )
})

/** The names of a message's arguments, those inside of plurals included. */
const namesIn = (parts: ReturnType<typeof compileMessage>): ReadonlyArray<string> =>
  typeof parts === "string"
    ? []
    : parts.flatMap((part) => {
        if (typeof part === "string") return []
        const [name, , choices] = part
        const nested: ReadonlyArray<unknown> =
          typeof choices === "object" && choices !== null ? Object.values(choices) : []
        return [name, ...nested.flatMap((choice) => (Array.isArray(choice) ? namesIn(choice) : []))]
      })

it("says the same things in every language", () => {
  const differing = [german, japanese].flatMap((texts) =>
    Object.entries(texts).filter(([english, own]) => {
      const [wanted, given] = [english, own].map((text) => [...new Set(namesIn(compileMessage(text)))].sort().join())
      return wanted !== given
    })
  )
  assert.deepStrictEqual(differing, [])
})

it("counts nothing without a plural form", () =>
  assert.deepStrictEqual(
    Object.keys(german).filter((text) => /^\{(?:count|total|number)\} [a-z]+s\b/.test(text)),
    [],
    "Write {count, plural, one {# monitor} other {# monitors}}"
  ))
