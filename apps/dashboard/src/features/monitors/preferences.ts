/** How this browser shows the list: kept in its storage, and shared by its tabs when they are opened. */
import { useCallback, useState } from "react"

const read = <A>(key: string, admit: (value: unknown) => value is A): A | undefined => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null")
    return admit(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A value that stays in this browser. Without storage, it stays until the page is left. */
export const useStored = <A>(key: string, initial: A, admit: (value: unknown) => value is A) => {
  const [value, setValue] = useState<A>(() => read(key, admit) ?? initial)
  const set = useCallback(
    (next: A) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is full or not allowed.
      }
    },
    [key]
  )
  return [value, set] as const
}

export const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")
