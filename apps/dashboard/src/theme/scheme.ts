/** The colour scheme: the system's unless the reader chose one. `index.html` applies the choice before the first paint. */
import { useSyncExternalStore } from "react"

export type Scheme = "system" | "light" | "dark"

const key = "kanmon.scheme"
const listeners = new Set<() => void>()

const stored = (): Scheme => {
  const { scheme } = document.documentElement.dataset
  return scheme === "light" || scheme === "dark" ? scheme : "system"
}

export const setScheme = (scheme: Scheme): void => {
  if (scheme === "system") {
    delete document.documentElement.dataset["scheme"]
    localStorage.removeItem(key)
  } else {
    document.documentElement.dataset["scheme"] = scheme
    localStorage.setItem(key, scheme)
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useScheme = (): Scheme => useSyncExternalStore(subscribe, stored)
