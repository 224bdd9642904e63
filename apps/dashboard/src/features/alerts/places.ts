/** Rows that stay where they are. */
import { useState } from "react"

/**
 * The items in the order given, but those that were shown before keep their order among themselves: a row must not move away
 * from under the pointer because of what was just done with it. New ones come where the given order has them.
 */
export const keepPlaces = <A extends { readonly id: string }>(
  shown: ReadonlyArray<string>,
  items: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const place = new Map(shown.map((id, index) => [id, index]))
  const kept = items
    .filter(({ id }) => place.has(id))
    .toSorted((one, other) => place.get(one.id)! - place.get(other.id)!)
    .values()
  return items.map((item) => (place.has(item.id) ? kept.next().value! : item))
}

/** The items, where those that the page has shown before keep their places until it is opened again. */
export const useKeptPlaces = <A extends { readonly id: string }>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const [shown, setShown] = useState<ReadonlyArray<string>>([])
  const placed = keepPlaces(shown, items)
  const ids = placed.map(({ id }) => id)
  if (ids.length !== shown.length || ids.some((id, index) => id !== shown[index])) setShown(ids)
  return placed
}
