/** What can be pressed stays where it is while a page loads: a press that lands after it has moved is lost, or hits another button. */
import type { BrowserContext, Page } from "playwright-core"

/** Runs in the page: notes each control of the page's content that is elsewhere than in an earlier frame. */
const watchControls = () => {
  const places = new Map<Element, number>()
  const moved = ((globalThis as any).moved = [] as Array<string>)
  const look = () => {
    for (const control of document.querySelectorAll("main :is(button, a[href], input, select, textarea)")) {
      const { height, top } = control.getBoundingClientRect()
      if (height === 0 || getComputedStyle(control).visibility === "hidden") continue
      const place = Math.round(top + scrollY)
      const before = places.get(control) ?? place
      places.set(control, place)
      if (Math.abs(place - before) > 4) {
        const name = control.getAttribute("aria-label") ?? control.textContent
        moved.push(`${control.tagName.toLowerCase()} ${JSON.stringify(name?.slice(0, 40))} from ${before} to ${place}`)
      }
    }
    if (!(globalThis as any).isMovedRead) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Runs in the page: answers come one after the other, as from far away; each is late by another time, the same in every run of an order. */
const delayAnswers = (order: number) => {
  ;(globalThis as any).awaited = 0
  const ask = globalThis.fetch
  globalThis.fetch = async (request, init) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request, location.href)
    if (pathname.endsWith("/events")) return ask(request, init)
    ;(globalThis as any).awaited++
    try {
      const answer = await ask(request, init)
      const part = [...pathname].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7 + order) / 997
      await new Promise((resolve) => setTimeout(resolve, part * 300 * (order + 1)))
      return answer
    } finally {
      // After what the answer changes was painted.
      requestAnimationFrame(() => requestAnimationFrame(() => (globalThis as any).awaited--))
    }
  }
}

/** From now on pages load slowly, and are watched while they do; `order` says which answers come before which. */
export const watch = async (context: BrowserContext, order = 0): Promise<void> => {
  await context.addInitScript(watchControls)
  await context.addInitScript(delayAnswers, order)
}

/** Has moved in the page between its opening and the last answer, one line for each. It is not watched any longer. */
export const movedIn = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.waitForFunction(() => (globalThis as any).awaited === 0)
  return page.evaluate(() => {
    ;(globalThis as any).isMovedRead = true
    return (globalThis as any).moved
  })
}
