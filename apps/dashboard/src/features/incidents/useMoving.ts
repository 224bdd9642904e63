/** Moves a window of the calendar, by the pointer or by keys. The move is shown at once, and asked about before it is saved. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react"
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
  const drag = useRef<Drag | undefined>(undefined)

  const timesOf = (entry: Entry): Times => (move?.entry.key === entry.key ? move : entry)

  const handlers = (entry: Entry, day: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      const isResize = event.target instanceof HTMLElement && event.target.dataset["resize"] !== undefined
      drag.current = { entry, from: timesOf(entry), day, y: event.clientY, isResize, isMoved: false }
      if (entry.isMovable) event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const held = drag.current
      if (held === undefined || !held.entry.isMovable) return
      const minutes = minuteHeight === 0 ? 0 : snapped((event.clientY - held.y) / minuteHeight)
      const target = held.isResize ? held.day : (dayAt(event.clientX, event.clientY) ?? held.day)
      const days = daysBetween(held.day, target)
      if (!held.isMoved && Math.abs(event.clientY - held.y) < tolerance && days === 0) return
      held.isMoved = true
      const times = held.isResize ? resizedBy(held.from, minutes) : movedBy(held.from, days, minutes, zone)
      setMove({ entry: held.entry, ...times })
    },
    onPointerUp: () => {
      const held = drag.current
      drag.current = undefined
      if (held !== undefined && !held.isMoved) onOpen(held.entry)
    },
    onPointerCancel: () => {
      drag.current = undefined
      setMove(undefined)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const times = timesOf(entry)
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0]
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
        setMove({ entry, ...next })
      }
    }
  })

  return { move, discard: () => setMove(undefined), handlers, timesOf }
}
