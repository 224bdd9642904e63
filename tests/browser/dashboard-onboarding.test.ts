/**
 * The first hour of a new project in a real browser against the real product: say what to watch, see it checked, choose who is
 * told, and then the first outage: it is seen, acknowledged and over.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as WebTarget from "../support/WebTarget.ts"
import { type Account, signUp } from "./Account.ts"
import { Hook } from "./Hook.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"

/** What is watched. */
class Shop extends Context.Service<Shop, WebTarget.WebTarget>()("@kanmon/tests/browser/OnboardingShop") {
  static readonly layer = Layer.effect(Shop, WebTarget.make)
}

interface Walk {
  readonly page: Page
  readonly origin: string
  readonly shop: WebTarget.WebTarget
  readonly hook: Hook["Service"]
  readonly create: Account["create"]
}

/** A signed-in person in a browser profile of their own. */
const walk = (email: string, steps: (walk: Walk) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin } = yield* Installation
    const shop = yield* Shop
    const hook = yield* Hook
    yield* Browser.visit({}, async (context) => {
      const { create } = await signUp(context, origin, { name: "Ada", email })
      await steps({ page: await context.newPage(), origin, shop, hook, create })
    })
  })

const world = Layer.mergeAll(Installation.layer(), Shop.layer, Hook.layer)

describe.skipIf(Browser.skipped)(`the first steps in the dashboard${Browser.note}`, () => {
  layer(world, { excludeTestServices: true })((it) => {
    it.effect("leads from one line of text to a monitor that is watched", () =>
      walk("ada@example.org", async ({ hook, origin, page, shop }) => {
        await page.goto(`${origin}/`)
        await page.getByRole("heading", { level: 1, name: "Nothing is watched yet" }).waitFor()
        await look(page, "first steps")
        const field = page.getByLabel("What should we watch?")
        await field.fill("hello there")
        await field.press("Enter")
        await page.getByText(/^Enter a web address/).waitFor()

        // Checked before anything is saved: first while it is down.
        shop.status = 503
        await field.fill(`http://127.0.0.1:${shop.port}/`)
        await field.press("Enter")
        const regions = page.getByRole("list", { name: "The answer of each region" })
        await regions.getByText("Down", { exact: false }).first().waitFor()
        await regions.getByText("Its response").click()
        await regions.getByText(/^503/).waitFor()
        await look(page, "first steps, a failing test")
        shop.status = 200
        await page.getByRole("button", { name: "Check it now" }).click()
        await regions.getByText("eu-west · Up").waitFor()
        await regions.getByText("First byte").waitFor()

        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Checkout")
        await page.getByRole("radio", { name: "Webhook" }).click()
        await page.getByRole("textbox", { name: "URL" }).fill("nowhere")
        await page.getByRole("button", { name: "Add and send a test" }).click()
        await page.getByText(/^Expected/).waitFor()
        await page.getByRole("textbox", { name: "URL" }).fill(hook.url)
        await page.getByRole("button", { name: "Add and send a test" }).click()
        await page.getByText(/^The test was delivered/).waitFor()
        assert.strictEqual(hook.requests.length, 1)
        await look(page, "first steps, a channel")

        // The answer to the monitor is lost: the next attempt does not make another one.
        await page.route("**/api/v1/monitors", async (route) => {
          await route.fetch()
          await route.abort()
        })
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByText(/^Kanmon cannot be reached/).waitFor()
        await page.unroute("**/api/v1/monitors")

        // The rule fails: the monitor stays, and the next attempt makes the rule alone.
        await page.route("**/api/v1/alert-rules", (route) =>
          route.fulfill({
            status: 503,
            contentType: "application/problem+json",
            json: { status: 503, code: "unavailable", title: "Unavailable", detail: "The database is unavailable." }
          })
        )
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByText(/^The monitor was created, but not the rule/).waitFor()
        await look(page, "first steps, half way")
        await page.unroute("**/api/v1/alert-rules")
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByRole("heading", { name: "Checkout is being watched" }).waitFor()
        await page.getByText("Up", { exact: true }).waitFor()
        await page.getByRole("link", { name: "Create a status page" }).waitFor()
        await look(page, "first steps, done")

        const [project] = await (await page.context().request.get(`${origin}/api/v1/projects`)).json()
        const read = async (route: string) =>
          (
            await page.context().request.get(`${origin}/api/v1${route}`, { headers: { "kanmon-project": project.id } })
          ).json()
        assert.lengthOf(await read("/monitors"), 1)
        const rules: ReadonlyArray<any> = await read("/alert-rules")
        assert.lengthOf(
          rules.filter(({ triggers }) => triggers.includes("monitor_down")),
          1
        )
        await page.getByRole("link", { name: "Open the monitor" }).click()
        await page.getByRole("heading", { level: 1, name: "Checkout" }).waitFor()
      })
    )

    it.effect("says who a rule for every monitor tells already, and takes a job with its rhythm in words", () =>
      walk("eve@example.org", async ({ create, hook, origin, page }) => {
        const { id } = await create("/notification-channels", {
          type: "webhook",
          name: "On call",
          config: { url: hook.url }
        })
        await create("/alert-rules", { name: "All", triggers: ["monitor_down"], channelIds: [id] })
        await page.goto(`${origin}/welcome`)
        const field = page.getByLabel("What should we watch?")
        await field.fill("nightly backup")
        await page.getByRole("button", { name: "Describe the job" }).click()
        await page.getByText("A rule for every monitor tells On call of an outage already.").waitFor()
        assert.strictEqual(await page.getByText(/nobody is told/).count(), 0)
        const every = page.getByRole("textbox", { name: "Expected every" })
        assert.strictEqual(await every.inputValue(), "1 day")
        await every.fill("2 parsecs")
        await every.blur()
        await page.getByText(/^Write a duration such as/).waitFor()
        await every.fill("2h 30 min")
        await every.blur()
        assert.strictEqual(await every.inputValue(), "2 hours 30 minutes")
        await look(page, "first steps, a job")
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByRole("heading", { name: "Nightly backup is being watched" }).waitFor()
        const [project] = await (await page.context().request.get(`${origin}/api/v1/projects`)).json()
        const headers = { "kanmon-project": project.id }
        const monitors = await (await page.context().request.get(`${origin}/api/v1/monitors`, { headers })).json()
        assert.deepStrictEqual(
          monitors.map(({ interval }: { readonly interval: number }) => interval),
          [9000]
        )
      })
    )

    it.effect("says that no code was sent where the installation sends no mail", () =>
      walk("fay@example.org", async ({ create, origin, page }) => {
        await create("/notification-channels", { type: "email", name: "Mail", config: { address: "ops@example.org" } })
        await page.goto(`${origin}/channels`)
        await page
          .getByText(/^No code was sent: this installation sends no mail/)
          .first()
          .waitFor()
        assert.strictEqual(await page.getByText(/six digits/).count(), 0)
        await look(page, "a code that was not sent")
      })
    )

    it.effect("shows the first outage, who acknowledged it, and its end, and tells of both", () =>
      walk("cleo@example.org", async ({ create, hook, origin, page, shop }) => {
        const heard = () =>
          hook.requests.filter(({ url }) => url === "/outage").map(({ body }) => JSON.parse(body).event)
        await create("/notification-channels", { type: "webhook", name: "Hook", config: { url: `${hook.url}/outage` } })
        await create("/alert-rules", { name: "Down", trigger: "monitor_down", consecutiveFailures: 1 })
        shop.status = 200
        const { id } = await create("/monitors", {
          type: "http",
          name: "Checkout",
          url: `http://127.0.0.1:${shop.port}/`,
          interval: 60
        })
        await page.goto(`${origin}/monitors/${id}`)
        await page.getByText(/This monitor is up|Up for/).waitFor()
        shop.status = 503
        await page.getByRole("button", { name: "Check now" }).click()
        await page
          .getByText(/This monitor is down|Down for/)
          .first()
          .waitFor()
        await page.getByRole("navigation").getByRole("link", { name: "Now" }).click()
        const open = page.getByRole("list", { name: "Active alerts" })
        await open.getByRole("button", { name: "Acknowledge" }).click()
        await open.getByText("Acknowledged by Ada").waitFor()
        await page.getByRole("heading", { name: "1 monitor is down." }).waitFor()
        await look(page, "first outage")
        shop.status = 200
        await page.goto(`${origin}/monitors/${id}`)
        await page.getByRole("button", { name: "Check now" }).click()
        await page.getByText(/This monitor is up|Up for/).waitFor()
        await page.getByRole("navigation").getByRole("link", { name: "Now" }).click()
        await page.getByRole("heading", { name: /is up|are up/ }).waitFor()
        await open.waitFor({ state: "hidden" })
        while (heard().length < 2) await page.waitForTimeout(50)
        assert.deepStrictEqual(heard(), ["monitor_down", "monitor_up"])
      })
    )

    it.effect("watches a job that reports, with its line for the crontab, and can be left at every step", () =>
      walk("ben@example.org", async ({ hook, origin, page }) => {
        await page.goto(`${origin}/monitors`)
        const field = page.getByLabel("What should we watch?")
        await field.fill("shop.example")
        await field.press("Enter")
        // A bare host may mean several things; nothing needs to come of them.
        await page.getByRole("radio", { name: "DNS record" }).click()
        await page.getByRole("textbox", { name: "Name", exact: true }).waitFor()
        await look(page, "first steps, a host")
        await field.fill("30 3 * * * /usr/bin/dump --all")
        await field.press("Enter")
        await page.getByText("The job calls an address when it is done.").waitFor()
        await page.getByRole("radio", { name: "No one for now" }).click()
        await look(page, "first steps, a job")
        // What was typed is made, although nobody pressed its button.
        await page.getByRole("radio", { name: "Webhook" }).click()
        await page.getByRole("textbox", { name: "URL" }).fill("nowhere")
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByText(/^Expected/).waitFor()
        await page.getByRole("textbox", { name: "URL" }).fill(`${hook.url}/job`)
        await page.getByRole("button", { name: "Start watching" }).click()
        await page.getByText("It waits for the first signal.").waitFor()
        assert.deepInclude(hook.requests.at(-1), { url: "/job", method: "POST" })
        const line = page.getByText(/^curl -fsS .*\/heartbeat\//)
        const address = /http\S+/.exec(await line.innerText())?.[0] ?? ""
        await look(page, "first steps, the line of a job")
        await page.context().request.get(address)
        await page.getByText("Up", { exact: true }).waitFor()

        // Later the steps are a choice, and so is every one of them.
        await page.getByRole("link", { name: "All monitors" }).click()
        await page.getByRole("row").filter({ hasText: "dump" }).waitFor()
        await page.getByRole("link", { name: "New monitor" }).click()
        await page.getByRole("link", { name: "Guide me: test first, save later" }).click()
        await page.getByRole("heading", { level: 1, name: "New monitor" }).waitFor()
        await page.getByText("npm run kanmon -- import uptime-kuma").waitFor()
        await page.getByRole("link", { name: "Skip for now" }).click()
        await page.getByRole("heading", { level: 1, name: "Monitors" }).waitFor()
      })
    )
  })
})
