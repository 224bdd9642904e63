/** Whoever runs an installation and the accounts and organizations in it, each in a browser of their own. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Browser from "../support/Browser.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as People from "./People.ts"

describe.skipIf(Browser.skipped)(`the operator of an installation${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("disables and enables accounts and organizations, and acts as somebody for a while", () =>
      People.walkTogether(async (ada, ben, people) => {
        const { page } = ada
        // The first account is an administrator from the beginning.
        await Effect.runPromise(people.product.signUp)
        await People.signUp(ada, "Ada", "ada@example.org")
        await ada.open("/settings/installation")
        await page.getByText("@kanmon/notify-slack").waitFor()
        assert.strictEqual(await page.getByRole("heading", { name: "Accounts" }).count(), 0)
        const { code, output } = await Effect.runPromise(
          kanmon(["admin", "grant", "ada@example.org"], people.product.settings)
        )
        assert.strictEqual(code, 0, output)
        await People.signUp(ben, "Ben", "ben@example.org")
        for (const name of ["Ben's shop", "Café „Übermorgen“ & Söhne Betriebsgesellschaft mbH"])
          await People.call(ben, people, "POST", "/organizations", { name })
        await page.reload()

        const accounts = page.getByRole("list", { name: "Accounts", exact: true })
        await accounts.getByText("ben@example.org").waitFor()
        await ada.look("installation")
        await People.lookIn(ada, "de", "installation", "ben@example.org")
        await People.lookIn(ada, "ja", "installation", "ben@example.org")
        await page.getByRole("searchbox", { name: "Search by name or address" }).fill("nobody like this")
        await page.getByText("Nothing matches").waitFor()
        await page.getByRole("searchbox", { name: "Search by name or address" }).fill("ben@")
        await accounts.getByRole("button", { name: "Disable Ben" }).click()
        await ada.look("disable an account")
        await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click()
        await accounts.getByText("Disabled").waitFor()

        // His open page asks him to sign in, which says why he cannot.
        const ended = ben.page.getByRole("dialog", { name: "Your session has ended" })
        await ended.getByRole("textbox", { name: "Password" }).fill(People.password)
        await ended.getByRole("button", { name: "Sign in", exact: true }).click()
        await ended.getByText(/disabled/i).waitFor()
        await ben.look("account disabled")
        await accounts.getByRole("button", { name: "Enable Ben" }).click()
        await accounts.getByText("Disabled").waitFor({ state: "detached" })
        await ended.getByRole("button", { name: "Sign in", exact: true }).click()
        await ended.waitFor({ state: "detached" })

        const organizations = page.getByRole("list", { name: "Organizations", exact: true })
        const searchOwner = page.getByRole("searchbox", { name: "Search by name or owner" })
        for (const name of ["Ben", "Ben's shop", "Café „Übermorgen“ & Söhne Betriebsgesellschaft mbH"]) {
          await searchOwner.fill(name)
          await organizations.getByRole("button", { name: `Disable ${name}`, exact: true }).click()
          await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click()
          await organizations.getByRole("button", { name: `Enable ${name}`, exact: true }).waitFor()
        }
        await ben.page.reload()
        await ben.page
          .getByText(/disabled/i)
          .first()
          .waitFor()
        await ben.look("organization disabled")
        for (const name of ["Ben", "Ben's shop", "Café „Übermorgen“ & Söhne Betriebsgesellschaft mbH"]) {
          await searchOwner.fill(name)
          await organizations.getByRole("button", { name: `Enable ${name}`, exact: true }).click()
          await organizations.getByRole("button", { name: `Disable ${name}`, exact: true }).waitFor()
        }
        await ben.page.reload()
        await ben.page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()

        await page.getByRole("button", { name: "Act as Ben" }).click()
        await ada.look("act as somebody")
        await page.getByRole("alertdialog").getByRole("button", { name: "Act as Ben" }).click()
        const banner = page.getByRole("complementary", { name: "Acting as somebody else" })
        await banner.getByText("You act as Ben (ben@example.org). Your actions are recorded.").waitFor()
        await page.getByRole("button", { name: /^Ben, / }).waitFor()
        await ada.look("acting as somebody")
        await People.lookIn(ada, "de", "acting as somebody", "ben@example.org")
        await ada.open("/settings/members")
        await page.getByRole("list", { name: "Members" }).waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Invite people" }).count(), 0)
        await banner.getByRole("button", { name: "Stop" }).click()
        await page.waitForURL(/settings\/installation/)
        await page.getByRole("button", { name: /^Ada, / }).waitFor()
        await banner.waitFor({ state: "detached" })
        await ben.open("/settings/audit?scope=account")
        await ben.page.getByText("Administrator began to act as the account").waitFor()
        await ben.page.getByText("Administrator stopped acting as the account").waitFor()
      })
    )
  })
})
