/** Drills in the dashboard: one that is started, answered from its mail and read as a story, and one that is scheduled. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import * as People from "./People.ts"

describe.skipIf(Browser.skipped)(`drills${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("are started, reach a person, are answered from the mail, and say how long that took", () =>
      People.walk(async (ada, people) => {
        const { page } = ada
        const email = "ada.drill@example.org"
        await People.signUp(ada, "Ada", email)
        await People.verify(ada, people, email)
        const [{ organizationId }] = await People.call(ada, people, "GET", "/projects")
        const { user } = await People.call(ada, people, "GET", "/auth/get-session")
        const policies = `/organizations/${organizationId}/escalation-policies`
        const notify = [{ userId: user.id }]
        await People.call(ada, people, "POST", policies, {
          name: "Shop",
          steps: [
            { afterMinutes: 0, notify },
            { afterMinutes: 10, notify }
          ]
        })
        await ada.open("/on-call")
        await page.getByRole("link", { name: "Drills" }).click()
        await page.getByText("No drill yet").waitFor()
        await ada.look("drills, none")
        await page.getByRole("button", { name: "New drill" }).click()
        const dialog = page.getByRole("dialog", { name: "New drill" })
        await dialog.getByText("An escalation policy").first().waitFor()
        await ada.look("drill, new")
        await dialog.getByRole("button", { name: "Start the drill" }).click()
        await page.getByRole("heading", { name: "Drill: Shop" }).waitFor()
        await page.getByText("Waits for an answer").waitFor()
        const mail = await people.mailTo(email, /DRILL: Shop/)
        assert.include(mail, "DRILL: this is practice, and nothing is wrong")
        await page.getByText(/Reached after .* by Email/).waitFor()
        await ada.look("drill, running")

        const link = /https?:\/\/\S+\/acknowledgements\/\S+/.exec(mail)![0]
        const answer = await ada.context.newPage()
        await answer.goto(link)
        await answer
          .getByText(/DRILL: Shop/)
          .first()
          .waitFor()
        await answer.getByRole("button", { name: "Acknowledge" }).click()
        await answer.getByRole("heading", { name: "Acknowledged" }).waitFor()
        await answer.close()

        await page.getByText(/Ada.* acknowledged after/).waitFor()
        await page.getByText(/1 of 1 person reached/).waitFor()
        await page.getByText(/answered after/).waitFor()
        await page.getByText("The drill was over").waitFor()
        await ada.look("drill, answered")
        await People.lookIn(ada, "de", "drill, answered", "Was geschah")
        await People.lookIn(ada, "ja", "drill, answered", "経過")
        await people.mailTo(email, /Resolved: DRILL: Shop/)
        await ada.open("/alerts")
        await page.getByRole("heading", { name: "Alerts" }).waitFor()
        assert.strictEqual(await page.getByText("DRILL").count(), 0)
      })
    )

    it.effect("are scheduled every quarter, and taken off the schedule", () =>
      People.walk(async (bob, people) => {
        const { page } = bob
        await People.signUp(bob, "Bob", "bob.drill@example.org")
        const [{ organizationId }] = await People.call(bob, people, "GET", "/projects")
        const { user } = await People.call(bob, people, "GET", "/auth/get-session")
        await People.call(bob, people, "POST", `/organizations/${organizationId}/escalation-policies`, {
          name: "Night",
          steps: [{ afterMinutes: 0, notify: [{ userId: user.id }] }]
        })
        await bob.open("/on-call/drills")
        await page.getByRole("button", { name: "New drill" }).click()
        const dialog = page.getByRole("dialog", { name: "New drill" })
        await dialog.getByRole("button", { name: /Begin/ }).click()
        await page.getByRole("option", { name: "At a time" }).click()
        const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
        await dialog.getByLabel("Begins at").fill(`${day}T09:00`)
        await dialog.getByRole("button", { name: /Repeat/ }).click()
        await page.getByRole("option", { name: "Every quarter" }).click()
        await dialog.getByRole("button", { name: "Schedule the drill" }).click()
        await dialog.waitFor({ state: "detached" })
        const list = page.getByRole("list", { name: "Running and scheduled" })
        await list.getByText(/Scheduled · Every quarter/).waitFor()
        await bob.look("drills, scheduled")
        await list.getByRole("link", { name: /Night/ }).click()
        await page.getByRole("heading", { name: "Drill: Night" }).waitFor()
        await page.getByRole("button", { name: "Delete" }).click()
        await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
        await page.getByText("No drill yet").waitFor()
      })
    )
  })
})
