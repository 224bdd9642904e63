/** Where the parts of a YAML document stand. */
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from "yaml"
import type { Place } from "./Place.ts"

export type Path = ReadonlyArray<string | number>

/** `config.headers[0].x` as its parts. */
export const parts = (path: string): Path =>
  path === "" ? [] : path.split(/\.|(?=\[)/).map((part) => (part.startsWith("[") ? Number(part.slice(1, -1)) : part))

/** The parts as they are written. */
export const written = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    ""
  )

/** Finds a path in a document; what is not there is taken for what it would stand in. */
export const locator = (file: string, document: Document, lines: LineCounter) => {
  const at = (offset: number): Place => {
    const { col, line } = lines.linePos(offset)
    return { file, line, column: col }
  }
  return (path: Path): Place => {
    let node: unknown = document.contents
    let offset = (document.contents as Node | null)?.range?.[0] ?? 0
    for (const part of path) {
      const step = within(resolved(node, document), part, document)
      if (step === undefined) break
      offset = step.offset ?? offset
      node = step.node
    }
    return at(offset)
  }
}

const resolved = (node: unknown, document: Document): unknown => (isAlias(node) ? node.resolve(document) : node)

interface Found {
  readonly node: unknown
  readonly offset: number | undefined
}

/** One part further: pairs are found by their keys, where they are merged in (`<<`) as well. */
const within = (node: unknown, part: string | number, document: Document): Found | undefined => {
  if (isSeq(node)) {
    const item = node.items[Number(part)]
    return item === undefined ? undefined : { node: item, offset: (item as Node).range?.[0] }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => keyOf(key) === String(part))
  if (pair !== undefined) return { node: pair.value, offset: (pair.key as Node).range?.[0] }
  for (const merged of node.items.filter(({ key }) => keyOf(key) === "<<")) {
    for (const source of sources(merged, document)) {
      const found = within(source, part, document)
      if (found !== undefined) return found
    }
  }
  return undefined
}

const sources = ({ value }: Pair, document: Document): ReadonlyArray<unknown> => {
  const source = resolved(value, document)
  return isSeq(source) ? source.items.map((item) => resolved(item, document)) : [source]
}

/** A key's text. The one that merges is a symbol to the reader, so that a quoted one is not. */
const keyOf = (key: unknown): string | undefined => {
  if (!isScalar(key)) return undefined
  return typeof key.value === "symbol" ? key.value.description : String(key.value)
}
