/** The dashboard and a status page of an installation below a path of its host, where nothing may be asked for outside it. */
import { assert, describe, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Context, Effect, Layer } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { password, signUp } from "./Account.ts"
import { addressOf, createEverything, everyPage } from "./EveryPage.ts"
import { unhurried } from "./Installation.ts"
import { look } from "./Look.ts"
import { policyFaults, settled, view } from "./Visitor.ts"

const path = "/team/kanmon"

class Below extends Context.Service<Below, { readonly home: string; readonly product: Product.Product }>()(
  "@kanmon/tests/browser/Below"
) {
  static readonly layer = Layer.effect(
    Below,
    Effect.gen(function* () {
      const product = yield* Product.make({ withoutNats: true, below: path, env: unhurried })
      yield* product.healthy
      return Below.of({ product, home: product.settings["KANMON_BASE_URL"]! })
    })
  ).pipe(Layer.merge(Browser.Browser.layer))
}

/** Requests to the host outside the path, and answers that say that there is nothing. */
const watch = (context: BrowserContext, home: string, faults: Array<string>): void => {
  const { origin } = new URL(home)
  const isOutside = (address: string): boolean =>
    address.startsWith(`${origin}/`) && address !== home && !address.startsWith(`${home}/`)
  context.on("request", (request) => {
    if (isOutside(request.url())) faults.push(`asked for ${request.url()}`)
  })
  context.on("response", (response) => {
    const kind = response.request().resourceType()
    if (response.status() === 404 && kind !== "fetch") faults.push(`404 for ${response.url()}`)
  })
}

/** The links and forms of a page that lead out of the installation, though they stay on its host. */
const strays = (page: Page, home: string): Promise<ReadonlyArray<string>> =>
  page.evaluate((home) => {
    const { origin } = new URL(home)
    return [...document.querySelectorAll<HTMLElement>("[href], [src], [action]")]
      .flatMap((each) => ["href", "src", "action"].map((name) => each.getAttribute(name)))
      .filter((address) => address !== null)
      .map((address) => new URL(address, document.baseURI).href)
      .filter((address) => address.startsWith(origin) && address !== home && !address.startsWith(`${home}/`))
  }, home)

const outOf = (page: Page) => page.getByRole("heading", { level: 1, name: "Sign in to Kanmon" })

const signIn = async (page: Page, email: string, secret: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(secret)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

describe.skipIf(Browser.skipped)(`an installation below a path${Browser.note}`, () => {
  layer(Below.layer, { excludeTestServices: true })((it) => {
    it.effect("leads from its first account through signing out and in, and a forgotten password", () =>
      Effect.flatMap(Below, ({ home, product }) =>
        Browser.visit(view, async (context, faults) => {
          policyFaults(context, faults)
          watch(context, home, faults)
          const page = await context.newPage()
          await page.goto(`${home}/monitors?status=down`)
          await page.getByRole("heading", { level: 1, name: "Set up Kanmon" }).waitFor()
          assert.include(page.url(), `${home}/sign-up?to=`)
          await look(page, "below a path, first account")
          await page.getByRole("textbox", { name: "Your name" }).fill("Ada")
          await page.getByRole("textbox", { name: "Email" }).fill("ada@example.org")
          await page.getByRole("textbox", { name: "Password" }).fill(password)
          await page.getByRole("button", { name: "Create account" }).click()
          await page.waitForURL(`${home}/monitors?status=down`)
          await page.goto(home)
          await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()

          const cookies = await context.cookies(`${home}/`)
          assert.isNotEmpty(cookies)
          for (const { name, path: of } of cookies) assert.strictEqual(of, path, name)

          await page.getByRole("button", { name: /Account and appearance/ }).click()
          await page.getByRole("menuitem", { name: "Sign out" }).click()
          await outOf(page).waitFor()
          assert.isTrue(page.url().startsWith(`${home}/sign-in`), page.url())
          await page.goto(`${home}/settings/account`)
          await outOf(page).waitFor()
          await signIn(page, "ada@example.org", password)
          await page.waitForURL(`${home}/settings/account`)

          // Without a mail server the mail is printed.
          await context.clearCookies()
          await page.goto(`${home}/forgot-password`)
          await page.getByRole("textbox", { name: "Email" }).fill("ada@example.org")
          await page.getByRole("button", { name: "Send the link" }).click()
          const link = await Effect.runPromise(
            eventually(
              Effect.suspend(() => {
                const found = /https?:\/\/\S+\/reset-password\?token=\S+/.exec(product.output())?.[0]
                return found === undefined ? Effect.fail("not printed yet") : Effect.succeed(found)
              })
            )
          )
          assert.isTrue(link.startsWith(`${home}/`), link)
          await page.goto(link)
          await page.getByRole("textbox", { name: "New password" }).fill("another horse battery")
          await page.getByRole("button", { name: "Set the password" }).click()
          await outOf(page).waitFor()
          await signIn(page, "ada@example.org", "another horse battery")
          await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
        })
      )
    )

    it.effect("opens every page by its address, and its links stay below the path", () =>
      Effect.flatMap(Below, ({ home, product }) =>
        Browser.visit(view, async (context, faults) => {
          policyFaults(context, faults)
          const email = "grace@example.org"
          const { call } = await signUp(context, home, { name: "Grace", email })
          const page = await context.newPage()
          const ids = await createEverything({ origin: home, product, context, email, page, call }, ["Shop"])
          watch(context, home, faults)
          for (const address of Object.values(everyPage).flat()) {
            await page.goto(`${home}${addressOf(address, ids)}`)
            await settled(page)
            const failure = page.getByRole("heading", { name: "This page could not be shown" })
            assert.strictEqual(await failure.count(), 0, `${address}: ${await page.locator("body").innerText()}`)
            assert.isTrue(page.url().startsWith(`${home}/`), `${address}: ${page.url()}`)
            assert.deepStrictEqual(await strays(page, home), [], address)
          }
          await page.goto(`${home}/monitors`)
          await page.getByRole("link", { name: "Shop" }).first().waitFor()
          await look(page, "below a path, monitors")
          // Within the dashboard, without loading it again.
          await page.getByRole("link", { name: "Shop" }).first().click()
          await page.waitForURL((url) => url.pathname.startsWith(`${path}/monitors/mon_`))
          await page.goto(`${home}/status-pages`)
          await settled(page)
          const [shown] = await Promise.all([
            context.waitForEvent("page"),
            page.locator(`a[href$="/status/every-0"]`).first().click()
          ])
          await shown.waitForLoadState()
          assert.strictEqual(shown.url(), `${home}/status/every-0`)
          await shown.locator("#state").waitFor()
          assert.deepStrictEqual(await strays(shown, home), [])
          await look(shown, "below a path, status page")
        })
      )
    )
  })
})
