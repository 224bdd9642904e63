/** The time, for texts such as "12 seconds ago": one timer for all of them, stopped while nobody looks. */
import { external } from "./external.ts"

const step = 5000
let now = Date.now()

/** The instant of the past that the pages show, if they do. */
let shown: string | undefined

const time = external(
  () => (shown === undefined ? now : Date.parse(shown)),
  () => {
    now = Date.now()
    const timer = setInterval(() => {
      if (document.hidden) return
      now = Date.now()
      time.announce()
    }, step)
    return () => clearInterval(timer)
  }
)

/** Shows an instant of the past, or the present. */
export const lookAt = (at: string | undefined): void => {
  shown = at
}

/** While pages show the past, nothing is written: what a reader sees is not what would change. */
export const isPast = (): boolean => shown !== undefined

/** The instant that pages show, in milliseconds: the present, or one of the past. */
export const shownTime = (): number => (shown === undefined ? Date.now() : Date.parse(shown))

/** Milliseconds since the epoch; changes every five seconds, in the past never. */
export const useNow = time.use

/** A part of the keys of answers, so that those about the past are not those about the present. */
export const pastKey = (): string => shown ?? ""
