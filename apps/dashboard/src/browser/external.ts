/** State of the whole page that is outside of components: the address, what is stored, what keys do. */
import { useSyncExternalStore } from "react"

type Listener = () => void

export interface External<A> {
  /** Tells all that something has happened. */
  readonly announce: () => void
  /** Calls the listener after each announcement, until the answer is called. */
  readonly subscribe: (listener: Listener) => () => void
  /** The answer of `read`; renders again when that changes. */
  readonly use: () => A
}

/** `watch` begins with the first listener; its answer is called when the last one has gone. */
export const external = <A = void>(
  read: () => A = () => undefined as A,
  watch: () => (() => void) | void = () => {}
): External<A> => {
  const listeners = new Set<Listener>()
  let unwatch: (() => void) | void
  const subscribe = (listener: Listener) => {
    if (listeners.size === 0) unwatch = watch()
    // The same function may be given twice.
    const own = () => listener()
    listeners.add(own)
    return () => {
      if (listeners.delete(own) && listeners.size === 0) unwatch?.()
    }
  }
  return {
    announce: () => {
      for (const listener of listeners) listener()
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, read)
  }
}
