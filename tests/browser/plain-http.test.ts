/**
 * The dashboard as most people meet it first: over plain HTTP, by a name of the local network. There browsers leave out what
 * they keep for HTTPS and localhost, such as the clipboard, and every page has to do without.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { password, signUpInPage } from "./Account.ts"
import { copyAll, pasted } from "./Copying.ts"
import { addressOf, createEverything, everyPage, type Ids } from "./EveryPage.ts"
import { unhurried } from "./Installation.ts"
import { look } from "./Look.ts"
import { consoleFaults, settled, view, type Visitor } from "./Visitor.ts"

class Lan extends Context.Service<Lan, { readonly origin: string; readonly product: Product.Product }>()(
  "@kanmon/tests/browser/Lan"
) {
  static readonly layer = Layer.effect(
    Lan,
    Effect.gen(function* () {
      const product = yield* Product.make({
        withoutNats: true,
        host: Browser.lanName,
        env: unhurried
      })
      yield* product.healthy
      return Lan.of({ product, origin: product.settings["KANMON_BASE_URL"]! })
    })
  ).pipe(Layer.merge(Browser.Browser.layer))
}

/** Somebody who signs up in the page itself, so that cookies and the checks of origins are those of the browser. */
const visit = (name: string, read: (visitor: Visitor) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin, product } = yield* Lan
    yield* Browser.visit(view, async (context, faults) => {
      consoleFaults(context, faults)
      const page = await context.newPage()
      const { call, email } = await signUpInPage(page, origin, name)
      assert.isFalse(await page.evaluate(() => isSecureContext))
      await read({ origin, product, context, page, email, call })
    })
  })

/** Somebody who has one of everything. */
class Ada extends Context.Service<
  Ada,
  { readonly ids: Ids; readonly session: NonNullable<BrowserContextOptions["storageState"]> }
>()("@kanmon/tests/browser/LanAda") {
  static readonly layer = Layer.effect(
    Ada,
    Effect.gen(function* () {
      let made: Ada["Service"] | undefined
      yield* visit("ada", async (ada) => {
        made = { ids: await createEverything(ada, ["Shop"]), session: await ada.context.storageState() }
      })
      return Ada.of(made!)
    })
  ).pipe(Layer.provideMerge(Lan.layer))
}

/** What the pages offer to copy, at least. */
const offered: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  monitors: [/npm run kanmon -- import/],
  "one monitor": [/^curl -fsS .*\/heartbeat\//m, /name: Shop/],
  settings: [/^km_/m]
}

describe.skipIf(Browser.skipped)(`a dashboard over plain HTTP${Browser.note}`, () => {
  layer(Ada.layer, { excludeTestServices: true })((it) => {
    for (const [title, addresses] of Object.entries(everyPage))
      it.effect(`shows the pages about ${title} without an error, and copies wherever they offer to`, () =>
        Effect.gen(function* () {
          const { origin } = yield* Lan
          const { ids, session } = yield* Ada
          yield* Browser.visit({ ...view, storageState: session }, async (context, faults) => {
            consoleFaults(context, faults)
            const page = await context.newPage()
            const copied: Array<string> = []
            for (const address of addresses) {
              await page.goto(`${origin}${addressOf(address, ids)}`)
              await settled(page)
              const failure = page.getByRole("heading", { name: "This page could not be shown" })
              assert.strictEqual(await failure.count(), 0, `${address}: ${await page.locator("body").innerText()}`)
              copied.push(...(await copyAll(page)))
            }
            for (const text of offered[title] ?? []) assert.match(copied.join("\n"), text)
          })
        })
      )

    it.effect("makes a monitor and a channel, reads an upload, and sets up a second factor", () =>
      visit("ben", async ({ origin, page }) => {
        await page.getByLabel("What should we watch?").fill("every hour nightly backup")
        await page.getByLabel("What should we watch?").press("Enter")
        await page.getByRole("radio", { name: "Webhook" }).click()
        await page.getByRole("textbox", { name: "URL" }).fill(`${origin}/api/v1/health`)
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByText("It waits for the first signal.").waitFor()
        assert.match((await copyAll(page)).join("\n"), /^curl -fsS /)

        await page.goto(`${origin}/import`)
        await page.locator("input[type=file]").setInputFiles({
          name: "backup.json",
          mimeType: "application/json",
          buffer: Buffer.from(
            JSON.stringify({ version: "1.23.0", monitorList: [{ id: 1, name: "Old shop", type: "http", url: origin }] })
          )
        })
        await page.getByText("Old shop").first().waitFor()

        await page.goto(`${origin}/settings/account`)
        await page.getByRole("button", { name: "Set up" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("textbox", { name: "Your password" }).fill(password)
        await dialog.getByRole("button", { name: "Continue" }).click()
        await dialog.getByRole("img", { name: "QR code with the secret" }).waitFor()
        const [secret] = await copyAll(page)
        assert.strictEqual(secret?.replaceAll(" ", ""), (await dialog.locator("code").innerText()).replaceAll(" ", ""))
        await page.keyboard.press("Escape")
        // Passkeys need HTTPS, which the page says instead of offering them.
        await page.getByText("Browsers keep passkeys only for names with HTTPS, and for localhost.").waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Add a passkey" }).count(), 0)
      })
    )

    it.effect("shows the text selected where the browser copies nothing at all", () =>
      visit("cleo", async ({ context, origin, page }) => {
        await context.addInitScript(() => {
          document.execCommand = () => false
        })
        await page.goto(`${origin}/settings`)
        await page.getByRole("button", { name: "Copy", exact: true }).first().click()
        const area = page.getByRole("dialog", { name: "Copy this text" }).getByRole("textbox")
        await area.waitFor()
        await look(page, "copy by hand")
        await area.press("Control+C")
        assert.strictEqual(await pasted(context), await area.inputValue())
        assert.match(await area.inputValue(), /^km_/)
        await page.keyboard.press("Escape")
        await area.waitFor({ state: "detached" })
      })
    )
  })
})
