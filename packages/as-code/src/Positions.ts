/** Positions of the parts of a YAML document. */
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from "yaml"
import type { Place } from "./Place.ts"

export type Path = ReadonlyArray<string | number>

/** Splits a path such as `config.headers[0].x`. */
export const parts = (path: string): Path =>
  path === "" ? [] : path.split(/\.|(?=\[)/).map((part) => (part.startsWith("[") ? Number(part.slice(1, -1)) : part))

/** Joins the parts of a path. */
export const written = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    ""
  )

/** Finds the position of a path in a document, or of its nearest existing parent. */
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

/** Follows one part of a path. Also finds keys that are merged in with `<<`. */
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

/** The text of a key. The parser represents the merge key `<<` as a symbol, and a quoted one as text. */
const keyOf = (key: unknown): string | undefined => {
  if (!isScalar(key)) return undefined
  return typeof key.value === "symbol" ? key.value.description : String(key.value)
}
