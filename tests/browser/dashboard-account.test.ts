/** The account in a real browser: verification, second factor, passkeys, a forgotten password, and the end of it. */
import { readFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { totp } from "../support/Totp.ts"
import * as People from "./People.ts"

describe.skipIf(Browser.skipped)(`an account${Browser.note}`, () => {
  layer(People.layer(), { excludeTestServices: true })((it) => {
    it.effect("is verified by mail, gets a second factor, and signs in with it", () =>
      People.walk(async (ada, people) => {
        const { look, open, page } = ada
        await People.signUp(ada, "Ada Lovelace", "ada@example.org")
        await page.getByText("Verify your address: open the link in the mail to ada@example.org.").waitFor()
        await look("unverified")
        await People.verify(ada, people, "ada@example.org")
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        await page.getByRole("complementary", { name: "Verify your address" }).waitFor({ state: "detached" })

        await open("/settings/account")
        await page.getByRole("heading", { name: "Profile" }).waitFor()
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada King")
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByRole("button", { name: /^Ada King, / }).waitFor()
        await look("account")
        await page.getByRole("button", { name: "Set up" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("textbox", { name: "Your password" }).fill("not this one")
        await dialog.getByRole("button", { name: "Continue" }).click()
        await dialog
          .getByText(/password/i)
          .last()
          .waitFor()
        await dialog.getByRole("textbox", { name: "Your password" }).fill(People.password)
        await dialog.getByRole("button", { name: "Continue" }).click()
        await dialog.getByRole("img", { name: "QR code with the secret" }).waitFor()
        await look("second factor, set up")
        const secret = await dialog.locator("code").innerText()
        const uri = `otpauth://totp/Kanmon?secret=${secret.replaceAll(" ", "")}`
        await dialog.getByRole("textbox", { name: "Code from your app" }).fill("000000")
        await dialog.getByRole("button", { name: "Switch on" }).click()
        await dialog.getByText(/code/i).last().waitFor()
        await dialog.getByRole("textbox", { name: "Code from your app" }).fill(totp(uri))
        await dialog.getByRole("button", { name: "Switch on" }).click()
        const codes = dialog.getByRole("list", { name: "Backup codes" })
        await codes.waitFor()
        await look("backup codes")
        const [backup] = await codes.getByRole("listitem").allInnerTexts()
        const saving = page.waitForEvent("download")
        await dialog.getByRole("button", { name: "Download" }).click()
        assert.include(readFileSync(await (await saving).path(), "utf8"), backup!)
        await dialog.getByRole("button", { name: "I have kept them" }).click()
        await page.getByText("A sign-in with the password also asks for a code from your app.").waitFor()

        await People.signOut(ada)
        await People.fillSignIn(ada, "ada@example.org")
        await page.getByText("Enter the code that your authenticator app shows for Kanmon.").waitFor()
        await look("second step")
        // The password alone opens nothing.
        assert.strictEqual((await page.request.get(`${people.origin}/api/v1/projects`)).status(), 401)
        await page.getByRole("button", { name: "Use a backup code" }).click()
        await page.getByRole("textbox", { name: "Backup code" }).fill(backup!)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        await people.mailTo("ada@example.org", /backup code/i)

        // The app's code works as well; that of the set-up is used up.
        await People.signOut(ada)
        await People.fillSignIn(ada, "ada@example.org")
        const code = page.getByRole("textbox", { name: "Code from your app" })
        await code.fill("000000")
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByText("The code is wrong, or was used already").waitFor()
        await code.fill(totp(uri, 1))
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
      })
    )

    it.effect("signs in with a passkey, which can be renamed and removed", () =>
      People.walk(async (ben, people) => {
        const { look, open, page } = ben
        const debug = await ben.context.newCDPSession(page)
        await debug.send("WebAuthn.enable")
        await debug.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true
          }
        })
        await People.signUp(ben, "Ben", "ben@example.org")
        await open("/settings/account")
        await page.getByRole("button", { name: "Add a passkey" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("textbox", { name: "Name" }).fill("Laptop")
        await dialog.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("list", { name: "Passkeys" }).getByText("Laptop").waitFor()
        await look("passkeys")
        await people.mailTo("ben@example.org", /passkey/i)
        // The virtual authenticator takes a suggestion of the field at once: this browser makes none, so that the button is left.
        await page.evaluate(() => {
          PublicKeyCredential.isConditionalMediationAvailable = async () => false
        })
        await People.signOut(ben)
        await look("sign-in")
        await page.getByRole("button", { name: "Sign in with a passkey" }).click()
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        // The next page is offered it in the field of the address.
        await page.context().clearCookies()
        await open("/sign-in")
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        await open("/settings/account")
        await page.getByRole("button", { name: "Rename Laptop" }).click()
        await dialog.getByRole("textbox", { name: "Name" }).fill("Old laptop")
        await dialog.getByRole("button", { name: "Save" }).click()
        await page.getByRole("button", { name: "Remove Old laptop" }).click()
        await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
        await page.getByRole("list", { name: "Passkeys" }).waitFor({ state: "detached" })
      })
    )

    it.effect("gets a new password by mail, without telling strangers who has an account", () =>
      People.walk(async (eve, people) => {
        const { look, page } = eve
        await People.signUp(eve, "Eve", "eve@example.org")
        await People.signOut(eve)
        const ask = async (email: string) => {
          // A link can have any text, which is not shown as ours.
          await eve.open("/sign-in?error=Call+0800+123456+at+once")
          await page.getByRole("heading", { name: "Sign in to Kanmon" }).waitFor()
          assert.strictEqual(await page.getByText("0800").count(), 0)
          await page.getByRole("textbox", { name: "Email" }).fill(email)
          await page.getByRole("link", { name: "Forgot your password?" }).click()
          assert.strictEqual(await page.getByRole("textbox", { name: "Email" }).inputValue(), email)
          await page.getByRole("button", { name: "Send the link" }).click()
          await page.getByText(`If there is an account with the address ${email},`).waitFor()
        }
        await ask("nobody@example.org")
        await look("forgotten")
        await ask("eve@example.org")
        const link = await people.linkTo("eve@example.org", /password/i)
        await page.goto(link)
        await page.getByRole("textbox", { name: "New password" }).fill("short")
        await page.getByRole("button", { name: "Set the password" }).click()
        await page.getByText("Use at least 8 characters.").waitFor()
        await page.getByRole("textbox", { name: "New password" }).fill("another battery staple")
        await look("new password")
        await page.getByRole("button", { name: "Set the password" }).click()
        await page.getByText("The password is changed. Sign in with it.").waitFor()
        await People.fillSignIn(eve, "eve@example.org")
        await page.getByRole("alert").waitFor()
        await People.fillSignIn(eve, "eve@example.org", "another battery staple")
        await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        await People.signOut(eve)
        // The link works once.
        await page.goto(link)
        await page.getByRole("textbox", { name: "New password" }).fill("a third one, by a thief")
        await page.getByRole("button", { name: "Set the password" }).click()
        await page.getByRole("alert").waitFor()
      })
    )

    it.effect("is exported and deleted, with the organization that has nobody else", () =>
      People.walk(async (fay, people) => {
        const { look, open, page } = fay
        await People.signUp(fay, "Fay", "fay@example.org")
        await open("/settings/account")
        const saving = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download my data" }).click()
        const data: unknown = JSON.parse(readFileSync(await (await saving).path(), "utf8"))
        assert.include(JSON.stringify(data), "fay@example.org")
        await page.getByRole("button", { name: "Delete the account" }).click()
        const dialog = page.getByRole("alertdialog")
        await dialog.getByText(/^The organization .* is deleted with its projects/).waitFor()
        await dialog.getByRole("textbox", { name: "Type your e-mail address to confirm" }).fill("fay@example.org")
        await dialog.getByRole("textbox", { name: "Your password" }).fill("not this one")
        await dialog.getByRole("button", { name: "Delete the account" }).click()
        await dialog
          .getByText(/password/i)
          .last()
          .waitFor()
        await look("delete account")
        await dialog.getByRole("textbox", { name: "Your password" }).fill(People.password)
        await dialog.getByRole("button", { name: "Delete the account" }).click()
        await page.getByRole("heading", { name: "Sign in to Kanmon" }).waitFor()
        await People.fillSignIn(fay, "fay@example.org")
        await page.getByRole("alert").waitFor()
        await people.mailTo("fay@example.org", /deleted/i)
      })
    )
  })
})
