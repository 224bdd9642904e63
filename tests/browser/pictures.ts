/**
 * Takes the pictures of the README and the guide: starts the demo, signs in with its link, and looks at its pages.
 * `npm run pictures` runs it; look at them before you commit them.
 */
import * as path from "node:path"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Browser } from "../support/Browser.ts"
import { eventually, make } from "../support/Product.ts"

const images = path.join(import.meta.dirname, "../../docs/images")

interface Picture {
  readonly name: string
  /** From the home page of the dashboard to what is shown. */
  readonly open?: (page: Page) => Promise<unknown>
  readonly phone?: boolean
}

const go = (address: string) => (page: Page) => page.goto(new URL(address, page.url()).href)

const pictures: ReadonlyArray<Picture> = [
  { name: "dashboard-now" },
  { name: "dashboard-phone", phone: true },
  { name: "dashboard-monitors", open: go("/monitors") },
  {
    name: "dashboard-monitor",
    open: async (page) => {
      await go("/monitors?status=down")(page)
      await page.getByText("Card payments", { exact: true }).first().click()
      await page.getByRole("heading", { name: "Card payments" }).waitFor()
    }
  }
]

const wide = { width: 1280, height: 820 }
const narrow = { width: 390, height: 780 }

const program = Effect.gen(function* () {
  const product = yield* make({ args: ["--demo"], ownDatabase: true, withoutNats: true })
  const said = Effect.sync(() => /dashboard\s+(http\S+)/.exec(product.output())?.[1])
  const link = (yield* eventually(said, (found) => found !== undefined))!
  // Until every monitor of the demo was checked, and its alerts are open.
  yield* Effect.sleep("45 seconds")
  const browser = yield* Browser
  yield* Effect.promise(async () => {
    const entry = await browser.newContext()
    const first = await entry.newPage()
    await first.goto(link)
    const storageState = await entry.storageState()
    for (const colorScheme of ["light", "dark"] as const) {
      for (const { name, open, phone = false } of pictures) {
        const context = await browser.newContext({
          storageState,
          colorScheme,
          locale: "en-GB",
          viewport: phone ? narrow : wide,
          deviceScaleFactor: phone ? 2 : 1
        })
        const page = await context.newPage()
        await page.goto(new URL("/", first.url()).href)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await open?.(page)
        // Charts and fonts draw after the data.
        await page.waitForTimeout(2500)
        await page.screenshot({ path: path.join(images, `${name}-${colorScheme}.png`) })
        await context.close()
      }
    }
  })
})

await Effect.runPromise(program.pipe(Effect.provide(Browser.layer), Effect.scoped))
process.exit(0)
