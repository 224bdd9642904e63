/** How a page is looked at on the way through the product: on a desktop and a phone, in light and in dark colours. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { colourRules, objections } from "./Axe.ts"

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

/**
 * Holds the page against the rules of every page in every look, and keeps pictures of it. Only the rules about colours are asked again
 * in the dark.
 */
export const look = async (page: Page, name: string): Promise<void> => {
  for (const { scheme, width } of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
    // Styles follow the scheme in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const what = `${name} ${width} ${scheme}`
    await picture(page, `dashboard ${what}`)
    assert.deepStrictEqual(await objections(page, scheme === "light" ? {} : colourRules), [], what)
    assert.isAtMost(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      what
    )
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
