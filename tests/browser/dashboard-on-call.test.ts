/** Being on call, as people set it up in the dashboard: how they are reached, and who is on call when. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { layerOf } from "../support/OnCallBodies.ts"
import * as People from "./People.ts"

describe.skipIf(Browser.skipped)(`being on call${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("adds a contact method, confirms it by its code, tests it, and uses it for critical alerts", () =>
      People.walk(async (ada, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada", "ada@example.org")
        await ada.open("/settings/notifications")
        await page.getByText("Critical alerts do not reach you: no method for them is confirmed.").waitFor()
        await page.getByText("The address is not verified").waitFor()
        await ada.look("notifications, unreachable")
        await People.verify(ada, people, "ada@example.org")
        await ada.open("/settings/notifications")
        await page.getByText(/^Critical alerts reach you by email alone/).waitFor()

        await page.getByRole("button", { name: "Add a method" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: /By$/ }).click()
        await page.getByRole("option", { name: /^Email/ }).click()
        await ada.look("contact method")
        await dialog.getByRole("button", { name: "Add and send a code" }).click()
        await dialog
          .getByText(/Expected|required|Missing/i)
          .first()
          .waitFor()
        await dialog.getByRole("textbox", { name: /^Address/ }).fill("pager@example.org")
        await dialog.getByRole("textbox", { name: "Name" }).fill("Pager")
        await dialog.getByRole("button", { name: "Add and send a code" }).click()
        const methods = page.getByRole("list", { name: "Contact methods" })
        await methods.getByText("Waits for its code").waitFor()
        await ada.look("notifications, unconfirmed")

        const code = /\b\d{6}\b/.exec(await people.mailTo("pager@example.org", /./))![0]
        const field = methods.getByRole("textbox", { name: "Code for Pager" })
        await field.fill(code === "000000" ? "000001" : "000000")
        await field.press("Enter")
        await methods.getByText(/^The code is wrong; [0-9]+ tries are left/).waitFor()
        await field.fill(code)
        await field.press("Enter")
        await field.waitFor({ state: "detached" })
        await methods.getByRole("button", { name: "Send a test to Pager" }).click()
        await page.getByText(/^Pager got the test/).waitFor()

        await page.getByRole("button", { name: "Change the rules for Critical" }).click()
        await dialog.getByRole("button", { name: "Then also" }).click()
        await dialog
          .getByText("You are notified at once by Email of the account and after 5 minutes by Pager.")
          .waitFor()
        await ada.look("notification rules")
        await dialog.getByRole("button", { name: "Save" }).click()
        await dialog.waitFor({ state: "detached" })
        const rules = page.getByRole("list", { name: "When you are paged" })
        await rules.getByText(/after 5 minutes by Pager/).waitFor()
        // A method that rules name stays, and says why.
        await methods.getByRole("button", { name: "More about Pager" }).click()
        await page.getByRole("menuitem", { name: "Delete" }).click()
        const question = page.getByRole("alertdialog")
        await question.getByRole("button", { name: "Delete" }).click()
        await question.getByRole("alert").waitFor()
        await question.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("button", { name: "Change the rules for Critical" }).click()
        await dialog.getByRole("button", { name: "Remove entry 2" }).click()
        await dialog.getByRole("button", { name: "Save" }).click()
        await rules.getByText(/by Pager/).waitFor({ state: "detached" })
        await methods.getByRole("button", { name: "More about Pager" }).click()
        await page.getByRole("menuitem", { name: "Delete" }).click()
        await question.getByRole("button", { name: "Delete" }).click()
        await methods.getByRole("button", { name: "More about Pager" }).waitFor({ state: "detached" })
        assert.strictEqual(await methods.getByRole("listitem").count(), 1)
      })
    )

    it.effect("makes a schedule by hand, takes a shift over by keyboard, and shows it to the other person", () =>
      People.walkTogether(async (ada, ben, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada Lovelace", "ada.l@example.org")
        await People.verify(ada, people, "ada.l@example.org")
        await People.join(ada, ben, people, { name: "Ben Okafor", email: "ben.o@example.org", role: "responder" })

        await ada.open("/on-call")
        await page.getByRole("heading", { name: "There is no schedule yet" }).waitFor()
        await ada.look("on-call, empty")
        await page.getByRole("link", { name: "New schedule" }).click()
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Shop")
        const layer = page.getByRole("region", { name: "Layer Primary" })
        await layer.getByRole("button", { name: /Add a person/ }).click()
        await page.getByRole("option", { name: "Ben Okafor" }).click()
        await layer.getByRole("button", { name: "Move Ben Okafor up" }).click()
        await layer.getByText("Only in some hours of the week").click()
        const preview = page.getByRole("region", { name: "Preview" })
        await preview
          .getByText(/^No one is on call/)
          .first()
          .waitFor()
        await ada.look("schedule form")
        await layer.getByText("Only in some hours of the week").click()
        await preview.getByText("Somebody is on call at all these times.").waitFor()
        await page.getByRole("button", { name: "Create the schedule" }).click()
        await page.getByRole("heading", { name: "Shop" }).waitFor()
        const shifts = page.getByRole("list", { name: "Shifts" })
        await shifts.getByText("Ben Okafor").first().waitFor()
        await page.getByText(/take turns of 1 week\. Handoff on Monday at 09:00\./).waitFor()
        await ada.look("schedule")

        // Two presses, without a pointer.
        await page.getByRole("button", { name: "I take over Shop" }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("menuitem", { name: "For 2 hours" }).waitFor()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await page.getByText(/^You are on call in Shop until/).waitFor()
        await page.getByRole("button", { name: "Close" }).click()
        await shifts.getByText(/now · Override/).waitFor()
        await ben.open("/on-call")
        await ben.page.getByRole("list", { name: "On call now" }).getByText("Ada Lovelace").waitFor()
        // What a responder may not do is not offered.
        assert.strictEqual(await ben.page.getByRole("link", { name: "New schedule" }).count(), 0)
        await ben.look("on-call")
        await ben.page.getByRole("link", { name: "Shop" }).click()
        await ben.page.getByRole("list", { name: "Shifts" }).waitFor()
        assert.strictEqual(await ben.page.getByRole("link", { name: "Edit" }).count(), 0)
        assert.strictEqual(await ben.page.getByRole("button", { name: "Delete", exact: true }).count(), 0)

        // A shift is given to somebody else, by keyboard.
        await shifts
          .getByRole("button", { name: /^Change the shift of Ben Okafor/ })
          .last()
          .focus()
        await page.keyboard.press("Enter")
        const dialog = page.getByRole("dialog", { name: "Override" })
        await dialog
          .getByRole("button", { name: /On call instead/ })
          .getByText("You")
          .waitFor()
        await ada.look("override")
        await dialog
          .getByRole("textbox", { name: /^To/ })
          .or(dialog.getByLabel("To", { exact: true }))
          .focus()
        await page.keyboard.press("Enter")
        await dialog.waitFor({ state: "detached" })
        const overrides = page.getByRole("list", { name: "Overrides" })
        await overrides.getByText("Ada Lovelace instead of Ben Okafor").waitFor()
        await overrides.getByRole("button", { name: "Delete: Ada Lovelace instead of Ben Okafor" }).click()
        await overrides.getByText("Ada Lovelace instead of Ben Okafor").waitFor({ state: "detached" })

        await page.getByRole("link", { name: "Show the month" }).click()
        await page.waitForURL(/view=month/)
        await page.getByRole("link", { name: "Show two weeks" }).waitFor()
        await ada.look("schedule, month")
        await page.getByRole("button", { name: "Make an address" }).click()
        await page.getByText(/\/calendars\/\S+\.ics/).waitFor()

        await page.getByRole("link", { name: "Edit" }).click()
        await page.getByRole("region", { name: "Layer Primary" }).waitFor()
        await page.getByRole("button", { name: "Add a layer" }).click()
        const nights = page.getByRole("region", { name: "Layer Layer 2" })
        await nights.getByRole("button", { name: /Add a person/ }).click()
        await page.getByRole("option", { name: "Ada Lovelace" }).click()
        await page.getByText(/^Shifts of the next 90 days move for:/).waitFor()
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByText("Ada Lovelace alone.").waitFor()

        // A policy, read as sentences, and what it would do.
        await ada.open("/on-call")
        await page.getByRole("link", { name: "New policy" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Shop is down")
        const step = (number: number) => page.getByRole("region", { name: `Step ${number}` })
        const tell = async (number: number, target: string) => {
          await step(number)
            .getByRole("button", { name: /Add a target/ })
            .click()
          await page.getByRole("option", { name: target }).click()
        }
        await tell(1, "On call in Shop")
        await page.getByRole("button", { name: "Add a step" }).click()
        await tell(2, "Ada Lovelace")
        await page.getByRole("list", { name: "In words" }).getByText("the person on call in Shop").waitFor()
        await ada.look("policy form")
        await page.getByRole("button", { name: "Create the policy" }).click()
        await page.getByRole("heading", { name: "Shop is down" }).waitFor()
        const steps = page.getByRole("list", { name: "Steps" })
        assert.match((await steps.getByRole("listitem").nth(1).textContent()) ?? "", /10 minutes later.*Ada Lovelace/)
        const course = page.getByRole("list", { name: "What would happen" })
        await course.getByText("After 10 minutes").waitFor()
        await course.getByText("round 2, step 1").waitFor()
        await page.getByText(/^No alert rule uses it yet/).waitFor()
        await ada.look("policy")
        await ben.open("/on-call")
        await ben.page.getByRole("list", { name: "Escalation policies" }).getByText("Shop is down").click()
        await ben.page.getByRole("list", { name: "What would happen" }).waitFor()
        assert.strictEqual(await ben.page.getByRole("link", { name: "Edit" }).count(), 0)

        // Deleted after a question, each on its page.
        const remove = async (name: string) => {
          await page.getByRole("heading", { name, exact: true }).waitFor()
          await page.getByRole("button", { name: "Delete", exact: true }).click()
          const question = page.getByRole("alertdialog", { name: `Delete ${name}?` })
          await question.getByRole("button", { name: "Delete" }).click()
          await page.getByRole("heading", { name: "On-call", exact: true }).waitFor()
        }
        await remove("Shop is down")
        await page.getByText(/^No policy yet/).waitFor()
        await page.getByRole("link", { name: "Shop", exact: true }).click()
        await remove("Shop")
        await page.getByRole("heading", { name: "There is no schedule yet" }).waitFor()
      })
    )

    it.effect("escalates an alert at once, pages somebody else, and says so in its timeline", () =>
      People.walkTogether(async (ada, ben, people) => {
        const { page } = ada
        await People.signUp(ada, "Ada Lovelace", "ada.a@example.org")
        await People.verify(ada, people, "ada.a@example.org")
        await People.join(ada, ben, people, { name: "Ben Okafor", email: "ben.a@example.org", role: "responder" })
        const [{ id: projectId, organizationId }] = await People.call(ada, people, "GET", "/projects")
        const { user } = await People.call(ada, people, "GET", "/auth/get-session")
        const organization = `/organizations/${organizationId}`
        const schedule = await People.call(ada, people, "POST", `${organization}/schedules`, {
          name: "Shop",
          timezone: "UTC",
          layers: [layerOf("Primary", [user.id])]
        })
        await People.call(ada, people, "POST", `${organization}/escalation-policies`, {
          name: "Shop is down",
          steps: [
            { afterMinutes: 0, notify: [{ scheduleId: schedule.id }] },
            { afterMinutes: 10, notify: [{ userId: user.id }] }
          ]
        })
        const made = await ada.context.request.post(`${people.origin}/api/v1/monitors`, {
          headers: { origin: people.origin, "kanmon-project": projectId },
          data: { name: "Nightly backup", type: "heartbeat", interval: 86_400 }
        })
        const job = await made.json()

        await ada.open("/rules/new")
        await page.getByRole("textbox", { name: "Name" }).fill("Backup fails")
        await page.getByRole("button", { name: /Escalation policy/ }).click()
        await page.getByRole("option", { name: "Shop is down" }).click()
        await page.getByText(/escalate by Shop is down\.$/).waitFor()
        await page.getByRole("button", { name: "Create rule" }).click()
        await page.getByText(/escalate by Shop is down\.$/).waitFor()
        for (const signal of ["", "/fail", "/fail"]) await ada.context.request.get(`${job.heartbeatUrl}${signal}`)

        await ada.open("/")
        await page.getByRole("list", { name: "On call now" }).getByText("You").waitFor()
        await page
          .getByRole("link", { name: /Nightly backup/ })
          .first()
          .waitFor()
        await ada.look("home, on call")
        await ada.open("/alerts")
        await page.getByRole("listitem").getByRole("link").filter({ hasText: "Nightly backup" }).first().click()
        const timeline = page.getByText("Step 1 begins")
        await timeline.waitFor()
        await page.getByText(/^Step 2 follows at/).waitFor()
        await page.getByRole("button", { name: "Escalate now" }).click()
        await page.getByText("Escalated by Ada Lovelace").waitFor()
        await page.getByText("Step 2 begins").waitFor()
        await page.getByRole("button", { name: "Add somebody" }).click()
        const asking = page.getByRole("dialog", { name: "Add somebody" })
        await asking.getByRole("button", { name: /Whom/ }).click()
        await page.getByRole("option", { name: "Ben Okafor" }).click()
        await ada.look("ask somebody")
        await asking.getByRole("button", { name: "Page them" }).click()
        await page.getByText("1 person is paged.").waitFor()
        await page.getByText("Ada Lovelace asked for Ben Okafor").waitFor()
        await page
          .getByText(/^Page to Ben Okafor by Email/)
          .first()
          .waitFor()
        await page.getByRole("button", { name: "Acknowledge", exact: true }).click()
        await page.getByText("Acknowledged by Ada Lovelace").first().waitFor()
        await ada.look("alert, escalated")

        // The palette opens the form with which the reader takes over.
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Search and commands" }).fill("take over")
        await page.getByRole("option", { name: /I take over Shop/ }).waitFor()
        await page.keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Override" }).waitFor()
      })
    )
  })
})
