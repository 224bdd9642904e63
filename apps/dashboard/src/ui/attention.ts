/**
 * Whether the reader is about to press something: their pointer moves over the page's content, a press is down, a menu or a
 * dialog is open, or text is selected. While that holds, lists keep their structure (`held.ts`), because a press that ends on
 * another row than it began on is lost, or acts on the wrong one.
 */
import { external } from "../browser/external.ts"

/** Milliseconds without a movement or a key after which changes are applied although the pointer is still there. */
export const restMillis = 1000

/** The reader's state at one moment. */
export interface Attention {
  /** Something is pressed, open or selected. */
  readonly isBusy: boolean
  /** When they moved, pressed or typed last, in milliseconds; `-Infinity`: they left the content. */
  readonly activeAt: number
}

/** Milliseconds until lists may change; infinite while something is pressed, open or selected. Pure. */
export const remaining = ({ activeAt, isBusy }: Attention, now: number): number =>
  isBusy ? Number.POSITIVE_INFINITY : Math.max(0, activeAt + restMillis - now)

/** Milliseconds between looks at what is open or selected, which has no event of its own. */
const lookEvery = 100

const content = "main"
const open = `${content} [aria-haspopup][aria-expanded="true"], [role="dialog"], [role="alertdialog"]`

const pressed = new Set<number | string>()
let activeAt = Number.NEGATIVE_INFINITY
let isInside = false
let held = false
let timer: ReturnType<typeof setTimeout> | undefined
let isWatching = false

/** Where the pointer was last, in pixels of the window. */
const pointer = { x: -1, y: -1 }

const isInContent = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(content) !== null

const isSelecting = (): boolean => {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && isInContent(selection.anchorNode?.parentElement ?? null)
}

const isBusy = (): boolean => pressed.size > 0 || isSelecting() || document.querySelector(open) !== null

const emit = (isNow: boolean) => {
  held = isNow
  attention.announce()
}

const check = () => {
  clearTimeout(timer)
  timer = undefined
  if (!held) return
  const left = remaining({ activeAt, isBusy: isBusy() }, performance.now())
  if (left === 0) emit(false)
  else timer = setTimeout(check, Math.min(left, left === Number.POSITIVE_INFINITY ? lookEvery : left))
}

const touch = () => {
  activeAt = performance.now()
  if (!held) emit(true)
  timer ??= setTimeout(check, restMillis)
}

const leave = () => {
  isInside = false
  activeAt = Number.NEGATIVE_INFINITY
  check()
}

const onMove = (event: PointerEvent) => {
  pointer.x = event.clientX
  pointer.y = event.clientY
  // A release outside of the window sends no event.
  if (event.buttons === 0 && event.pointerType === "mouse") pressed.delete(event.pointerId)
  if (isInContent(event.target)) {
    isInside = true
    touch()
  } else if (event.pointerType !== "touch" && isInside) leave()
}

const onDown = (event: PointerEvent) => {
  pressed.add(event.pointerId)
  pointer.x = event.clientX
  pointer.y = event.clientY
  touch()
}

const onUp = (event: PointerEvent) => {
  // The click comes after this event. A finger has left the content by then, and a second of rest follows.
  setTimeout(() => pressed.delete(event.pointerId))
  if (isInContent(event.target)) touch()
}

const onKeyDown = (event: KeyboardEvent) => {
  if (!isInContent(event.target)) return
  pressed.add(event.code)
  touch()
}

const onKeyUp = (event: KeyboardEvent) => {
  setTimeout(() => pressed.delete(event.code))
  if (isInContent(event.target)) touch()
}

const onWheel = (event: WheelEvent) => {
  if (isInContent(event.target)) touch()
}

const onBlur = () => {
  pressed.clear()
  leave()
}

const watch = () => {
  if (isWatching) return
  isWatching = true
  const options = { capture: true, passive: true }
  addEventListener("pointermove", onMove, options)
  addEventListener("pointerdown", onDown, options)
  addEventListener("pointerup", onUp, options)
  addEventListener("pointercancel", onUp, options)
  addEventListener("keydown", onKeyDown, options)
  addEventListener("keyup", onKeyUp, options)
  addEventListener("wheel", onWheel, options)
  addEventListener("blur", onBlur)
  document.documentElement.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") leave()
  })
}

const attention = external(() => held, watch)

/** Whether lists keep their structure; renders again when that changes. */
export const useIsHeld = attention.use

/** A list has changed under the pointer: the next change waits as long as after a movement. */
export const changed = (): void => {
  if (isInside) touch()
}

/** Whether something may appear over this part of the window: nothing is pressed, and the pointer is not near. */
export const isClear = ({ bottom, left, right, top }: DOMRect): boolean => {
  const margin = 24
  const isNear =
    pointer.x > left - margin && pointer.x < right + margin && pointer.y > top - margin && pointer.y < bottom + margin
  return pressed.size === 0 && !isNear
}
