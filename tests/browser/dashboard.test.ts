/** The dashboard as a new user meets it, in a real browser against the real product: from signing up to a monitor that is watched. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { password } from "./Account.ts"
import { Installation } from "./Installation.ts"
import { objections } from "./Axe.ts"
import { picture } from "./Look.ts"

const hostile = `<b onclick="alert(1)">مرحبا</b> & "${"Überlang".repeat(20)}"`

/** How far the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

interface Visit {
  readonly page: Page
  readonly origin: string
  /** Holds what is shown against the rules of every page, and keeps a picture of it. */
  readonly look: (name: string) => Promise<void>
}

const looks = [
  { name: "desktop light", width: 1280, height: 800, colorScheme: "light" },
  { name: "tablet dark", width: 768, height: 1024, colorScheme: "dark" },
  { name: "phone light", width: 360, height: 740, colorScheme: "light" },
  { name: "phone dark", width: 360, height: 740, colorScheme: "dark" }
] as const

const visit = (
  { colorScheme, height, name, width }: (typeof looks)[number],
  read: (visit: Visit) => Promise<void>,
  allowed: RegExp = /status of (?:401|409|422)/
) =>
  Effect.gen(function* () {
    const { origin } = yield* Installation
    yield* Browser.visit(
      { viewport: { width, height }, colorScheme, locale: "en-GB", hasTouch: width < 500 },
      async (context, faults) => {
        context.on("console", (message) => {
          if (["error", "warning"].includes(message.type()) && !allowed.test(message.text()))
            faults.push(message.text())
        })
        const page = await context.newPage()
        await read({
          page,
          origin,
          look: async (what) => {
            await picture(page, `dashboard ${what} ${name}`)
            assert.deepStrictEqual(await objections(page), [], what)
            assert.isAtMost(await overflow(page), 0, what)
          }
        })
      }
    )
  })

/** The first account is another one's: a new installation leads to another page. */
const withAccount = Layer.effectDiscard(Effect.flatMap(Installation, ({ product }) => product.signUp)).pipe(
  Layer.provideMerge(Installation.layer())
)

describe.skipIf(Browser.skipped)(`the dashboard${Browser.note}`, () => {
  layer(withAccount, { excludeTestServices: true })((it) => {
    for (const seen of looks)
      it.effect(`leads from signing up to a monitor that is watched (${seen.name})`, () =>
        visit(seen, async ({ look, origin, page }) => {
          await page.goto(`${origin}/monitors?status=down`)
          await page.getByRole("heading", { name: "Sign in to Kanmon" }).waitFor()
          await look("sign in")
          assert.strictEqual(await page.getByRole("button", { name: "Single sign-on" }).count(), 0)
          await page.getByRole("link", { name: "Create an account" }).click()
          await page.getByLabel("Your name").fill("Ada")
          await page.getByLabel("Email").fill(`ada-${seen.name.replaceAll(" ", "-")}@example.org`)
          await page.getByRole("textbox", { name: "Password" }).fill("short")
          await page.getByRole("button", { name: "Create account" }).click()
          await page.getByText("Use at least 8 characters.").waitFor()
          await look("sign up")
          await page.getByRole("textbox", { name: "Password" }).fill(password)
          await page.getByRole("button", { name: "Create account" }).click()

          // It returns to the address that asked for a session.
          await page.getByText("Nothing is watched yet").waitFor()
          assert.include(page.url(), "/monitors?status=down")
          await look("no monitors")
          await page.getByRole("link", { name: "Fill in the whole form instead" }).click()
          await page.getByLabel("What should be watched?").fill(`${origin}/api/v1/health/live`)
          assert.strictEqual(
            await page.getByRole("textbox", { name: "URL", exact: true }).inputValue(),
            `${origin}/api/v1/health/live`
          )
          await page.getByRole("button", { name: "Test" }).click()
          await page.getByRole("list", { name: "The answer of each region" }).getByText("Up").waitFor()
          await look("new monitor")
          const name = page.getByRole("textbox", { name: "Name", exact: true })
          await name.fill("")
          await page.getByRole("button", { name: "Create monitor" }).click()
          await page.getByText("Required").waitFor()
          await name.fill(hostile)
          await page.getByRole("textbox", { name: "Tags" }).fill("prod, eu")
          await page.getByRole("button", { name: "Create monitor" }).click()

          await page.getByText("This monitor is up.").waitFor()
          assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), hostile)
          await look("monitor")
          await page.getByRole("button", { name: "Pause" }).click()
          await page.getByText("This monitor is paused and not checked.").waitFor()
          await page.getByRole("button", { name: "Resume" }).click()

          await page.getByRole("link", { name: "Edit" }).click()
          await page.getByRole("textbox", { name: "Group" }).fill("Shop/Payments")
          await page.getByRole("link").filter({ hasText: "مرحبا" }).click()
          await page.getByRole("alertdialog", { name: "Leave without saving?" }).waitFor()
          await look("leave without saving")
          await page.getByRole("button", { name: "Stay" }).click()
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("link", { name: "All monitors" }).click()
          await page.getByRole("row").filter({ hasText: "مرحبا" }).waitFor()
          await look("monitors")
          await page.getByRole("searchbox", { name: "Search monitors" }).fill("payments nothing")
          await page.getByText("No monitor matches").waitFor()
          assert.include(page.url(), "q=payments")
        })
      )

    it.effect("shows at once what another tab changed, and asks for the password again when the session ends", () =>
      visit(looks[0], async ({ origin, page }) => {
        await page.goto(`${origin}/sign-up?to=%2Fmonitors`)
        await page.getByLabel("Your name").fill("Ben")
        await page.getByLabel("Email").fill("ben@example.org")
        await page.getByRole("textbox", { name: "Password" }).fill(password)
        await page.getByRole("button", { name: "Create account" }).click()
        await page.getByText("Nothing is watched yet").waitFor()

        const other = await page.context().newPage()
        await other.goto(`${origin}/monitors/new`)
        await other.getByLabel("What should be watched?").fill(`${origin}/api/v1/health/live`)
        await other.getByRole("textbox", { name: "Name", exact: true }).fill("From another tab")
        await other.getByRole("button", { name: "Create monitor" }).click()
        await page.bringToFront()
        await page.getByRole("link", { name: "From another tab" }).waitFor()

        await page.getByRole("link", { name: "New monitor" }).click()
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Typed before")
        await page.context().clearCookies()
        await page.getByRole("textbox", { name: "URL", exact: true }).fill(origin)
        await page.getByRole("button", { name: "Create monitor" }).click()
        const dialog = page.getByRole("dialog", { name: "Your session has ended" })
        await dialog.getByRole("textbox", { name: "Password" }).fill(password)
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click()
        await dialog.waitFor({ state: "hidden" })
        assert.strictEqual(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Typed before")
        await page.getByRole("button", { name: "Create monitor" }).click()
        await page.getByRole("heading", { name: "Typed before" }).waitFor()
      })
    )

    it.effect("finds, sorts and changes many monitors at once", () =>
      visit(looks[0], async ({ look, origin, page }) => {
        await page.goto(`${origin}/sign-up?to=%2Fmonitors`)
        await page.getByLabel("Your name").fill("Cleo")
        await page.getByLabel("Email").fill("cleo@example.org")
        await page.getByRole("textbox", { name: "Password" }).fill(password)
        await page.getByRole("button", { name: "Create account" }).click()
        await page.getByText("Nothing is watched yet").waitFor()
        const [project] = await (await page.context().request.get(`${origin}/api/v1/projects`)).json()
        const create = async (name: string, more: object) => {
          const answer = await page.context().request.post(`${origin}/api/v1/monitors`, {
            data: { name, type: "http", url: `${origin}/api/v1/health/live`, interval: 60, paused: true, ...more },
            headers: { origin, "kanmon-project": project.id }
          })
          assert.strictEqual(answer.status(), 201, await answer.text())
        }
        await create("Zürich", { tags: ["prod"], group: "Shop/Payments" })
        await create("Berlin", { tags: ["prod", "eu"], group: "Shop" })
        await create("Oslo", { type: "tcp", url: undefined, host: "127.0.0.1", port: 9 })
        await create("Rome", {})
        const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name }) })
        const names = () => page.getByRole("row").getByRole("link").allTextContents()
        await row("Rome").waitFor()

        await page.keyboard.press("/")
        await page.keyboard.type("zurich PAYMENTS")
        await page.waitForURL(/q=zurich/)
        await row("Oslo").waitFor({ state: "hidden" })
        assert.deepStrictEqual(await names(), ["Zürich"])
        await page.keyboard.press("Escape")
        await row("Oslo").waitFor()
        await page.getByRole("button", { name: "Name" }).click()
        await page.getByRole("button", { name: "Name" }).click()
        await page.waitForURL(/sort=-name/)
        assert.deepStrictEqual(await names(), ["Zürich", "Rome", "Oslo", "Berlin"])

        await page.getByRole("button", { name: "Filter" }).click()
        await page.getByRole("button", { name: /^Any Tag|Tag/ }).click()
        await page.getByRole("option", { name: "prod (2)" }).click()
        await page.waitForURL(/tag=prod/)
        await page.keyboard.press("Escape")
        await row("Oslo").waitFor({ state: "hidden" })
        await page.getByRole("button", { name: "Remove the filter Tag: prod" }).click()
        await row("Oslo").waitFor()

        // Two by keyboard, and everything between with the shift key.
        await page.keyboard.press("j")
        await page.keyboard.press("x")
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await page.keyboard.press("Shift+Space")
        const bar = page.getByRole("region", { name: "Selected monitors" })
        await bar.getByText("3 selected").waitFor()
        await look("selected monitors")
        await bar.getByRole("button", { name: "Change" }).click()
        await page.getByRole("menuitem", { name: "Add tags" }).click()
        await page.getByRole("dialog").getByRole("textbox", { name: "Tags" }).fill("team:shop")
        await page.getByRole("button", { name: "Change 3 monitors" }).click()
        await page.getByRole("dialog").waitFor({ state: "hidden" })
        for (const name of ["Zürich", "Rome", "Oslo"]) await row(name).getByText("team:shop").waitFor()
        assert.strictEqual(await row("Berlin").getByText("team:shop").count(), 0)

        // What one monitor does not accept changes none, and the refusal names it.
        await bar.getByRole("button", { name: "Change" }).click()
        await page.getByRole("menuitem", { name: "Set the interval" }).click()
        const interval = page.getByRole("dialog").getByRole("textbox", { name: "Interval" })
        await interval.fill("1")
        await page.getByRole("button", { name: "Change 3 monitors" }).click()
        await page
          .getByRole("dialog")
          .getByText(/^Zürich: interval/)
          .waitFor()
        await interval.fill("120")
        await page.getByRole("button", { name: "Change 3 monitors" }).click()
        await page.getByRole("dialog").waitFor({ state: "hidden" })

        await bar.getByRole("button", { name: "Resume" }).click()
        await row("Oslo").getByText("Paused").first().waitFor({ state: "hidden" })
        await bar.getByRole("button", { name: "Delete" }).click()
        await row("Oslo").waitFor({ state: "hidden" })
        await page.getByRole("button", { name: "Undo" }).click()
        await row("Oslo").waitFor()
        await row("Oslo").getByRole("checkbox").click()
        await bar.getByRole("button", { name: "Delete" }).click()
        const deleted = page.waitForResponse((response) => response.request().method() === "DELETE")
        await page.getByRole("button", { name: "Delete now" }).click()
        assert.strictEqual((await deleted).status(), 200)
        await page.reload()
        await row("Berlin").waitFor()
        assert.deepStrictEqual(await names(), ["Zürich", "Rome", "Berlin"])

        await page.getByRole("button", { name: "Display" }).click()
        await page.getByRole("menuitem", { name: "Show groups" }).click()
        const shop = page.getByRole("row", { name: /Shop/ }).first()
        await shop.waitFor()
        await look("monitors by group")
        await shop.click()
        await row("Berlin").waitFor({ state: "hidden" })

        // The view keeps the address, in this browser.
        await page.getByRole("button", { name: "Views" }).click()
        await page.getByRole("menuitem", { name: "Save or delete views" }).click()
        await page.getByRole("textbox", { name: "Name of this view" }).fill("By team")
        await page.getByRole("button", { name: "Save this view" }).click()
        await page.goto(`${origin}/monitors`)
        await row("Berlin").waitFor()
        await page.getByRole("button", { name: "Views" }).click()
        await page.getByRole("menuitem", { name: "By team" }).click()
        await page.waitForURL(/by=group/)
        await page.getByRole("button", { name: "By team" }).waitFor()

        await page.getByRole("button", { name: "More" }).click()
        await page.getByRole("menuitem", { name: "Add many monitors" }).click()
        const many = page.getByRole("dialog", { name: "Add many monitors" })
        const targets = many.getByRole("textbox", { name: "Targets" })
        await targets.fill(`${origin}/api/v1/health/live\n127.0.0.1:9\nno address at all`)
        await many.getByText("1 line is no address").waitFor()
        await many.getByRole("button", { name: "Create 2 monitors" }).click()
        await many.getByText("Created").nth(1).waitFor()
        await many.getByText("Not an address", { exact: false }).waitFor()
        await look("many monitors")
        assert.strictEqual(await targets.inputValue(), "no address at all")
        await many.getByRole("button", { name: "Close" }).click()
        await row("127.0.0.1:9").waitFor()

        await page.keyboard.press("?")
        await page.getByRole("dialog", { name: "Keyboard" }).getByText("Next monitor").waitFor()
        await look("keys")
      })
    )
  })
})
