/**
 * Repeats this tab's changes in other tabs of the browser. Changes of monitors, alerts and incidents also come by the
 * stream; channels, rules, pages and settings have no events.
 */
import { onChange } from "../api/request.ts"
import { storedAs } from "../browser/place.ts"

const channel = storedAs("kanmon.changes")
/** Milliseconds in which several changes count as one. */
const pause = 200

/** Calls the listener when another tab has changed something, until the answer is called. */
export const onOtherTab = (listener: () => void): (() => void) => {
  const tabs = new BroadcastChannel(channel)
  let timer: ReturnType<typeof setTimeout> | undefined
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has the page's own origin
  const stop = onChange(() => tabs.postMessage(null))
  tabs.addEventListener("message", () => {
    timer ??= setTimeout(() => {
      timer = undefined
      listener()
    }, pause)
  })
  return () => {
    clearTimeout(timer)
    stop()
    tabs.close()
  }
}
