/** The documentation names only what exists: linked files and headings, and paths of this repository. */
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

const documents = async (): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const pattern of ["*.md", "{.changeset,.github}/*.md", "{docs,packages,plugins,tests}/**/*.md"])
    for await (const file of fs.glob(pattern, { cwd: root, exclude: (name) => name.includes("node_modules") }))
      found.push(file)
  return found
}

const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```$/gms, "")

/** The anchors that GitHub gives to the headings of a document. */
const anchors = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-")
  )

const read = (file: string): Promise<string> => fs.readFile(path.join(root, file), "utf8")

const brokenLinks = async (file: string): Promise<ReadonlyArray<string>> => {
  const text = await read(file)
  const broken: Array<string> = []
  for (const [, link, anchor] of withoutCode(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
    const target = link === "" ? file : path.join(path.dirname(file), link!)
    const exists = existsSync(path.join(root, target))
    if (!exists || (anchor !== undefined && !anchors(await read(target)).includes(anchor)))
      broken.push(`${file}: ${link}${anchor === undefined ? "" : `#${anchor}`}`)
  }
  return broken
}

/** Paths with a placeholder or a wildcard name no single file. */
const paths = /`((?:packages|plugins|apps|tests|docs|\.ci|\.github)\/[\w./-]+)`/g

describe("the documentation", () => {
  it("links only to existing files and headings", async () => {
    const files = await documents()
    assert.includeMembers([...files], ["README.md", "docs/operate/roles.md", "tests/faults/README.md"])
    const broken = await Promise.all(files.map(brokenLinks))
    assert.deepStrictEqual(broken.flat(), [])
  })

  it("names no version as the current one, which would age", async () => {
    const aged: Array<string> = []
    for (const file of await documents())
      if (!/^(CHANGELOG|docs\/decisions\/)/.test(file))
        for (const [found] of (await read(file)).matchAll(/\b(Version|current version is|now at) \d+\.\d+/g))
          aged.push(`${file}: ${found}`)
    assert.deepStrictEqual(aged, [])
  })

  it("names only existing paths", async () => {
    const missing: Array<string> = []
    for (const file of await documents()) {
      // A decision may name what it replaced.
      if (file.startsWith("docs/decisions/")) continue
      for (const [, named] of (await read(file)).matchAll(paths))
        if (!existsSync(path.join(root, named!))) missing.push(`${file}: ${named}`)
    }
    assert.deepStrictEqual(missing, [])
  })

  it("says from which version to which the upgrade notes lead, up to the one that comes next", async () => {
    const released = [...(await read("CHANGELOG.md")).matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!)
    const { version } = JSON.parse(await read("package.json")) as { readonly version: string }
    assert.strictEqual(released[0], version)
    const changes = await Promise.all(
      (await fs.readdir(path.join(root, ".changeset"))).map((file) => read(`.changeset/${file}`))
    )
    const [, minor, patch] = version.split(".").map(Number)
    const next = changes.some((text) => /^"@kanmon\/[\w-]+": minor$/m.test(text))
      ? `0.${minor! + 1}.0`
      : changes.some((text) => /^"@kanmon\/[\w-]+": patch$/m.test(text))
        ? `0.${minor}.${patch! + 1}`
        : version
    const steps = [...(await read("docs/operate/upgrade.md")).matchAll(/^## From (\S+) to (\S+)$/gm)]
    assert.isNotEmpty(steps)
    const known = [next, ...released]
    for (const [heading, from, to] of steps)
      assert.isTrue(known.indexOf(to!) >= 0 && known.indexOf(to!) < known.indexOf(from!), heading)
    // A patch has no notes; what it would say belongs to the minor version.
    assert.strictEqual(steps[0]![2]!.split(".")[1], next.split(".")[1])
  })

  it("numbers each decision once, in its file name and in its heading", async () => {
    const folder = "docs/decisions"
    const files = (await fs.readdir(path.join(root, folder))).filter((file) => file !== "README.md").toSorted()
    const numbers = files.map((file) => Number(/^(\d{4})-[\w-]+\.md$/.exec(file)?.[1]))
    assert.deepStrictEqual(
      numbers,
      files.map((_, index) => index + 1)
    )
    for (const [index, file] of files.entries())
      assert.match(await read(`${folder}/${file}`), new RegExp(`^# ${index + 1}\\. `), file)
  })
})
