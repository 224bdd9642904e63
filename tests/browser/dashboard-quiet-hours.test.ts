/** Quiet hours in the dashboard: of a person and of a channel, and what they mean for pages. */
import { assert, describe, layer } from "@effect/vitest"
import type { Locator } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as People from "./People.ts"

const words = /22:00–07:00 \([^)]+\): warnings and information wait, critical alerts do not\.$/

/** Turns the switch on, breaks the hours, and mends them. */
const fillQuietHours = async (form: Locator, save: string): Promise<void> => {
  await form.getByText("Hold messages in some hours of the week").click()
  await form.getByText(words).waitFor()
  await form.getByRole("button", { name: "More hours" }).click()
  await form.getByLabel("From", { exact: true }).last().fill("09:00")
  await form.getByLabel("To", { exact: true }).last().fill("09:00")
  await form.getByRole("button", { name: save }).click()
  await form
    .getByRole("alert")
    .getByText(/`from` and `to` are the same/)
    .waitFor()
}

describe.skipIf(Browser.skipped)(`quiet hours${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("are set by a person in words, refused at their row, and taken away", () =>
      People.walk(async (ada) => {
        const { page } = ada
        await People.signUp(ada, "Ada", "ada.q@example.org")
        await ada.open("/settings/notifications")
        await page.getByText("None: every page is sent at once.").waitFor()
        await page.getByRole("button", { name: "Change the quiet hours" }).click()
        const dialog = page.getByRole("dialog", { name: "Quiet hours" })
        await fillQuietHours(dialog, "Save")
        await ada.look("quiet hours, refused")
        await dialog.getByRole("button", { name: "Remove the hours 2" }).click()
        await dialog.getByRole("button", { name: "Save" }).click()
        await dialog.waitFor({ state: "detached" })
        await page.getByText(words).waitFor()
        await ada.look("notifications, quiet hours")
        await People.lookIn(ada, "de", "notifications, quiet hours", "Ruhezeiten")
        await People.lookIn(ada, "ja", "notifications, quiet hours", "通知を控える時間帯")
        await page.getByText(words).waitFor()

        await page.getByRole("button", { name: "Change the quiet hours" }).click()
        await dialog.getByText("Hold messages in some hours of the week").click()
        await dialog.getByRole("button", { name: "Save" }).click()
        await page.getByText("None: every page is sent at once.").waitFor()
      })
    )

    it.effect("belong to a channel, and stay when something else of it changes", () =>
      People.walk(async (ada, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada", "ada.c@example.org")
        await ada.open("/channels/new?type=webhook")
        await page.getByRole("textbox", { name: /^URL|^Address/ }).fill(`${people.origin}/nowhere`)
        const form = page.locator("form")
        await fillQuietHours(form, "Create and send a test")
        await ada.look("channel, quiet hours")
        await form.getByRole("button", { name: "Remove the hours 2" }).click()
        await form.getByRole("button", { name: "Create and send a test" }).click()
        await page.getByRole("button", { name: "Save" }).waitFor()
        // The refusal of the test stands above the button.
        await page.getByRole("button", { name: "Close" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Operations")
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByRole("link", { name: "Operations" }).waitFor()
        await page.getByText(words).waitFor()
        await ada.look("channels, quiet hours")
        assert.strictEqual(await page.getByText(words).count(), 1)
      })
    )
  })
})
