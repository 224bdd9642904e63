/** The time, for texts such as "12 seconds ago": one timer for all of them, stopped while nobody looks. */
import { useSyncExternalStore } from "react"

const step = 5000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, step)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Milliseconds since the epoch; changes every five seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
