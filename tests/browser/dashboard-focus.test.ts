/** Where the focus is after a page was opened with the keyboard, and what is read out. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { installation, visit } from "./Visitor.ts"

describe.skipIf(Browser.skipped)(`pages that are opened with the keyboard${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("have the focus on their title, and are announced by it", () =>
      visit("ada", async ({ call, origin, page }) => {
        await call("post", "/monitors", { name: "Backup", type: "heartbeat", interval: 86_400 })
        await page.goto(`${origin}/monitors`)
        await page.getByRole("row").filter({ hasText: "Backup" }).waitFor()
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Backup" }).waitFor()
        await page
          .getByRole("status")
          .filter({ hasText: /^Backup$/ })
          .waitFor({ state: "attached" })
        assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Backup")
        // A link of the side bar keeps the focus: the reader may want the next one.
        await page.getByRole("link", { name: "Alerts", exact: true }).first().focus()
        await page.keyboard.press("Enter")
        await page
          .getByRole("status")
          .filter({ hasText: /^Alerts$/ })
          .waitFor({ state: "attached" })
        assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Alerts")
        assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "A")
      })
    )
  })
})
