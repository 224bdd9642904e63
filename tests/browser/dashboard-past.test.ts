/** The dashboard at an instant of the past: Home, the list and a monitor as they were known, by an address that can be sent. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { look } from "./Look.ts"
import { installation, settled, visit } from "./Visitor.ts"

describe.skipIf(Browser.skipped)(`the dashboard in the past${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("shows what was known, changes nothing, and leads back to now", () =>
      visit("ada", async ({ call, context, origin, page }) => {
        const job = await call("post", "/monitors", { name: "Backup", type: "heartbeat", interval: 86_400 })
        const status = async (wanted: string) => {
          for (;;) {
            const found = await call("get", `/monitors/${job.id}`)
            if (found.status === wanted) return
          }
        }
        await context.request.post(job.heartbeatUrl)
        await status("up")
        const at = new Date().toISOString()
        await context.request.post(`${job.heartbeatUrl}/3`)
        await status("down")

        await page.goto(`${origin}/?at=${at}`)
        await page.getByText("Your monitor is up.").waitFor()
        await page.getByRole("complementary", { name: "The past" }).getByText("As it was on").waitFor()
        await look(page, "past home")
        await page.getByRole("link", { name: "Monitors", exact: true }).first().click()
        await page.waitForURL(/\/monitors\?at=/)
        const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Backup" }) })
        await row.getByText("Up", { exact: true }).first().waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "New monitor" }).count(), 0)
        await look(page, "past list")
        await row.getByRole("link", { name: "Backup" }).click()
        await page.waitForURL(/\/monitors\/mon_\w+\?at=/)
        await page.getByRole("heading", { name: "Backup" }).waitFor()
        await settled(page)
        assert.strictEqual(await page.getByRole("button", { name: "Pause" }).count(), 0)
        await look(page, "past monitor")

        // Its parts, and the lists of the project, know nothing of what came later.
        await call("post", "/incidents", {
          title: "Backups fail",
          status: "investigating",
          message: "We look into it."
        })
        await page.getByRole("link", { name: "Outages", exact: true }).click()
        await page.getByText("No outage").waitFor()
        assert.match(page.url(), /at=.*view=outages|view=outages.*at=/)
        await page.getByRole("link", { name: "Checks", exact: true }).click()
        await page.getByRole("list", { name: "Checks" }).getByText("Up").waitFor()
        assert.strictEqual(await page.getByText("The job ended with exit code 3").count(), 0)
        await look(page, "past checks")
        await page.getByRole("link", { name: "Incidents", exact: true }).click()
        await page.getByText("No incident is open").waitFor()
        await page.goto(`${origin}/incidents`)
        await page.getByRole("link", { name: "Backups fail" }).waitFor()
        await page.goto(`${origin}/monitors/${job.id}?view=outages`)
        await page.getByText("The job ended with exit code 3").first().waitFor()
        await page.goto(`${origin}/monitors/${job.id}?at=${at}`)

        await page.getByRole("link", { name: "Back to now" }).click()
        await page.getByText("The job ended with exit code 3").first().waitFor()
        assert.notInclude(page.url(), "at=")
        await page.getByRole("link", { name: "Outages", exact: true }).click()
        await page.getByRole("link", { name: "What did we know then?" }).click()
        await page.waitForURL(/\/\?at=/)
        await page.getByRole("heading", { name: "Failing then" }).waitFor()
        await page.getByText("The job ended with exit code 3").waitFor()
        await look(page, "past outage")

        await page.goto(`${origin}/?at=2020-01-01T00:00:00.000Z`)
        await page.getByText(/Alerts and results are kept for \d+ days/).waitFor()
      })
    )
  })
})
