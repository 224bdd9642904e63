/**
 * Counts how often comments, test names and texts of a package use words that readers have to translate, in percent of its
 * sentences, rounded up. No package may exceed its share in `language.json`. Shares only fall: `--write` lowers them.
 */
import * as fs from "node:fs"
import * as path from "node:path"

const root = path.resolve(import.meta.dirname, "../..")
const recorded = path.join(import.meta.dirname, "language.json")

const tokens = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g
const words =
  /\b(?:nobody|whoever|whatever|anew|whose|what came of|(?:is|are|was|were) (?:not )?heard of|hears? of|how things stand|by (?:its|their) own fault|goes? over to)\b|^(?:What|Whoever|Those|Of|Who|Whose|Nobody)\b/i

const textOf = (token: string): string => token.replaceAll(/^(?:\/\*+|\/\/|"|`)|(?:\*\/|"|`)$|^ *\* ?/gm, "").trim()

/** Parts of at least three words: names, paths and keys are no sentences. */
const sentencesIn = (source: string): ReadonlyArray<string> =>
  (source.match(tokens) ?? [])
    .flatMap((token) => textOf(token).split(/(?<=[.!?:;])\s+|\n *\n/))
    .filter((sentence) => sentence.split(/\s+/, 3).length === 3)

const filesBelow = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:src|test|tests|scripts)\/.*\.tsx?$|^[^/]*\.ts$/.test(file) && !file.endsWith(".gen.ts"))
    .map((file) => path.join(folder, file))

const shareOf = (folder: string): number => {
  const sentences = filesBelow(path.join(root, folder)).flatMap((file) => sentencesIn(fs.readFileSync(file, "utf8")))
  return Math.ceil((100 * sentences.filter((sentence) => words.test(sentence)).length) / Math.max(1, sentences.length))
}

const packages = ["packages", "plugins", "apps"].flatMap((group) =>
  fs
    .readdirSync(path.join(root, group), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [`${group}/${entry.name}`] : []))
)
const known = JSON.parse(fs.readFileSync(recorded, "utf8")) as Readonly<Record<string, number>>
const shares = packages.map((name) => [name, shareOf(name), known[name] ?? 1] as const)

for (const [name, share, limit] of shares.filter(([, share, limit]) => share > limit)) {
  process.exitCode = 1
  process.stderr.write(
    `${name}: ${share} % of its sentences use words that readers have to translate, and ${limit} % are allowed\n`
  )
}
if (process.argv.includes("--write")) {
  const fallen = Object.fromEntries(shares.map(([name, share, limit]) => [name, Math.min(share, limit)]))
  fs.writeFileSync(recorded, `${JSON.stringify(fallen, null, 2)}\n`)
}
