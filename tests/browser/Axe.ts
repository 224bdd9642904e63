/** axe-core over the open page: loaded once in each document, and asked for what is wrong only. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** The rules whose verdict follows the colours: what is left to ask where only the scheme changed. */
export const colourRules = { runOnly: ["color-contrast", "link-in-text-block"] } as const satisfies axe.RunOptions

/** What axe objects to, one line for each. Frames run no script, so axe cannot look into them. */
export const objections = async (page: Page, options: axe.RunOptions = {}): Promise<ReadonlyArray<string>> => {
  // A page's policy lets no script in, but the debugger.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (given) => (globalThis as any).axe.run(document, given) as Promise<axe.AxeResults>,
    { ...options, iframes: false, preload: false, resultTypes: ["violations"], selectors: false } as axe.RunOptions
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`)
  )
}
