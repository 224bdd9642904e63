/** What gives lasting access asks who holds the session, in place, and goes on with what was begun. */
import { assert, describe, layer } from "@effect/vitest"
import * as Browser from "../support/Browser.ts"
import { password } from "./Account.ts"
import { installation, visit } from "./Visitor.ts"

const words = {
  "en-GB": { title: "Confirm that it is you", password: "Your password", go: "Continue", cancel: "Cancel" },
  "de-DE": { title: "Bestätigen Sie, dass Sie es sind", password: "Ihr Passwort", go: "Weiter", cancel: "Abbrechen" }
} as const

/** What the server answers to a session that was opened a while ago. */
const refusal = {
  type: "urn:kanmon:problem:proof_required",
  title: "Proof required",
  status: 403,
  code: "proof_required",
  detail: "This gives lasting access",
  requestId: "1"
}

describe.skipIf(Browser.skipped)(`a session that was opened a while ago${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    for (const locale of ["en-GB", "de-DE"] as const)
      it.effect(`is asked for the password, and goes on where it was (${locale})`, () =>
        visit(
          `proof-${locale.slice(0, 2)}`,
          async ({ origin, page }) => {
            const word = words[locale]
            let asked = 0
            await page.route("**/api/v1/auth/change-email", async (route) => {
              asked += 1
              if (asked % 2 === 1)
                await route.fulfill({ status: 403, contentType: "application/problem+json", json: refusal })
              else await route.continue()
            })
            await page.goto(`${origin}/settings/account`)
            const change = page.getByRole("button", { name: /Change the address|Adresse ändern/ })
            await change.click()
            const form = page.getByRole("dialog")
            await form.getByRole("textbox").fill(`moved-${locale.slice(0, 2)}@example.org`)
            await form.getByRole("button", { name: /Send the link|Link senden/ }).click()
            const question = page.getByRole("dialog", { name: word.title })
            await question.waitFor()
            await question.getByRole("textbox", { name: word.password }).fill("not this one")
            await question.getByRole("button", { name: word.go }).click()
            await question
              .getByText(/wrong|falsch/i)
              .first()
              .waitFor()
            await question.getByRole("textbox", { name: word.password }).fill(password)
            const proven = page.waitForResponse(/\/auth\/prove$/)
            await question.getByRole("button", { name: word.go }).click()
            assert.strictEqual((await proven).status(), 200)
            await question.waitFor({ state: "detached" })
            await page.getByText(`moved-${locale.slice(0, 2)}@example.org`).waitFor()
            assert.strictEqual(asked, 2)

            // Whoever would rather not is told why nothing happened.
            await change.click()
            await page.getByRole("dialog").getByRole("textbox").fill("again@example.org")
            await page
              .getByRole("dialog")
              .getByRole("button", { name: /Send the link|Link senden/ })
              .click()
            await question.waitFor()
            await question.getByRole("button", { name: word.cancel }).click()
            await question.waitFor({ state: "detached" })
            await page.getByText("This gives lasting access").waitFor()
            assert.strictEqual(asked, 3)
          },
          { locale }
        )
      )
  })
})
