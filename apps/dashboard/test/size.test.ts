/** The size of what a browser loads first, compressed, as the build leaves it. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const dist = path.resolve(import.meta.dirname, "../dist")
const assets = path.join(dist, "assets")

const named = (name: string): string => {
  const found = readdirSync(assets).find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file))
  assert.isDefined(found, `there is no chunk ${name}`)
  return found!
}

/** A chunk and everything that it imports before it runs. */
const withImports = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  const source = readFileSync(path.join(assets, file), "utf8")
  for (const [, name] of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) withImports(name!, found)
  return found
}

const zipped = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(path.join(assets, `${file}.gz`)).size, 0)

describe("the first load of the monitors list", () => {
  it("is at most 190 kB of JavaScript", () => {
    const entry = /src="\/assets\/([\w.-]+\.js)"/.exec(readFileSync(path.join(dist, "index.html"), "utf8"))![1]!
    const files = [entry, named("Shell"), named("Monitors")].reduce(
      (found, file) => withImports(file, found as Set<string>),
      new Set<string>() as ReadonlySet<string>
    )
    assert.isAtMost(zipped(files) / 1000, 190)
  })

  it("is at most 15 kB of CSS", () => {
    const styles = readdirSync(assets).filter((file) => file.endsWith(".css"))
    assert.isAtMost(zipped(styles) / 1000, 15)
  })

  it("is at most one font of 50 kB, which the document asks for", () => {
    const fonts = readdirSync(assets).filter((file) => file.endsWith(".woff2"))
    assert.lengthOf(fonts, 1)
    assert.isAtMost(statSync(path.join(assets, fonts[0]!)).size / 1000, 50)
    assert.include(
      readFileSync(path.join(dist, "index.html"), "utf8"),
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${fonts[0]}"`
    )
  })
})
