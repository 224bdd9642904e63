/** Texts: every one that is translated is used. A text that is not translated does not compile. */
import { readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import german from "../src/locales/de.ts"

const src = path.resolve(import.meta.dirname, "../src")

it("contains no text that nothing shows", () => {
  const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("locales/de"))
    .map((file) => readFileSync(path.join(src, file), "utf8"))
    .join("\n")
  assert.deepStrictEqual(
    Object.keys(german).filter((text) => !sources.includes(JSON.stringify(text))),
    []
  )
})
