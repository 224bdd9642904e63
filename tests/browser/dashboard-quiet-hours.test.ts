/** Quiet hours in the dashboard: of a person and of a channel, and what they mean for pages. */
import * as fs from "node:fs/promises"
import { assert, describe, layer } from "@effect/vitest"
import type { Locator } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { layerOf } from "../support/OnCallBodies.ts"
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

    it.effect("stand beside a test of the own pages, which runs until it is acknowledged", () =>
      People.walk(async (ada, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada", "ada.p@example.org")
        await People.verify(ada, people, "ada.p@example.org")
        await ada.open("/settings/notifications")
        await page.getByRole("button", { name: "Page me now" }).click()
        await page.getByText("The test runs. Acknowledge it where it reaches you.").waitFor()
        const pages = page.getByRole("list", { name: "Pages of the test" })
        await pages.getByText("Email of the account").waitFor()
        await ada.look("notifications, page test")
        await page.getByRole("button", { name: "Acknowledge the test" }).click()
        await page.getByText("Acknowledged here.").waitFor()
        await page.getByRole("button", { name: "Page me now" }).waitFor()
      })
    )

    it.effect("hold pages, as the preview of a policy and the timeline of an alert say", () =>
      People.walk(async (ada, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada", "ada.h@example.org")
        await People.verify(ada, people, "ada.h@example.org")
        const [{ id: projectId, organizationId }] = await People.call(ada, people, "GET", "/projects")
        const { user } = await People.call(ada, people, "GET", "/auth/get-session")
        const organization = `/organizations/${organizationId}`
        await People.call(ada, people, "PUT", "/account/quiet-hours", {
          quietHours: {
            timezone: "UTC",
            windows: [{ weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" }],
            holdBelow: "critical"
          }
        })
        const schedule = await People.call(ada, people, "POST", `${organization}/schedules`, {
          name: "Shop",
          timezone: "UTC",
          layers: [layerOf("Primary", [user.id])]
        })
        const policy = await People.call(ada, people, "POST", `${organization}/escalation-policies`, {
          name: "Shop is slow",
          steps: [{ afterMinutes: 0, notify: [{ scheduleId: schedule.id }] }]
        })
        const project = { origin: people.origin, "kanmon-project": projectId }
        const create = async (path: string, data: object) =>
          (await ada.context.request.post(`${people.origin}/api/v1${path}`, { headers: project, data })).json()
        const job = await create("/monitors", { name: "Nightly backup", type: "heartbeat", interval: 86_400 })
        await create("/alert-rules", {
          name: "Backup fails",
          trigger: "monitor_down",
          severity: "warning",
          consecutiveFailures: 1,
          monitorIds: [job.id],
          escalationPolicyId: policy.id
        })
        for (const signal of ["", "/fail", "/fail"]) await ada.context.request.get(`${job.heartbeatUrl}${signal}`)

        await ada.open(`/on-call/policies/${policy.id}`)
        await page.getByRole("button", { name: /Severity/ }).click()
        await page.getByRole("option", { name: "Warning" }).click()
        await page.getByText(/^Ada by Email waits until quiet hours end: /).waitFor()
        await ada.look("policy, quiet hours")
        await ada.open("/alerts")
        await page.getByRole("listitem").getByRole("link").filter({ hasText: "Nightly backup" }).first().click()
        await page.getByText("Page to Ada by Email waits for the end of quiet hours").waitFor()
        await ada.look("alert, quiet hours")

        const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
        await People.call(ada, people, "PUT", "/account/away", [{ from: inDays(1), to: inDays(2) }])
        await ada.open("/settings/notifications")
        const own = page.getByRole("list", { name: "Your next shifts" })
        await own.getByText(/^now, until /).waitFor()
        await own.getByText(/^from .* on$/).waitFor()
        await ada.look("notifications, shifts")
        await ada.open("/")
        await page.getByText(/^Your next shift: from .* on, Shop$/).waitFor()
        await ada.look("home, next shift")

        await ada.open("/on-call")
        await page.getByRole("link", { name: "Figures" }).click()
        await page.getByText("You see everybody, as an administrator. Others see themselves alone.").waitFor()
        await page.getByRole("row", { name: /^Ada/ }).waitFor()
        await page
          .getByRole("list", { name: "Noisiest monitors" })
          .getByRole("link", { name: "Nightly backup" })
          .waitFor()
        await ada.look("on-call figures")
        await People.lookIn(ada, "de", "on-call figures", "Kennzahlen der Bereitschaft")
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        assert.match(await fs.readFile(await (await download).path(), "utf8"), /^userId,name,onCallHours,.*\r\n.*,Ada,/)
        await page.getByRole("radio", { name: "Own range" }).click()
        await page.getByLabel("From", { exact: true }).fill("2020-01-01")
        await page.getByLabel("To", { exact: true }).fill("2020-01-31")
        await page.getByRole("heading", { name: "Nothing to count in this period" }).waitFor()
        await page.getByLabel("To", { exact: true }).fill("2019-01-31")
        await page.getByText(/Expected a time not after/).waitFor()
        await ada.look("on-call figures, refused")
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
