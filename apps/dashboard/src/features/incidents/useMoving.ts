/** Moves a window of the calendar, by the pointer or by keys. The move is shown at once, and asked about before it is saved. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react"
import { type Entry, movedBy, resizedBy, snapped, type Times } from "./calendar.ts"
import { daysBetween } from "./zone.ts"

export interface Move extends Times {
  readonly entry: Entry
}

interface Drag {
  readonly entry: Entry
  readonly from: Times
  readonly day: string
  readonly y: number
  readonly isResize: boolean
  isMoved: boolean
}

/** Pixels that a pointer may wander before it drags. */
const tolerance = 4

const dayAt = (x: number, y: number): string | undefined =>
  document
    .elementsFromPoint(x, y)
    .map((element) => (element instanceof HTMLElement ? element.dataset["day"] : undefined))
    .find((day) => day !== undefined)

/** `minuteHeight`: pixels of a minute, 0 where days have no hours. */
export const useMoving = ({
  minuteHeight,
  onOpen,
  onSave,
  zone
}: {
  readonly minuteHeight: number
  readonly zone: string
  readonly onOpen: (entry: Entry) => void
  readonly onSave: (move: Move) => void
}) => {
  const [move, setMove] = useState<Move | undefined>(undefined)

  const timesOf = (entry: Entry): Times => (move?.entry.key === entry.key ? move : entry)

  // A window that changes its day is another element: the pointer is followed on the whole page, and the focus goes along.
  const focused = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (focused.current !== undefined && move?.entry.key === focused.current)
      document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(focused.current)}"]`)?.focus()
  }, [move])

  const follow = (held: Drag) => {
    const ended = new AbortController()
    const { signal } = ended
    const onMove = (event: globalThis.PointerEvent) => {
      const minutes = minuteHeight === 0 ? 0 : snapped((event.clientY - held.y) / minuteHeight)
      const target = held.isResize ? held.day : (dayAt(event.clientX, event.clientY) ?? held.day)
      const days = daysBetween(held.day, target)
      if (!held.isMoved && Math.abs(event.clientY - held.y) < tolerance && days === 0) return
      held.isMoved = true
      const times = held.isResize ? resizedBy(held.from, minutes) : movedBy(held.from, days, minutes, zone)
      setMove({ entry: held.entry, ...times })
    }
    if (held.entry.isMovable) window.addEventListener("pointermove", onMove, { signal })
    window.addEventListener(
      "pointerup",
      () => {
        ended.abort()
        if (!held.isMoved) onOpen(held.entry)
      },
      { signal }
    )
    window.addEventListener(
      "pointercancel",
      () => {
        ended.abort()
        if (held.isMoved) setMove(undefined)
      },
      { signal }
    )
  }

  const handlers = (entry: Entry, day: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      focused.current = undefined
      const isResize = event.target instanceof HTMLElement && event.target.dataset["resize"] !== undefined
      follow({ entry, from: timesOf(entry), day, y: event.clientY, isResize, isMoved: false })
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const times = timesOf(entry)
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [
        0, 0
      ]
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault()
        if (move?.entry.key === entry.key) onSave(move)
        else onOpen(entry)
      } else if (event.key === "Escape") setMove(undefined)
      else if ((x !== 0 || y !== 0) && entry.isMovable) {
        event.preventDefault()
        const hours = minuteHeight > 0
        const next =
          event.shiftKey && hours && y !== 0
            ? resizedBy(times, 15 * y!)
            : movedBy(times, x! + (hours ? 0 : 7 * y!), hours ? 15 * y! : 0, zone)
        focused.current = entry.key
        setMove({ entry, ...next })
      }
    }
  })

  return { move, discard: () => setMove(undefined), handlers, timesOf }
}
