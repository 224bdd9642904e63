/** The rules of every page, held in every look: as wide as a phone, a tablet and a desktop, in light and in dark colours. */
import type { Page } from "playwright-core"
import { colourRules, objections } from "./Axe.ts"

const widths = [360, 768, 1280] as const
const schemes = ["light", "dark"] as const

/** How far the page is wider than the window, and what stands out most. */
export const overflow = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return ""
    const widest = [...document.querySelectorAll("body *")]
      .map((element) => ({ element, right: element.getBoundingClientRect().right }))
      .sort((a, b) => b.right - a.right)[0]
    return `${scrollWidth - clientWidth} px: ${widest?.element.outerHTML.slice(0, 200)}`
  })

/** Runs in the page: resolves when styles have followed the scheme, and observers of sizes the width: nothing changes any more. */
const atRest = () =>
  new Promise<void>((resolve) => {
    let before = ""
    let quiet = -1
    const look = () => {
      const { scrollHeight, scrollWidth } = document.documentElement
      const now = `${scrollWidth} ${scrollHeight} ${document.body.innerHTML.length}`
      quiet = now === before ? quiet + 1 : 0
      before = now
      if (quiet < 3) requestAnimationFrame(look)
      else resolve()
    }
    requestAnimationFrame(look)
  })

/**
 * What is wrong with the open page, one line for each thing, in every look. Colours change nothing but contrast, so only that
 * is looked at again in the dark.
 */
export const wrongIn = async (
  page: Page,
  picture: (look: string) => Promise<unknown>
): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const look = `${width} ${colorScheme}`
      const isFirst = colorScheme === schemes[0]
      await page.evaluate(atRest)
      if (isFirst && width !== 768) await picture(look)
      const found = [
        ...(isFirst ? [await overflow(page)].filter((line) => line !== "") : []),
        ...(await objections(page, isFirst ? {} : colourRules))
      ]
      wrong.push(...found.map((line) => `${look}: ${line}`))
    }
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 800 })
  return wrong
}
