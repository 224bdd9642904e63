/**
 * The rule of every list: while the reader is about to press something, or has selected rows, rows are neither inserted
 * nor removed nor moved. The content of rows stays up to date, new rows wait, and removed ones stay in their place,
 * marked.
 */
import { useEffect, useMemo, useRef, useState } from "react"
import { changed, useIsHeld } from "./attention.ts"

/** A list as it is shown. */
export interface Arrangement<A> {
  readonly rows: ReadonlyArray<A>
  /** Keys of rows that are no longer in the list. */
  readonly gone: ReadonlySet<string>
  /** Keys that wait to be shown. */
  readonly added: ReadonlySet<string>
  /** Whether the rows are not those of the list, or in another order. */
  readonly isBehind: boolean
}

const none: ReadonlySet<string> = new Set()

/** Keeps the keys of `shown` in their order, with what `given` says now of each, and `known` said last of those that are gone. Pure. */
export const arrange = <A>(
  shown: ReadonlyArray<string>,
  given: ReadonlyArray<A>,
  keyOf: (item: A) => string,
  known: ReadonlyMap<string, A>
): Arrangement<A> => {
  if (shown.length === given.length && given.every((item, index) => keyOf(item) === shown[index]))
    return { rows: given, gone: none, added: none, isBehind: false }
  const now = new Map(given.map((item) => [keyOf(item), item]))
  const gone = new Set<string>()
  const rows = shown.flatMap((key) => {
    const item = now.get(key)
    if (item !== undefined) return [item]
    const last = known.get(key)
    if (last === undefined) return []
    gone.add(key)
    return [last]
  })
  const before = new Set(shown)
  return { rows, gone, added: new Set([...now.keys()].filter((key) => !before.has(key))), isBehind: true }
}

export interface Held<A> extends Arrangement<A> {
  readonly isGone: (item: A) => boolean
  /** Shows the list as it is. */
  readonly catchUp: () => void
}

interface Options {
  /** The reader's present request, such as filters. Another one shows the list unheld. */
  readonly reset?: string
  /** Whether some of these rows are selected by the reader. */
  readonly isSelecting?: (keys: ReadonlyArray<string>) => boolean
}

/** The rows to show of a list, by the rule above. */
export const useHeldBy = <A>(
  given: ReadonlyArray<A>,
  keyOf: (item: A) => string,
  { isSelecting, reset = "" }: Options = {}
): Held<A> => {
  const isAttended = useIsHeld()
  const [shown, setShown] = useState(() => ({ keys: given.map(keyOf), reset }))
  const known = useRef<ReadonlyMap<string, A>>(new Map())
  let { keys } = shown
  const found = arrange(keys, given, keyOf, known.current)
  const mayChange = shown.reset !== reset || !(isAttended || isSelecting?.(keys) === true)
  const current = found.isBehind && mayChange
  if (current || shown.reset !== reset) {
    keys = given.map(keyOf)
    setShown({ keys, reset })
  }
  const { added, gone, isBehind, rows } = current ? arrange(keys, given, keyOf, known.current) : found
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
    known.current = new Map(rows.map((item) => [keyOf(item), item]))
  })
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else changed()
  }, [shown])
  const catchUp = () => setShown({ keys: latest.current.map(keyOf), reset })
  return { rows, gone, added, isBehind, isGone: (item) => gone.has(keyOf(item)), catchUp }
}

/** The key of most records. */
export const idOf = ({ id }: { readonly id: string }): string => id

/** The same for records, by their ids. `reset` as above; `undefined` items are a list that is not loaded yet. */
export const useHeld = <A extends { readonly id: string }>(
  given: ReadonlyArray<A> | undefined,
  reset = ""
): Held<A> => {
  const items = useMemo(() => given ?? [], [given])
  return useHeldBy(items, idOf, { reset: given === undefined ? "loading" : `loaded ${reset}` })
}

const shapeOf = ({ shape }: { readonly shape: string }): string => shape

/**
 * The same for a part of a page that is no list: `shape` stands for how high it is and what it has to press. While the reader is
 * about to press something, it keeps what it said last in the shape that is shown.
 */
export const useHeldShape = <A>(
  given: A,
  shape: string
): Pick<Held<unknown>, "added" | "catchUp" | "isBehind"> & { readonly value: A } => {
  const items = useMemo(() => [{ shape, given }], [given, shape])
  const { catchUp, isBehind, rows } = useHeldBy(items, shapeOf)
  return { value: (rows[0] ?? items[0]!).given, added: none, catchUp, isBehind }
}

/**
 * The record that a form is about, also when others have deleted it meanwhile: the form stays, with what was typed, and saving
 * says that the record is gone.
 */
export const useKept = <A extends { readonly id: string }>(
  items: ReadonlyArray<A> | undefined,
  id: string | undefined
): A | undefined => {
  const last = useRef<A | undefined>(undefined)
  const found = items?.find((item) => item.id === id)
  useEffect(() => {
    if (found !== undefined) last.current = found
  })
  return found ?? (last.current?.id === id ? last.current : undefined)
}

/** The look of a row that is gone. */
export const goneClass = "opacity-50 grayscale"
