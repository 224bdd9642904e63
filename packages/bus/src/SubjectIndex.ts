/**
 * Finds the subscribers of a subject without trying every pattern: a tree of the patterns' tokens, as in nats-server.
 * With a consumer for each of many partitions, trying each took most of the time.
 */

/** Patterns as in `Subject`: `*` is one token, a trailing `>` is one or more. Undefined and none match everything. */
type Patterns = ReadonlyArray<string> | undefined

export interface SubjectIndex<A> {
  readonly add: (patterns: Patterns, entry: A) => void
  readonly remove: (patterns: Patterns, entry: A) => void
  /** The subscribers with a matching pattern, each once. */
  readonly find: (subject: string) => ReadonlyArray<A>
}

/** Where a pattern ends, and the tokens that may follow. */
interface Node<A> {
  readonly here: Set<A>
  /** Their patterns go on with `>`. */
  readonly rest: Set<A>
  /** By token; `*` is any token. */
  readonly next: Map<string, Node<A>>
}

const nodeOf = <A>(): Node<A> => ({ here: new Set(), rest: new Set(), next: new Map() })

export const make = <A>(): SubjectIndex<A> => {
  const root = nodeOf<A>()

  /** The entries at the end of a pattern. */
  const at = (pattern: string): Set<A> => {
    const tokens = pattern.split(".")
    const isOpen = tokens.at(-1) === ">"
    if (isOpen) tokens.pop()
    let node = root
    for (const token of tokens) {
      let next = node.next.get(token)
      if (next === undefined) node.next.set(token, (next = nodeOf()))
      node = next
    }
    return isOpen ? node.rest : node.here
  }
  const ends = (patterns: Patterns): ReadonlyArray<Set<A>> =>
    patterns === undefined || patterns.length === 0 ? [root.rest] : patterns.map(at)

  return {
    add: (patterns, entry) => {
      for (const end of ends(patterns)) end.add(entry)
    },
    remove: (patterns, entry) => {
      for (const end of ends(patterns)) end.delete(entry)
    },
    find: (subject) => {
      const found: Array<A> = []
      collect(root, subject, 0, found)
      return found
    }
  }
}

/** Collects the entries that match what follows in the subject from an index on. */
const collect = <A>(node: Node<A>, subject: string, from: number, found: Array<A>): void => {
  addAll(node.rest, found)
  if (node.next.size === 0) return
  const end = subject.indexOf(".", from)
  const token = end < 0 ? subject.slice(from) : subject.slice(from, end)
  for (const next of [node.next.get(token), node.next.get("*")]) {
    if (next === undefined) continue
    if (end < 0) addAll(next.here, found)
    else collect(next, subject, end + 1, found)
  }
}

const addAll = <A>(entries: Set<A>, found: Array<A>): void => {
  for (const entry of entries) if (!found.includes(entry)) found.push(entry)
}
