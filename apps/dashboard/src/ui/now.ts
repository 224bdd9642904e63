/** The time, for texts such as "12 seconds ago": one timer for all of them, stopped while nobody looks. */
import { external } from "../browser/external.ts"

const step = 5000
let now = Date.now()

const time = external(
  () => now,
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

/** Milliseconds since the epoch; changes every five seconds. */
export const useNow = time.use
