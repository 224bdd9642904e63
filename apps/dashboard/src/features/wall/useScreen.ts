/** What a screen on a wall needs: it stays on, and begins anew once a day, so that it has the newest version and no old memory. */
import { useEffect } from "react"

const day = 86_400_000

export const useScreen = (): void => {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    // The browser releases the lock when the page is hidden, and may refuse it, for example on an empty battery.
    const keepOn = async () => {
      if (document.visibilityState !== "visible") return
      lock = await navigator.wakeLock?.request("screen").catch(() => undefined)
    }
    void keepOn()
    document.addEventListener("visibilitychange", keepOn)
    const timer = setInterval(() => navigator.onLine && location.reload(), day)
    return () => {
      document.removeEventListener("visibilitychange", keepOn)
      clearInterval(timer)
      void lock?.release()
    }
  }, [])
}
