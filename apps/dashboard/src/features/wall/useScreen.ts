/** Keeps the screen on, and reloads once a day, for the newest version and fresh memory. */
import { useEffect, useRef } from "react"
import { keepScreenOn } from "../../browser/secure.ts"

const day = 86_400_000
const minute = 60_000

/** `answeredAt`: when Kanmon last answered, in milliseconds since the epoch. */
export const useScreen = (answeredAt: number): void => {
  const answered = useRef(answeredAt)
  answered.current = answeredAt
  useEffect(() => {
    let release: (() => void) | undefined
    // The browser lets the screen go off when the page is hidden.
    const keepOn = async () => {
      if (document.visibilityState !== "visible") return
      release = await keepScreenOn()
    }
    void keepOn()
    document.addEventListener("visibilitychange", keepOn)
    const openedAt = Date.now()
    // Never while Kanmon is away: the browser's own error page would stay for ever.
    const timer = setInterval(() => {
      const now = Date.now()
      if (now - openedAt > day && now - answered.current < minute) location.reload()
    }, minute)
    return () => {
      document.removeEventListener("visibilitychange", keepOn)
      clearInterval(timer)
      release?.()
    }
  }, [])
}
