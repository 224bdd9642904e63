/** An open tab whose session has ended elsewhere. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { password } from "./Account.ts"
import { installation, visit } from "./Visitor.ts"

describe.skipIf(Browser.skipped)(`an ended session${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("is asked for once, and not taken for a lost connection, however long the tab stays open", () =>
      visit("ida", async ({ context, origin, page }) => {
        await page.clock.install()
        const streams: Array<string> = []
        page.on("request", (request) => {
          if (request.url().includes("/api/v1/events")) streams.push(request.url())
        })
        const opened = page.waitForResponse(/\/api\/v1\/events/)
        await page.goto(`${origin}/channels`)
        await opened
        assert.isTrue(
          (await context.request.post(`${origin}/api/v1/auth/sign-out`, { headers: { origin }, data: {} })).ok()
        )
        // The stream is cut, as it is when a laptop wakes up.
        await page.evaluate(() => dispatchEvent(new Event("offline")))
        const dialog = page.getByRole("dialog", { name: "Your session has ended" })
        await dialog.waitFor()
        // What was asked for when the dialog came is answered by then.
        await page.clock.runFor(60_000)
        const before = streams.length
        await page.clock.runFor(10 * 60_000)
        assert.strictEqual(streams.length, before)
        assert.strictEqual(await page.getByText("The connection to Kanmon is lost").count(), 0)

        const again = page.waitForResponse((response) => response.url().includes("/events") && response.ok())
        await dialog.getByRole("textbox", { name: "Password" }).fill(password)
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click()
        await dialog.waitFor({ state: "detached" })
        await again
      })
    )
  })
})
