/**
 * Deletes monitors after a delay in which it can be undone: until then they are only hidden. Closing the tab before
 * that deletes nothing; another page of the dashboard ends the delay.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"

/** Seconds. */
const delay = 10

export interface Removal {
  /** Hidden, and deleted soon or right now. */
  readonly ids: ReadonlySet<string>
  /** Seconds until they are deleted; undefined while there is nothing to undo. */
  readonly seconds: number | undefined
  readonly start: (ids: ReadonlyArray<string>) => void
  readonly undo: () => void
  readonly finish: () => void
  /** The time stands still while the pointer is there. */
  readonly hold: (isHeld: boolean) => void
}

const none: ReadonlySet<string> = new Set()

export const useRemoval = (onError: (error: unknown) => void): Removal => {
  const { project, reload, store } = useProjectData()
  const [ids, setIds] = useState(none)
  const [seconds, setSeconds] = useState<number | undefined>(undefined)
  const isHeld = useRef(false)
  const waiting = useRef<ReadonlyArray<string>>([])
  const report = useRef(onError)
  report.current = onError

  const finish = useCallback(() => {
    const leaving = waiting.current
    waiting.current = []
    setSeconds(undefined)
    if (leaving.length === 0) return
    const remove = async () => {
      const { deleteMany } = await import("./writes.ts")
      try {
        await deleteMany(project, store, leaving, reload)
      } catch (error) {
        report.current(error)
      }
      if (waiting.current.length === 0) setIds(none)
    }
    void remove()
  }, [project, reload, store])

  const start = useCallback(
    (added: ReadonlyArray<string>) => {
      finish()
      waiting.current = added
      setIds(new Set(added))
      setSeconds(delay)
    },
    [finish]
  )

  const undo = useCallback(() => {
    waiting.current = []
    setIds(none)
    setSeconds(undefined)
  }, [])

  const hold = useCallback((held: boolean) => {
    isHeld.current = held
  }, [])

  const isWaiting = seconds !== undefined
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => {
      if (!isHeld.current) setSeconds((left) => (left === undefined ? left : left - 1))
    }, 1000)
    return () => clearInterval(timer)
  }, [isWaiting])
  useEffect(() => {
    if (seconds !== undefined && seconds <= 0) finish()
  }, [seconds, finish])

  const last = useRef(finish)
  last.current = finish
  useEffect(() => () => last.current(), [])

  return useMemo(() => ({ ids, seconds, start, undo, finish, hold }), [ids, seconds, start, undo, finish, hold])
}
