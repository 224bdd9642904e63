/** Keys that work on a list of links: `j` and `k` move the focus, others act on the focused item. */
import { type RefObject, useEffect } from "react"

/** Whether a key belongs to the page: nothing is typed, nothing is open over it, and no modifier is held. */
export const isPageKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !(
    event.target instanceof HTMLElement &&
    event.target.closest("input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]") !==
      null
  )

const lists = new Set<RefObject<HTMLElement | null>>()

/** The items of all lists of the page, in the order in which they stand. */
const itemsOfPage = (): ReadonlyArray<HTMLElement> =>
  [...lists]
    .flatMap(({ current }) => (current === null ? [] : current))
    .toSorted((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .flatMap((list) => [...list.querySelectorAll<HTMLElement>("[data-item]")])

const onKey = (event: KeyboardEvent) => {
  const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0
  if (step === 0 || !isPageKey(event)) return
  const items = itemsOfPage()
  if (items.length === 0) return
  const current = items.findIndex((item) => item.contains(document.activeElement))
  const next = current < 0 ? (step > 0 ? 0 : items.length - 1) : current + step
  const item = items[Math.max(0, Math.min(items.length - 1, next))]
  event.preventDefault()
  item?.querySelector<HTMLElement>("a[href]")?.focus()
  item?.scrollIntoView({ block: "nearest" })
}

/**
 * Items of the list have `data-item`; in each, the first link takes the focus. Several lists of a page are one for these keys:
 * the next item after the last one of a list is the first one of the list below.
 */
export const useListKeys = (list: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    if (lists.size === 0) window.addEventListener("keydown", onKey)
    lists.add(list)
    return () => {
      lists.delete(list)
      if (lists.size === 0) window.removeEventListener("keydown", onKey)
    }
  }, [list])
}
