/**
 * Keys that act on the page while nothing is typed. Pages register theirs while they are shown; `?` lists all of them. A key can
 * be two keys one after the other, such as `g m`.
 */
import { useEffect, useRef } from "react"
import { external } from "../browser/external.ts"
import { isPageKey } from "./listKeys.ts"

export interface Shortcut {
  /** As in `KeyboardEvent.key`, or two of them with a space between. */
  readonly keys: string
  readonly label: string
  /** False: the key had nothing to do, and keeps its usual meaning. */
  readonly run: () => boolean | void
}

type Registered = { readonly current: ReadonlyArray<Shortcut> }

const registered = new Set<Registered>()
let known: ReadonlyArray<Shortcut> = []
const shown = external(() => known)
/** Milliseconds within which the second of two keys must follow. */
const patience = 1000
let before: { readonly key: string; readonly at: number } | undefined

const find = (keys: string): Shortcut | undefined =>
  [...registered]
    .reverse()
    .flatMap(({ current }) => current)
    .find((shortcut) => shortcut.keys === keys)

const onKey = (event: KeyboardEvent) => {
  if (!isPageKey(event)) return
  const now = performance.now()
  const first = before !== undefined && now - before.at < patience ? before.key : undefined
  before = undefined
  const shortcut = (first === undefined ? undefined : find(`${first} ${event.key}`)) ?? find(event.key)
  if (shortcut !== undefined) {
    if (shortcut.run() !== false) event.preventDefault()
  } else if ([...registered].some(({ current }) => current.some(({ keys }) => keys.startsWith(`${event.key} `))))
    before = { key: event.key, at: now }
}

const announce = () => {
  known = [...registered].flatMap(({ current }) => current)
  shown.announce()
}

/** Registers keys while the component is shown. The newest of equal keys wins. */
export const useShortcuts = (shortcuts: ReadonlyArray<Shortcut>): void => {
  const own = useRef(shortcuts)
  own.current = shortcuts
  const words = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join("\n")
  const announced = useRef(words)
  useEffect(() => {
    // The language may have changed, or the record that a label names.
    if (words !== announced.current) announce()
    announced.current = words
  }, [words])
  useEffect(() => {
    if (registered.size === 0) window.addEventListener("keydown", onKey)
    registered.add(own)
    announce()
    return () => {
      registered.delete(own)
      if (registered.size === 0) window.removeEventListener("keydown", onKey)
      announce()
    }
  }, [])
}

/** All that are registered now. */
export const useKnownShortcuts = shown.use
