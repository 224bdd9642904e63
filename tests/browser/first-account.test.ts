/** The first minutes of a new installation: who opens it makes the first account, which is its administrator's. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { password } from "./Account.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"
import { settled } from "./Visitor.ts"

/** A new installation with a public address, as others than its own machine open it. */
class Public extends Context.Service<Public, Product.Product>()("@kanmon/tests/browser/Public") {
  static readonly layer = Layer.effect(
    Public,
    Effect.tap(Product.make({ withoutNats: true, host: Browser.lanName }), ({ healthy }) => healthy)
  ).pipe(Layer.merge(Browser.Browser.layer))
}

const beginning = (page: Page) => page.getByRole("heading", { level: 1, name: "Set up Kanmon" }).waitFor()

const fill = async (page: Page, email: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Your name" }).fill("Ada")
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
}

const offers = (page: Page, role: "button" | "link" | "textbox", name: string | RegExp) =>
  page.getByRole(role, { name }).count()

const isAdministrator = async (page: Page, origin: string): Promise<boolean> => {
  await page.goto(`${origin}/settings/installation`)
  await page.getByRole("heading", { name: "All parts work" }).waitFor()
  await settled(page)
  return (await page.getByRole("heading", { name: "Regions and probes" }).count()) > 0
}

describe.skipIf(Browser.skipped)(`a new installation${Browser.note}`, () => {
  layer(Installation.layer(), { excludeTestServices: true })((it) => {
    it.effect("leads to its first account and what it can watch, and others to the sign-in after that", () =>
      Effect.flatMap(Installation, ({ origin }) =>
        Browser.visit({}, async (context) => {
          const page = await context.newPage()
          for (const address of ["/", "/sign-in", "/monitors?status=down"]) {
            await page.goto(`${origin}${address}`)
            await beginning(page)
          }
          // It returns to the address that was asked for.
          assert.include(page.url(), "to=")
          await page.goto(`${origin}/`)
          await page.getByText("which you create now, is its administrator's", { exact: false }).waitFor()
          assert.strictEqual(await offers(page, "textbox", "Setup code"), 0)
          assert.strictEqual(await offers(page, "button", /sign-on|passkey/i), 0)
          assert.strictEqual(await offers(page, "link", "Sign in"), 0)
          await look(page, "first account")
          await fill(page, "ada@example.org")
          await page.getByRole("button", { name: "Create account" }).click()
          await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
          // Without mail there is no link that could be opened.
          await settled(page)
          assert.strictEqual(await page.getByRole("complementary", { name: "Verify your address" }).count(), 0)
          assert.strictEqual(await page.getByText(/verify your address/i).count(), 0)
          await look(page, "first account, done")

          await page.goto(`${origin}/settings/billing`)
          await page.getByText("This installation sells no plans.").waitFor()
          assert.strictEqual(await offers(page, "button", /^Choose/), 0)
          assert.isTrue(await isAdministrator(page, origin))

          await page.getByRole("button", { name: /Account and appearance/ }).click()
          await page.getByRole("menuitem", { name: "Sign out" }).click()
          await page.getByRole("heading", { level: 1, name: "Sign in to Kanmon" }).waitFor()
          assert.strictEqual(await offers(page, "button", "Single sign-on"), 0)
          await look(page, "sign in after the first account")
          await page.getByRole("link", { name: "Create an account" }).click()
          await page.getByRole("heading", { level: 1, name: "Create an account" }).waitFor()
        })
      )
    )
  })

  layer(Public.layer, { excludeTestServices: true })((it) => {
    it.effect("asks others than its own machine for the setup code that the server prints", () =>
      Effect.flatMap(Public, (product) =>
        Browser.visit({}, async (context) => {
          const origin = product.settings["KANMON_BASE_URL"]!
          const page = await context.newPage()
          await page.goto(`${origin}/`)
          await beginning(page)
          const code = page.getByRole("textbox", { name: /^Setup code/ })
          await look(page, "first account with a code")
          await fill(page, "ada@example.org")
          await code.fill("aaaa-aaaa-aaaa")
          await page.getByRole("button", { name: "Create account" }).click()
          await page.getByText("Expected the setup code that the server prints when it starts").waitFor()
          await look(page, "first account with a wrong code")
          const [, printed = ""] = /setup code ([\w-]+)/.exec(product.output()) ?? []
          await code.fill(printed.toUpperCase())
          await page.getByRole("button", { name: "Create account" }).click()
          await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
          assert.isTrue(await isAdministrator(page, origin))
        })
      )
    )
  })
})
