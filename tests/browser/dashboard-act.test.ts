/** What somebody does when something is down, in a real browser against the real product: see it, acknowledge, snooze, silence. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { type Account, signUp } from "./Account.ts"
import { hold } from "./hold.ts"
import { Hook } from "./Hook.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"

interface Visit extends Pick<Account, "create"> {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
}

/** Somebody whose project has a rule that opens an alert at the first failure. */
const visit = (name: string, walk: (visit: Visit) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin } = yield* Installation
    yield* Browser.visit({}, async (context) => {
      const { create } = await signUp(context, origin, { name, email: `${name.toLowerCase()}@example.org` })
      await create("/alert-rules", { name: "Down", trigger: "monitor_down", consecutiveFailures: 1 })
      await walk({ page: await context.newPage(), context, origin, create })
    })
  })

const job = { type: "heartbeat", interval: 86_400, tags: ["prod"] }

/** As long as another request takes. */
const roundTrip = (page: Page) => page.evaluate(async () => void (await (await fetch("/api/v1/health/live")).text()))

describe.skipIf(Browser.skipped)(`alerts in the dashboard${Browser.note}`, () => {
  layer(Layer.merge(Installation.layer(), Hook.layer), { excludeTestServices: true })((it) => {
    it.effect("shows an outage at once, also on a page that was open before, and acknowledges it by the keyboard", () =>
      visit("Ada", async ({ context, create, origin, page }) => {
        const checkout = await create("/monitors", { ...job, name: "Checkout" })
        const backup = await create("/monitors", { ...job, name: "Backup" })
        for (const { heartbeatUrl } of [checkout, backup]) await context.request.get(heartbeatUrl)

        await page.goto(`${origin}/`)
        await page.getByRole("heading", { name: "All 2 monitors are up." }).waitFor()
        const month = page.getByLabel("All monitors together")
        await month.getByText("No outage so far").waitFor()
        await look(page, "now, all is well")
        const second = await context.newPage()
        await second.goto(`${origin}/monitors/${backup.id}?view=outages`)
        await second.getByText("No outage").waitFor()
        for (const { heartbeatUrl } of [checkout, backup]) await context.request.get(`${heartbeatUrl}/fail`)
        const open = page.getByRole("list", { name: "Active alerts" })
        await open.getByRole("link", { name: "Checkout" }).waitFor()
        await open.getByRole("link", { name: "Backup" }).waitFor()
        await page.getByRole("heading", { name: "2 monitors are down." }).waitFor()
        const card = open.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Checkout" }) })
        await card.getByText("Not acknowledged yet").waitFor()
        await card.getByRole("img", { name: /of the last \d+ results passed/ }).waitFor()
        await month.getByText("Now", { exact: true }).waitFor()
        await look(page, "now")
        await second.getByText("ongoing").waitFor()
        await second.close()
        await page.keyboard.press("j")
        await page.keyboard.press("a")
        await open.getByText("Acknowledged by Ada").waitFor()
        await open.getByRole("button", { name: "Unacknowledge" }).click()
        await open.getByText("Acknowledged by Ada").waitFor({ state: "hidden" })
        for (const { heartbeatUrl } of [checkout, backup]) await context.request.get(heartbeatUrl)
        await page.getByRole("heading", { name: "All 2 monitors are up." }).waitFor()
        await month.getByText(/just now|ago/).waitFor()
        await month.getByRole("link", { name: "Backup" }).waitFor()
      })
    )

    it.effect("lets a person snooze an alert, and acknowledge one with a note, from its notification on", () =>
      Effect.flatMap(Hook, (hook) =>
        visit("Dora", async ({ context, create, origin, page }) => {
          await create("/notification-channels", { name: "Hook", type: "webhook", config: { url: hook.url } })
          const checkout = await create("/monitors", { ...job, name: "Checkout" })
          const backup = await create("/monitors", { ...job, name: "Backup" })
          for (const { heartbeatUrl } of [checkout, backup]) await context.request.get(`${heartbeatUrl}/fail`)

          await page.goto(`${origin}/alerts`)
          await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor()
          const item = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Checkout" }) })
          await item.getByRole("button", { name: "Snooze" }).click()
          await page.getByRole("menuitem", { name: "4 hours", exact: true }).click()
          await item.getByText("Snoozed by Dora").waitFor()
          await look(page, "alerts")
          await page.getByRole("link", { name: "Backup" }).click()
          await page.getByText("Notification delivered to Hook").waitFor()
          await page.getByRole("textbox", { name: "Note for others" }).fill("The disk is full")
          await page.getByRole("button", { name: "Acknowledge with note" }).click()
          await page.getByText("Acknowledged by Dora: The disk is full").waitFor()
          await look(page, "alert")
          await context.request.get(backup.heartbeatUrl)
          await page.getByText(/Resolved after/).waitFor()

          // The link of the notification, in its project.
          const link = /"(http[^"]*\/monitors\/mon_[^"]*)"/.exec(hook.requests[0]?.body ?? "")?.[1] ?? ""
          await page.goto(link)
          await page.getByRole("heading", { level: 1, name: /Checkout|Backup/ }).waitFor()
        })
      )
    )

    it.effect("silences monitors by their tag, with a reason, until a person ends it", () =>
      visit("Eve", async ({ origin, page }) => {
        await page.goto(`${origin}/silences`)
        await page.getByRole("button", { name: "New silence" }).click()
        const dialog = page.getByRole("dialog", { name: "New silence" })
        await dialog.getByRole("textbox", { name: "tags" }).fill("prod")
        await dialog.getByRole("button", { name: "Create silence" }).click()
        await dialog.getByText(/^Expected/).waitFor()
        await look(page, "new silence")
        await dialog.getByRole("textbox", { name: "Reason" }).fill("Migration")
        await dialog.getByRole("button", { name: "Create silence" }).click()
        await page.getByRole("list", { name: "Silences" }).getByText("Tag prod").waitFor()
        await look(page, "silences")
        await page.getByRole("button", { name: "End now: Migration" }).click()
        await page.getByText("Nothing is silenced").waitFor()
      })
    )

    it.effect("leaves an alert in its place when somebody handles it, until the page is opened again", () =>
      visit("Cleo", async ({ context, create, origin, page }) => {
        for (const name of ["Backup", "Checkout", "Search"]) {
          const monitor = await create("/monitors", { ...job, name })
          await context.request.get(`${monitor.heartbeatUrl}/fail`)
        }
        for (const [address, label, open] of [
          ["/", "Active alerts", 3],
          ["/alerts", "Alerts", 2]
        ] as const) {
          await page.goto(`${origin}${address}`)
          const list = page.getByRole("list", { name: label })
          const first = list.getByRole("listitem").first()
          const names = () => list.getByRole("link").allInnerTexts()
          const acknowledge = list.getByRole("button", { name: "Acknowledge", exact: true })
          await acknowledge.nth(open - 1).waitFor()
          const before = await names()
          const asked = page.waitForResponse(/\/acknowledge$/)
          const listed = asked.then(() => page.waitForResponse(/\/alerts\?.*state=open/))
          await first.getByRole("button", { name: "Acknowledge" }).click()
          await listed
          await roundTrip(page)
          assert.deepStrictEqual(await names(), before, address)
          await first.getByText("Acknowledged by Cleo").waitFor()
          await page.reload()
          await first.getByText(/Open|Not acknowledged yet/).waitFor()
          assert.notDeepEqual(await names(), before, address)
        }
      })
    )

    it.effect("leaves what was asked for last, also when an earlier request takes longer", () =>
      visit("Ben", async ({ context, create, origin, page }) => {
        const monitor = await create("/monitors", { ...job, name: "Backup" })
        await context.request.get(`${monitor.heartbeatUrl}/fail`)

        await page.goto(`${origin}/alerts`)
        const acknowledge = await hold(page, "POST", /\/acknowledge$/)
        await page.getByRole("button", { name: "Acknowledge" }).click()
        await page.getByText("Acknowledged by Ben").waitFor()
        const answers = Promise.all([/\/acknowledge$/, /\/unacknowledge$/].map((url) => page.waitForResponse(url)))
        await page.getByRole("button", { name: "Unacknowledge" }).click()
        await roundTrip(page)
        acknowledge()
        await answers
        await page.reload()
        await page.getByRole("button", { name: "Acknowledge", exact: true }).waitFor()
        assert.isFalse(await page.getByText("Acknowledged by Ben").isVisible())

        // What is asked for meanwhile does not bring the old state back.
        const late = await hold(page, "POST", /\/acknowledge$/)
        await page.getByRole("button", { name: "Acknowledge", exact: true }).click()
        await page.getByText("Acknowledged by Ben").waitFor()
        const other = await create("/monitors", { ...job, name: "Search" })
        await context.request.get(`${other.heartbeatUrl}/fail`)
        await page.getByRole("link", { name: "Search" }).waitFor()
        assert.isTrue(await page.getByText("Acknowledged by Ben").isVisible())
        const acknowledged = page.waitForResponse(/\/acknowledge$/)
        late()
        await acknowledged

        await page.goto(`${origin}/monitors/${monitor.id}`)
        const pause = await hold(page, "PATCH", /\/monitors\/mon_\w+$/)
        await page.getByRole("button", { name: "Pause" }).click()
        let left = 2
        const both = page.waitForResponse((response) => response.request().method() === "PATCH" && --left === 0)
        await page.getByRole("button", { name: "Resume" }).click()
        await roundTrip(page)
        pause()
        await both
        await page.reload()
        await page.getByRole("button", { name: "Pause" }).waitFor()
      })
    )
  })
})
