/** Which entries of the palette fit what is typed, the best first. Pure. */

export interface Entry {
  /** Kept as one of the recent ones; none for actions of a page. */
  readonly id: string
  readonly kind: "action" | "page" | "monitor" | "status-page" | "channel" | "rule" | "schedule" | "policy"
  readonly label: string
  /** Additional search text, such as a target; shown beside the label. */
  readonly detail?: string | undefined
  readonly keys?: string | undefined
  /** Whether it needs attention now: it comes first while nothing is typed. */
  readonly isUrgent?: boolean
}

/** While nothing is typed: what needs attention, pages, everything with a name, and what acts on the page below. */
const placeOf = ({ isUrgent, kind }: Entry): number =>
  isUrgent === true ? 0 : kind === "page" ? 1 : kind === "action" ? 3 : 2

/** More that need attention come last: recent entries and pages stay in sight. */
const maxUrgent = 5

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

/** Entries that have every typed word, the best first; in their own order among equals. Without words it is those that need attention, the recent ones, pages, and the actions of the page last. */
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
    const places: ReadonlyArray<Array<E>> = [[], [], [], []]
    for (const { entry } of indexed) if (!place.has(entry.id)) places[placeOf(entry)]!.push(entry)
    return [
      ...places[0]!.slice(0, maxUrgent),
      ...known.map(({ entry }) => entry),
      ...places.slice(1).flat(),
      ...places[0]!.slice(maxUrgent)
    ].slice(0, limit)
  }
  const words = wanted.split(/\s+/)
  const ranks: ReadonlyArray<Array<E>> = [[], [], [], []]
  for (const { entry, label, text } of indexed)
    if (words.every((word) => text.includes(word))) ranks[rankOf(label, wanted)]!.push(entry)
  return ranks.flat().slice(0, limit)
}
