/** How status pages look: accessible in light and in dark, on phones and on paper. */
import { assert, describe, layer } from "@effect/vitest"
import axe from "axe-core"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { Shop } from "./Shop.ts"
import { visit } from "./Visit.ts"

/** What axe objects to, one line for each. */
const objections = async (page: Page): Promise<ReadonlyArray<string>> => {
  // The page's policy lets no script in, but the debugger.
  await page.evaluate(axe.source)
  const { incomplete, violations } = await page.evaluate(() => (globalThis as any).axe.run() as Promise<axe.AxeResults>)
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)
  )
}

const sizes = { desktop: [1280, 900], phone: [390, 844], narrow: [320, 568] } as const
const days = ["good", "bad", "empty"] as const

describe.skipIf(Browser.skipped)(`a status page${Browser.note}`, () => {
  layer(Shop.layer, { excludeTestServices: true })((it) => {
    for (const colorScheme of ["light", "dark"] as const)
      it.effect(`is accessible in ${colorScheme} colours, at every width`, () =>
        Effect.flatMap(Shop, (shop) =>
          visit({ colorScheme }, async ({ page, picture }) => {
            const found: Array<string> = []
            for (const day of days) {
              await page.goto(shop[day].url)
              for (const [device, [width, height]] of Object.entries(sizes)) {
                await page.setViewportSize({ width, height })
                await picture(`${day}-${colorScheme}-${device}`)
                const wide = await page.evaluate(() => document.documentElement.scrollWidth)
                if (wide > width) found.push(`${day} ${device}: ${wide} pixels wide`)
                found.push(...(await objections(page)).map((objection) => `${day} ${device}: ${objection}`))
              }
            }
            assert.deepStrictEqual(found, [])
          })
        )
      )
  })
})
