/**
 * What a team tells its visitors, in a real browser against the real product: an incident from its first text to its end,
 * maintenance windows that recur and are moved on the calendar, and a status page with its preview.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { signUp } from "./Account.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"

const hour = 3_600_000

describe.skipIf(Browser.skipped)(`incidents in the dashboard${Browser.note}`, () => {
  layer(Installation.layer(), { excludeTestServices: true })((it) => {
    it.effect("writes incidents, plans maintenance and previews the page that shows them", () =>
      Effect.gen(function* () {
        const { origin } = yield* Installation
        yield* Browser.visit(
          {
            viewport: { width: 1280, height: 800 },
            locale: "en-GB",
            timezoneId: "Europe/Berlin"
          },
          async (context, faults) => {
            context.on("dialog", (dialog) => void faults.push(dialog.message()))
            context.on("console", (message) => {
              if (message.text().includes("Content Security Policy")) faults.push(message.text())
            })
            const page = await context.newPage()
            const { create, project } = await signUp(context, origin, { name: "Ada", email: "ada@example.org" })
            const job = { type: "heartbeat", interval: 86_400, tags: ["prod"] }
            const hostile = `<img src=x onerror=alert(1)> 🚧 مرحبا ${"w".repeat(60)}`
            const checkout = await create("/monitors", { ...job, name: "Checkout" })
            await create("/monitors", { ...job, name: hostile })
            await create("/status-pages", {
              name: "Acme",
              slug: "acme",
              monitors: [{ monitorId: checkout.id, displayGroup: "Shop" }]
            })

            await page.goto(`${origin}/`)
            await page.getByRole("navigation").getByRole("link", { name: "Incidents" }).click()
            await page.getByText("No incident is open").waitFor()
            await page.getByRole("link", { name: "New incident" }).click()
            await page.getByRole("textbox", { name: "Title" }).fill("Payments fail")
            await page.getByText("prod", { exact: true }).click()
            await page.getByText("2 monitors are affected.").waitFor()
            await page.getByRole("button", { name: "Insert a text" }).click()
            await page.getByRole("menuitem", { name: /^We are investigating problems with .*Checkout/ }).click()
            await page.getByRole("region", { name: "Preview of the public text" }).getByText("Payments fail").waitFor()
            await look(page, "new incident")
            // What was typed is not lost by a click beside it.
            await page.getByRole("navigation").getByRole("link", { name: "Monitors" }).click()
            await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click()
            await page.getByRole("button", { name: "Publish the incident" }).click()
            await page.getByRole("heading", { level: 1, name: "Payments fail" }).waitFor()
            await page.getByRole("link", { name: "Acme" }).waitFor()
            await page.getByRole("radio", { name: "Identified" }).click()
            await page
              .getByRole("textbox", { name: "Text" })
              .fill("It is the provider: https://status.example/1.\n\nMore soon.")
            await page.getByRole("button", { name: "Publish the update" }).click()
            await page
              .getByRole("listitem")
              .getByRole("link", { name: "https://status.example/1", exact: true })
              .waitFor()
            await look(page, "incident")
            await page.getByRole("link", { name: "Edit" }).click()
            await page.getByRole("textbox", { name: "Title" }).fill("")
            assert.isTrue(await page.getByRole("button", { name: "Save" }).isDisabled())
            await page.getByRole("textbox", { name: "Title" }).fill(hostile)
            await page.getByRole("button", { name: "Save" }).click()
            await page.getByRole("heading", { level: 1, name: hostile }).waitFor()
            await page.getByRole("button", { name: "Resolve" }).click()
            await page.getByText(/Resolved after/).waitFor()
            await page.goto(`${origin}/incidents?state=resolved`)
            await page.getByRole("list", { name: "Incidents" }).getByRole("link", { name: hostile }).waitFor()
            await look(page, "incidents")

            await page.goto(`${origin}/incidents/new?type=maintenance`)
            await page.getByRole("textbox", { name: "Title" }).fill("Database upgrade")
            await page.getByLabel("Begins").fill("2027-03-28T02:30")
            await page.getByText(/The clocks are put forward then/).waitFor()
            await page.getByLabel("Begins").fill("2027-03-28T03:00")
            await page.getByLabel("Ends").fill("2027-03-28T02:00")
            await page.getByRole("textbox", { name: "Text" }).fill("We upgrade the database.")
            await page.getByRole("button", { name: "Schedule maintenance" }).click()
            await page.getByText("Expected an instant after scheduledStart").waitFor()
            await page.getByLabel("Ends").fill("2027-03-28T04:00")
            await page.getByRole("button", { name: /Repeats/ }).click()
            await page.getByRole("option", { name: "Weekly" }).click()
            await page.getByRole("button", { name: "Sunday" }).click()
            const monday = page.getByRole("button", { name: "Monday" })
            if ((await monday.getAttribute("aria-pressed")) === "true") await monday.click()
            await page.getByText(/every .*Sunday.* 03:00–04:00 Europe\/Berlin/).waitFor()
            // The first window is the one that the fields say, not the one after it.
            const windows = page.getByRole("list", { name: "The next windows" }).getByRole("listitem")
            assert.deepStrictEqual(
              await windows.allInnerTexts(),
              ["28 Mar", "4 Apr", "11 Apr", "18 Apr"].map((date) => `Sun, ${date} 2027, 03:00`)
            )
            await look(page, "new maintenance")
            await page.getByRole("button", { name: "Schedule maintenance" }).click()
            await page.getByText(/^Repeats: every .*Sunday/).waitFor()

            // Today at noon, so that every hour of a week has room for a move.
            const noon = new Date().setHours(12, 0, 0, 0) + 24 * hour
            const swap = await create("/incidents", {
              title: "Router swap",
              message: "New routers.",
              maintenance: true,
              scheduledStart: new Date(noon).toISOString(),
              scheduledEnd: new Date(noon + hour).toISOString()
            })
            const times = async () => {
              const answer = await context.request.get(`${origin}/api/v1/incidents/${swap.id}`, {
                headers: { "kanmon-project": project.id }
              })
              const { scheduledEnd, scheduledStart } = await answer.json()
              return [(Date.parse(scheduledStart) - noon) / hour, (Date.parse(scheduledEnd) - noon) / hour]
            }
            const day = new Date(noon).toISOString().slice(0, 10)
            await page.goto(`${origin}/incidents?view=calendar&day=${day}`)
            await page.getByRole("button", { name: /Router swap,/ }).waitFor()
            await look(page, "calendar, month")
            await page.goto(`${origin}/incidents?view=calendar&span=week&day=${day}`)
            const chip = page.getByRole("button", { name: /Router swap,/ })
            await chip.scrollIntoViewIfNeeded()
            const box = (await chip.boundingBox())!
            await page.mouse.move(box.x + 8, box.y + 8)
            await page.mouse.down()
            await page.mouse.move(box.x + 8, box.y + 48, { steps: 4 })
            await page.mouse.up()
            await page.getByRole("button", { name: "Discard" }).waitFor()
            await look(page, "calendar, week")
            await chip.focus()
            await page.keyboard.press("Shift+ArrowDown")
            await page.keyboard.press("Shift+ArrowDown")
            await page.keyboard.press("Enter")
            await page.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" })
            assert.deepStrictEqual(await times(), [1, 2.5])
            await chip.focus()
            await page.keyboard.press("Enter")
            await page.getByRole("button", { name: "Cancel the maintenance" }).click()
            await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the maintenance" }).click()
            await page.getByRole("link", { name: "Maintenance", exact: true }).last().waitFor()

            await page.goto(`${origin}/status-pages`)
            await page.getByRole("link", { name: "Acme", exact: true }).click()
            const frame = page.frameLocator("iframe")
            await frame.getByText("Database upgrade").first().waitFor()
            await page.getByRole("textbox", { name: "Name" }).fill(hostile)
            await frame.getByText(hostile).first().waitFor()
            // The preview is loaded anew after each change, which ends an evaluation in it.
            const ground = Effect.promise(() =>
              frame
                .locator("body")
                .evaluate((body) => getComputedStyle(body).backgroundColor)
                .catch(() => undefined)
            )
            const hasGround = (color: string) =>
              Effect.runPromise(Product.eventually(ground, (found) => found === color))
            await page.getByRole("radio", { name: "Dark" }).click()
            await frame.locator("html[data-scheme=dark]").waitFor()
            await hasGround("rgb(14, 17, 20)")
            await page.getByRole("radio", { name: "Light" }).click()
            await frame.locator("html[data-scheme=light]").waitFor()
            await hasGround("rgb(248, 248, 246)")
            await page.getByRole("radio", { name: "Phone" }).click()
            await look(page, "status page with preview")
          }
        )
      })
    )
  })
})
