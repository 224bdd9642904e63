/** Which entries of the palette fit what is typed, the best first. Pure. */

export interface Entry {
  /** Kept as one of the recent ones; none for actions of a page. */
  readonly id: string
  readonly kind: "action" | "page" | "monitor" | "status-page" | "channel" | "rule" | "schedule" | "policy"
  readonly label: string
  /** Additional search text, such as a target; shown beside the label. */
  readonly detail?: string | undefined
  readonly keys?: string | undefined
}

/** Text as searches compare it: without case and accents. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .toLowerCase()

export interface Indexed<E extends Entry> {
  readonly entry: E
  readonly label: string
  readonly text: string
}

/** Folds the texts once: ten thousand of them take too long for every key. */
export const index = <E extends Entry>(entries: ReadonlyArray<E>): ReadonlyArray<Indexed<E>> =>
  entries.map((entry) => {
    const label = fold(entry.label)
    return { entry, label, text: entry.detail === undefined ? label : `${label}\n${fold(entry.detail)}` }
  })

/** 0: the label begins with it; 1: a word of the label does; 2: it is in the label; 3: elsewhere. */
const rankOf = (label: string, wanted: string): number =>
  label.startsWith(wanted) ? 0 : label.includes(` ${wanted}`) ? 1 : label.includes(wanted) ? 2 : 3

/** Entries that have every typed word, the best first; in their own order among equals. Without words the recent ones come first. */
export const search = <E extends Entry>(
  indexed: ReadonlyArray<Indexed<E>>,
  typed: string,
  recent: ReadonlyArray<string>,
  limit: number
): ReadonlyArray<E> => {
  const wanted = fold(typed).trim()
  if (wanted === "") {
    const place = new Map(recent.map((id, at) => [id, at]))
    const known = indexed
      .filter(({ entry }) => place.has(entry.id))
      .sort((one, other) => place.get(one.entry.id)! - place.get(other.entry.id)!)
    return [...known, ...indexed.filter(({ entry }) => !place.has(entry.id))].slice(0, limit).map(({ entry }) => entry)
  }
  const words = wanted.split(/\s+/)
  const ranks: ReadonlyArray<Array<E>> = [[], [], [], []]
  for (const { entry, label, text } of indexed)
    if (words.every((word) => text.includes(word))) ranks[rankOf(label, wanted)]!.push(entry)
  return ranks.flat().slice(0, limit)
}
