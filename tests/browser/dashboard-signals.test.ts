/** What a job said, as the page of its monitor shows it. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { overflow } from "./EveryLook.ts"
import { objections } from "./Axe.ts"
import { picture } from "./Look.ts"
import { installation, visit } from "./Visitor.ts"

const log = `rsync: write failed <img src=x onerror=alert(1)>\n${"x".repeat(300)}\n\u001b[31mno space left\u001b[0m`

describe.skipIf(Browser.skipped)(`the signals of a job${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("are a tab of its monitor, and open to the output of the job, as text", () =>
      visit("ada", async ({ call, context, origin, page }) => {
        const job = await call("post", "/monitors", { name: "Backup", type: "heartbeat", interval: 86_400 })
        const send = (suffix: string, data: string) =>
          context.request.post(`${job.heartbeatUrl}${suffix}`, { data, headers: { "content-type": "text/plain" } })
        await send("/start", "")
        await send("/3", log)
        await send("?m.rows=12", "12 rows")
        await page.goto(`${origin}/monitors/${job.id}`)
        await page.getByRole("link", { name: "Signals", exact: true }).click()
        await page.getByRole("button", { name: /Success.*12 rows/s }).waitFor()
        await page.getByRole("button", { name: /Failure.*Exit code 3.*rsync: write failed/s }).click()
        const said = page.getByRole("region", { name: "Output of the job" })
        await said.waitFor()
        assert.strictEqual(await said.textContent(), log)
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 })
          await picture(page, `dashboard signals ${width}`)
          assert.strictEqual(await overflow(page), "", String(width))
          assert.deepStrictEqual(await objections(page), [], String(width))
        }
        await page.getByRole("button", { name: /Kind of signal/ }).click()
        await page.getByRole("option", { name: "Start" }).click()
        await page.getByRole("button", { name: /^Start \d/ }).click()
        await page.getByText("The job wrote nothing with this signal.").waitFor()
        assert.strictEqual(await page.getByRole("button", { name: /Failure/ }).count(), 0)
        // Targets that do not wait for signals have no such tab.
        const shop = await call("post", "/monitors", {
          name: "Shop",
          type: "http",
          url: `${origin}/api/v1/health/live`
        })
        await page.goto(`${origin}/monitors/${shop.id}`)
        await page.getByRole("link", { name: "Checks", exact: true }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "Signals", exact: true }).count(), 0)
      })
    )
  })
})
