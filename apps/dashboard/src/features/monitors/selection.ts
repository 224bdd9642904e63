/** Which monitors are selected. A range is from the monitor that was toggled last. */
import { type Dispatch, type SetStateAction, useCallback, useMemo, useRef, useState } from "react"

export interface Picked {
  readonly ids: ReadonlySet<string>
  /** With `toHere`, everything from the last one to this one becomes selected. */
  readonly toggle: (id: string, toHere: boolean) => void
  readonly set: (ids: Iterable<string>) => void
}

type All = readonly [ReadonlySet<string>, Dispatch<SetStateAction<ReadonlySet<string>>>]

/** Every monitor that was selected, also those that filters leave out now. */
export const useAllPicked = (): All => useState<ReadonlySet<string>>(new Set())

/** `shown` are the monitors in the order of the list; others cannot be selected. */
export const usePicked = (shown: ReadonlyArray<string>, [all, setAll]: All): Picked => {
  const last = useRef<string | undefined>(undefined)
  const list = useRef(shown)
  list.current = shown
  const toggle = useCallback(
    (id: string, toHere: boolean) => {
      const from = toHere && last.current !== undefined ? list.current.indexOf(last.current) : -1
      const to = list.current.indexOf(id)
      last.current = id
      setAll((before) => {
        const after = new Set(before)
        if (from >= 0 && to >= 0)
          for (const each of list.current.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(each)
        else if (!after.delete(id)) after.add(id)
        return after
      })
    },
    [setAll]
  )
  const set = useCallback((ids: Iterable<string>) => setAll(new Set(ids)), [setAll])
  // Monitors that filters hide do not change together with visible ones.
  const ids = useMemo(() => (all.size === 0 ? all : new Set(shown.filter((id) => all.has(id)))), [all, shown])
  return useMemo(() => ({ ids, toggle, set }), [ids, toggle, set])
}
