/** Parses files into entries by section and key, and replaces variables. The fields of entries are decoded later. */
import { Key } from "@kanmon/domain/Key"
import { isObject } from "@kanmon/protocol/JsonSchema"
import { Schema } from "effect"
import { LineCounter, parseDocument } from "yaml"
import { type Environment, fill } from "./Environment.ts"
import { type Mistake, type Place, shown } from "./Place.ts"
import { locator, type Path, parts, written } from "./Positions.ts"
import { type Kind, type Section, sections } from "./Resource.ts"
import { didYouMean } from "@kanmon/domain/Suggestion"

export interface SourceFile {
  /** As the user named it. */
  readonly name: string
  readonly text: string
}

export interface Entry {
  readonly kind: Kind
  readonly section: Section
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
  /** Paths of the fields in which variables were replaced. */
  readonly fromEnvironment: ReadonlySet<string>
  /** The position of a field, or of its nearest existing parent. */
  readonly at: (path: string) => Place
}

export interface Source {
  readonly entries: ReadonlyArray<Entry>
  readonly mistakes: ReadonlyArray<Mistake>
  /** The kinds with a section, which may be empty. */
  readonly sections: ReadonlySet<Kind>
}

/** Parses all files. A key that occurs twice in a section is an error. */
export const read = (files: ReadonlyArray<SourceFile>, environment: Environment): Source => {
  const entries = new Map<string, Entry>()
  const mistakes: Array<Mistake> = []
  const present = new Set<Kind>()
  for (const file of files) {
    const found = readOne(file, environment)
    for (const kind of found.sections) present.add(kind)
    mistakes.push(...found.mistakes)
    for (const entry of found.entries) {
      const path = `${entry.section}.${entry.key}`
      const first = entries.get(path)
      if (first === undefined) entries.set(path, entry)
      else {
        const message = `This key is already used in ${shown(first.at(""))}; rename one of them`
        mistakes.push({ place: entry.at(""), path, message })
      }
    }
  }
  return { entries: [...entries.values()], mistakes, sections: present }
}

const readOne = ({ name, text }: SourceFile, environment: Environment): Source => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const at = locator(name, document, lines)
  const mistake = (path: Path, message: string): Mistake => ({ place: at(path), path: written(path), message })
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(({ code, message, pos: [offset] }): Mistake => {
      const { col, line } = lines.linePos(offset)
      const words = code === "MULTIPLE_DOCS" ? "Expected one document; put the others into separate files" : message
      return { place: { file: name, line, column: col }, path: "", message: words.replaceAll(/\s+/g, " ") }
    })
    return only(mistakes.filter((one, at) => at === 0 || one.message !== mistakes[at - 1]!.message))
  }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 1000 })
  } catch (error) {
    return only([mistake([], (error as Error).message)])
  }
  if (content === null) return only([])
  if (!isObject(content)) {
    return only([mistake([], `Expected ${known.join(", ")}, each with entries below it`)])
  }
  return entriesOf(content, environment, at, mistake)
}

const only = (mistakes: ReadonlyArray<Mistake>): Source => ({ entries: [], mistakes, sections: new Set() })

const known = Object.keys(sections)
const isKey = Schema.is(Key)

const entriesOf = (
  content: Readonly<Record<string, unknown>>,
  environment: Environment,
  at: (path: Path) => Place,
  mistake: (path: Path, message: string) => Mistake
): Source => {
  const entries: Array<Entry> = []
  const mistakes: Array<Mistake> = []
  const present = new Set<Kind>()
  for (const [section, found] of Object.entries(content)) {
    if (section.startsWith("x-")) continue
    if (!isSection(section)) {
      const rest = didYouMean(section, known) || `; expected ${known.join(", ")}, or x-… for YAML anchors`
      mistakes.push(mistake([section], `Unknown field${rest}`))
      continue
    }
    present.add(sections[section])
    if (found === null) continue
    if (!isObject(found)) {
      mistakes.push(mistake([section], "Expected entries by key"))
      continue
    }
    for (const [key, value] of Object.entries(found)) {
      const path = [section, key]
      if (!isKey(key)) mistakes.push(mistake(path, keyRule))
      else if (!isObject(value)) mistakes.push(mistake(path, "Expected fields"))
      else {
        const filled = fillIn(value, environment)
        mistakes.push(...filled.problems.map((one) => mistake([...path, ...one.path], one.message)))
        entries.push({
          kind: sections[section],
          section,
          key,
          value: filled.value as Entry["value"],
          fromEnvironment: filled.used,
          at: (field) => at([...path, ...parts(field)])
        })
      }
    }
  }
  return { entries, mistakes, sections: present }
}

const keyRule =
  "Expected a key of 1 to 64 lower-case letters, digits, hyphens and underscores; the first must be a letter or digit"

/** Replaces the variables in all texts of a value. */
const fillIn = (root: unknown, environment: Environment) => {
  const used = new Set<string>()
  const problems: Array<{ readonly path: Path; readonly message: string }> = []
  const walk = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") {
      const filled = fill(value, environment)
      if (filled.used.length > 0) used.add(written(path))
      problems.push(...filled.problems.map((message) => ({ path, message })))
      return filled.text
    }
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]))
  }
  return { value: walk(root, []), used, problems }
}

const isSection = (name: string): name is Section => Object.hasOwn(sections, name)
