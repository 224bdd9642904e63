/** How a page is looked at on the way through the product: on a desktop and a phone, in light and in dark colours. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import axe from "axe-core"
import type { Page } from "playwright-core"

const screenshots = path.join(import.meta.dirname, "screenshots")

/** Keeps a picture for people to look at, where `KANMON_PICTURES` asks for them. */
export const picture = async (page: Page, name: string, whole = true): Promise<void> => {
  if (!process.env["KANMON_PICTURES"]) return
  await fs.mkdir(screenshots, { recursive: true })
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage: whole })
}

const looks = [
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
  { width: 360, scheme: "light" },
  { width: 360, scheme: "dark" }
] as const

/** What axe objects to, one line for each. */
export const objections = async (page: Page, options: axe.RunOptions = {}): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (given) => (globalThis as any).axe.run(document, given) as Promise<axe.AxeResults>,
    options
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)
  )
}

/** Holds the page against the rules of every page in every look, and keeps pictures of it. */
export const look = async (page: Page, name: string, options: axe.RunOptions = {}): Promise<void> => {
  for (const { scheme, width } of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
    // Styles follow the scheme in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const what = `${name} ${width} ${scheme}`
    await picture(page, `dashboard ${what}`)
    assert.deepStrictEqual(await objections(page, options), [], what)
    assert.isAtMost(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      what
    )
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
