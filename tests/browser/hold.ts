/** Requests that take longer than others. */
import type { Page } from "playwright-core"

/** Keeps the first of these requests on its way until it is released. */
export const hold = async (page: Page, method: string, route: RegExp): Promise<() => void> => {
  let release = () => {}
  let held: Promise<void> | undefined = new Promise((resolve) => (release = resolve))
  await page.route(route, async (asked) => {
    if (asked.request().method() !== method) return asked.fallback()
    const wait = held
    held = undefined
    await wait
    await asked.continue()
  })
  return release
}
