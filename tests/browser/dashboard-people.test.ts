/** People who work together, each in a browser of their own: invited by mail, with roles that decide what they see, and removed. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import * as People from "./People.ts"

describe.skipIf(Browser.skipped)(`the people of an organization${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("are invited by mail, see what their role allows, and lose access at once", () =>
      People.walkTogether(async (ada, ben, people) => {
        await People.signUp(ada, "Ada", "ada@example.org")
        await People.verify(ada, people, "ada@example.org")
        await ada.open("/settings/members")
        await ada.page.getByRole("button", { name: "Invite people" }).click()
        const dialog = ada.page.getByRole("dialog")
        await dialog.getByRole("textbox", { name: "E-mail addresses" }).fill("Ben <ben@example.net>, carl@example.net")
        await dialog.getByRole("button", { name: /Role/ }).click()
        await ada.page.getByRole("option", { name: /^Editor/ }).click()
        await ada.look("invite")
        await dialog.getByRole("button", { name: "Invite 2 people" }).click()
        const pending = ada.page.getByRole("list", { name: "Invitations" })
        await pending.getByText("carl@example.net").waitFor()
        await ada.look("members")
        await ada.page.getByRole("button", { name: "Revoke the invitation of carl@example.net" }).click()
        await ada.page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click()
        await pending.getByText("carl@example.net").waitFor({ state: "detached" })
        await ben.page.goto(await people.linkTo("carl@example.net", /invit/i))
        await ben.page.getByText(/^This invitation is not valid/).waitFor()

        const link = await people.linkTo("ben@example.net", /invit/i)
        // Somebody else is signed in where the link is opened.
        await ada.page.goto(link)
        await ada.page
          .getByText("You are signed in as ada@example.org, but the invitation is for ben@example.net.")
          .waitFor()
        await ada.look("invitation, wrong account")
        await ben.page.goto(link)
        await ben.page.getByText(/invites you to the organization/).waitFor()
        await ben.page.getByText("Can edit monitors, channels, rules and status pages").waitFor()
        await ben.look("invitation")
        await ben.page.getByRole("textbox", { name: "Your name" }).fill("Ben")
        await ben.page.getByRole("textbox", { name: "Password" }).fill(People.password)
        await ben.page.getByRole("button", { name: "Create account" }).click()
        await ben.page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        await ben.open("/incidents")
        await ben.page.getByRole("link", { name: "New incident" }).waitFor()

        await ada.open("/settings/members")
        await ada.page.getByRole("button", { name: /Role of Ben/ }).click()
        await ada.page.getByRole("option", { name: /^Viewer/ }).click()
        await ada.page.getByText("Can see everything but secrets; cannot act").waitFor()
        await ben.page.getByRole("link", { name: "New incident" }).waitFor({ state: "detached" })
        await ben.open("/incidents/new")
        await ben.page.getByRole("heading", { name: "Your role does not allow this" }).waitFor()
        await ben.look("not allowed")
        await ben.open("/settings")
        await ben.page.getByRole("heading", { name: "Project" }).waitFor()
        assert.strictEqual(await ben.page.getByRole("heading", { name: "API keys" }).count(), 0)
        assert.strictEqual(await ben.page.getByRole("link", { name: "Audit log" }).count(), 0)

        await ada.page.getByRole("button", { name: "Remove Ben" }).click()
        await ada.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
        await ada.page.getByRole("button", { name: "Remove Ben" }).waitFor({ state: "detached" })
        await ben.page.getByRole("heading", { name: "You belong to no organization" }).waitFor()
        await ben.look("no organization")
        await ben.page.getByRole("textbox", { name: "Name" }).fill("Ben's own")
        await ben.page.getByRole("button", { name: "Create the organization" }).click()
        await ben.page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
      })
    )
  })
})
