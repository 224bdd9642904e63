/** Which of the dialogs is open that create an organization or a project: the menu and the palette open them. */
import { useSyncExternalStore } from "react"

export type Creation = "organization" | "project"

let current: Creation | undefined
const listeners = new Set<() => void>()

export const openCreation = (creation: Creation | undefined): void => {
  current = creation
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCreation = (): Creation | undefined => useSyncExternalStore(subscribe, () => current)
