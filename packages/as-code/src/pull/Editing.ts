/**
 * Edits YAML files in place: comments, anchors, the order of entries and everything that is not edited stay. A file without an
 * edit keeps every byte.
 */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap
} from "yaml"
import type { SourceFile } from "../Source.ts"
import type { Plain } from "../Written.ts"

/** An edit of a file. The path begins with the section and the key of an entry. */
export type Edit =
  | { readonly action: "set"; readonly path: ReadonlyArray<string>; readonly value: Plain }
  | { readonly action: "remove"; readonly path: ReadonlyArray<string> }

/** The file after the edits. */
export const edited = ({ name, text }: SourceFile, edits: ReadonlyArray<Edit>): SourceFile => {
  if (edits.length === 0) return { name, text }
  const document = parseDocument(text, { merge: true })
  const style = styleOf(document, text)
  for (const edit of edits) {
    if (edit.action === "set") set(document, edit.path, edit.value)
    else remove(document, edit.path)
  }
  return { name, text: tightened(document.toString({ lineWidth: 0, ...style }), tightIn(document, text)) }
}

/** The kinds of collections in brackets that the file writes without blanks inside. */
const tightIn = (document: Document, text: string): ReadonlySet<"[" | "{"> => {
  const tight = new Set<"[" | "{">()
  visit(document, {
    Collection: (_, { flow, range }) => {
      const start = range?.[0]
      if (flow === true && start !== undefined && /^[[{]\S/.test(text.slice(start, start + 2)))
        tight.add(text[start] as "[" | "{")
    }
  })
  return tight
}

/** Without blanks inside of brackets. */
const tightened = (text: string, tight: ReadonlySet<string>): string => {
  if (tight.size === 0) return text
  const blanks: Array<number> = []
  visit(parseDocument(text, { merge: true }), {
    Collection: (_, { flow, range }) => {
      if (flow !== true || !range || !tight.has(text[range[0]]!)) return
      if (text[range[0] + 1] === " ") blanks.push(range[0] + 1)
      if (text[range[1] - 2] === " " && range[1] - 2 > range[0] + 1) blanks.push(range[1] - 2)
    }
  })
  const dropped = new Set(blanks)
  return [...text.matchAll(/[^]/g)].map(([unit], at) => (dropped.has(at) ? "" : unit)).join("")
}

/** As the file is indented. */
const styleOf = (document: Document, text: string): { readonly indent: number; readonly indentSeq: boolean } => {
  const indent = /^[A-Za-z][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)\S/m.exec(text)?.[1]?.length ?? 2
  let indentSeq: boolean | undefined
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isSeq(value) || value.flow === true || !isNode(key) || value.items.length === 0) return undefined
      const column = (offset: number | undefined): number =>
        offset === undefined ? 0 : offset - (text.lastIndexOf("\n", offset - 1) + 1)
      // The range of a list begins at its first dash.
      indentSeq ??= column(value.range?.[0]) > column(key.range?.[0])
      return undefined
    }
  })
  return { indent: Math.min(indent, 8), indentSeq: indentSeq ?? true }
}

/** The map of a path, made where there is none. An alias becomes a copy, so that the edit does not reach what it refers to. */
const mapAt = (document: Document, path: ReadonlyArray<string>): YAMLMap => {
  let node = document.contents as Node | null
  if (!isMap(node)) {
    node = document.createNode({}) as YAMLMap
    node.commentBefore = (document.contents as Node | null)?.commentBefore ?? null
    document.contents = node as never
  }
  for (const part of path) {
    const parent = node as YAMLMap
    const value: unknown = parent.get(part, true)
    const resolved = isAlias(value) ? (value.resolve(document)?.clone() as Node | undefined) : value
    if (isAlias(value) && isCollection(resolved)) delete resolved.anchor
    if (isMap(resolved)) {
      if (resolved !== value) parent.set(part, resolved)
      // Braces cannot hold an entry of several lines that anybody likes to read.
      if (resolved.items.length === 0) resolved.flow = false
      node = resolved
    } else {
      const made = document.createNode({}) as YAMLMap
      if (parent.has(part)) parent.set(part, made)
      else {
        const pair = document.createPair(part, made) as Pair<Node, Node>
        // An empty line between sections.
        if (parent === document.contents && parent.items.length > 0) pair.key.spaceBefore = true
        parent.add(pair as never)
      }
      node = made
    }
  }
  return node as YAMLMap
}

const set = (document: Document, path: ReadonlyArray<string>, value: Plain): void => {
  const [last, parents] = [path.at(-1)!, path.slice(0, -1)]
  const map = mapAt(document, parents)
  const before: unknown = map.get(last, true)
  const node = document.createNode(value) as Node
  if (isScalar(before) && isScalar(node)) {
    // Keeps the comment behind it, and its quotes.
    before.value = node.value
    delete before.source
    return
  }
  if (isNode(before)) node.comment = before.comment ?? null
  // Others may refer to it.
  if (isCollection(before) && before.anchor !== undefined && isCollection(node)) node.anchor = before.anchor
  if (isSeq(before) && isSeq(node) && before.flow === true) node.flow = true
  if (map.flow === true && map.items.length === 0) map.flow = false
  // An empty line between entries, as most files have.
  if (before === undefined && parents.length === 1 && map.items.length > 0 && map.flow !== true) {
    const pair = document.createPair(last, value) as Pair<Node, Node>
    if (map.items.slice(1).some(({ key }) => isNode(key) && key.spaceBefore === true)) pair.key.spaceBefore = true
    map.add(pair as never)
    return
  }
  map.set(last, node)
}

const remove = (document: Document, path: ReadonlyArray<string>): void => {
  const last = path.at(-1)!
  let node: unknown = document.contents
  for (const part of path.slice(0, -1)) {
    if (!isMap(node)) return
    const value: unknown = node.get(part, true)
    // The target of an alias belongs to another entry.
    node = isAlias(value) ? mapAt(document, path.slice(0, path.indexOf(part) + 1)) : value
  }
  if (isMap(node)) node.delete(last)
}
