/** The colour scheme: the system's unless the reader chose one. `index.html` applies the choice before the first paint. */
import { external } from "../browser/external.ts"

export type Scheme = "system" | "light" | "dark"

const key = "kanmon.scheme"

const stored = (): Scheme => {
  const { scheme } = document.documentElement.dataset
  return scheme === "light" || scheme === "dark" ? scheme : "system"
}

const current = external(stored)

export const setScheme = (scheme: Scheme): void => {
  if (scheme === "system") {
    delete document.documentElement.dataset["scheme"]
    localStorage.removeItem(key)
  } else {
    document.documentElement.dataset["scheme"] = scheme
    localStorage.setItem(key, scheme)
  }
  current.announce()
}

export const useScheme = current.use
