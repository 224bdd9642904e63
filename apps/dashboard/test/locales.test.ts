/** Texts: every one that is translated is used, and every language has all of them. One without a German text does not compile. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import german from "../src/locales/de.ts"
import { withoutContext } from "../src/locales/context.ts"
import japanese from "../src/locales/ja.ts"

const src = path.resolve(import.meta.dirname, "../src")

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/locales\/(?:de|ja)\b/.test(file))
  .map((file) => readFileSync(path.join(src, file), "utf8"))

/** The texts that are given to `t` as they are. */
const direct = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\bt\(\s*("(?:[^"\\\n]|\\.)*")/g)].map(([, text]) => JSON.parse(text!) as string)
  )
)

/** Sources with texts in tables, or in choices: those name the type of texts, or give `t` something else than a text. */
const tables = sources.filter((source) => /\bText\b|\bt\(\s*[^"\s]/.test(source))

it("contains every text that is shown, and none that nothing shows", () => {
  assert.deepStrictEqual(
    Object.keys(german).filter(
      (text) => !direct.has(text) && !tables.some((source) => source.includes(JSON.stringify(text)))
    ),
    []
  )
  assert.deepStrictEqual(
    [...direct].filter((text) => !(text in german)),
    []
  )
})

const parts = async (language: string): Promise<ReadonlyArray<readonly [string, ReadonlyArray<string>]>> =>
  Promise.all(
    readdirSync(path.join(src, "locales", language)).map(async (file) => {
      const { default: texts } = (await import(path.join(src, "locales", language, file))) as {
        readonly default: Readonly<Record<string, string>>
      }
      return [file, Object.keys(texts)] as const
    })
  )

it("has each text in one file: of two, one would win unseen", async () => {
  for (const language of ["de", "ja"]) {
    const files = new Map<string, Array<string>>()
    for (const [file, texts] of await parts(language))
      for (const text of texts) files.set(text, [...(files.get(text) ?? []), file])
    assert.deepStrictEqual(
      [...files].filter(([, where]) => where.length > 1),
      [],
      "Give one of them a context, as in `Ends|session`"
    )
  }
})

it("shows a context to no one", () => {
  const contexts = Object.keys(german).filter((text) => withoutContext(text) !== text)
  assert.isNotEmpty(contexts)
  for (const text of contexts) {
    assert.match(text, /^[^|]+\|[a-z-]+$/)
    for (const texts of [german, japanese]) assert.notInclude(Reflect.get(texts, text), "|")
  }
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
