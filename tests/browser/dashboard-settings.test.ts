/** Channels, rules and what else a project is set up with, in a real browser against the real product. */
import { readFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { kanmon } from "../support/Kanmon.ts"
import { type Account, password, signUp } from "./Account.ts"
import { Hook } from "./Hook.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"

const checkout = { name: "Checkout", type: "tcp", host: "127.0.0.1", port: 9, tags: ["prod"], paused: true }

const plans = [
  { id: "plan_free", name: "Free", monitors: 3, checkInterval: 300, price: 0 },
  { id: "plan_starter", name: "Starter", monitors: 10, checkInterval: 60, price: 9, currency: "EUR" },
  {
    id: "plan_business",
    name: "Business",
    monitors: -1,
    checkInterval: 10,
    regions: 5,
    customDomain: true,
    unlimitedTeamMembers: true,
    sso: true,
    price: 99,
    currency: "EUR"
  }
]
const subscription = {
  status: "past_due",
  currentPeriodStart: "2026-11-01T00:00:00.000Z",
  currentPeriodEnd: "2026-12-01T00:00:00.000Z",
  cancelAt: null,
  pastDueSince: "2026-11-20T00:00:00.000Z",
  graceEndsAt: "2026-12-04T00:00:00.000Z",
  monitorsUsed: 10,
  monitorsShared: 10,
  payments: true
}

interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly hook: Hook["Service"]
  readonly project: Account["project"]
  readonly create: Account["create"]
  /** Makes the person an administrator, as an operator does on the server. */
  readonly grantAdmin: () => Promise<void>
}

/** Lets a new person walk through the product; nothing may fail in the page on the way. */
const visit = (email: string, walk: (visit: Visit) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin, product } = yield* Installation
    const hook = yield* Hook
    yield* Browser.visit({}, async (context) => {
      const { create, project } = await signUp(context, origin, { name: "Ada", email })
      const grantAdmin = async () => {
        const { code, output } = await Effect.runPromise(kanmon(["admin", "grant", email], product.settings))
        assert.strictEqual(code, 0, output)
      }
      await walk({ page: await context.newPage(), context, origin, hook, project, create, grantAdmin })
    })
  })

describe.skipIf(Browser.skipped)(`the settings of a project${Browser.note}`, () => {
  layer(Layer.merge(Installation.layer(), Hook.layer), { excludeTestServices: true })((it) => {
    it.effect("leads from no channel to a rule that notifies it", () =>
      visit("ada@example.org", async ({ create, hook, origin, page }) => {
        await create("/monitors", checkout)

        await page.goto(`${origin}/channels`)
        await page.getByText("Alerts are not sent anywhere until there is a channel.").waitFor()
        await look(page, "channels empty")
        await page.getByRole("link", { name: /^Webhook/ }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Pager of Ada")
        const url = page.getByRole("textbox", { name: "URL" })
        await url.fill("nothing")
        await page.getByRole("button", { name: "Create and send a test" }).click()
        await page.getByText(/^Expected/).waitFor()
        await look(page, "channel form")
        await url.fill(hook.url)
        await page.getByRole("button", { name: "Create and send a test" }).click()
        await page.getByText(/^The test was delivered: .*200/).waitFor()
        assert.strictEqual(hook.requests.length, 1)

        await page.getByRole("link", { name: "Channels and rules" }).click()
        await page.getByText(/Delivered · /).waitFor()
        await page.getByRole("link", { name: "New rule" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Shop is down")
        await page.getByRole("radio", { name: "Chosen ones" }).first().click()
        await page.locator("label", { hasText: "Checkout" }).click()
        await page.getByText("When Checkout is down for 2 checks, notify every channel.").waitFor()
        await look(page, "rule form")
        await page.getByRole("button", { name: "Create rule" }).click()

        await page.getByText("When Checkout is down for 2 checks, notify every channel.").waitFor()
        await page.getByRole("combobox", { name: "Monitor" }).fill("check")
        await page.getByRole("option", { name: "Checkout" }).click()
        await page.getByText("By the rule Shop is down").waitFor()
        await page.getByText("The monitor is paused: it is not checked, so nothing is sent.").waitFor()
        await look(page, "channels")
      })
    )

    it.effect("leads from no status page to one, and to a key of the project", () =>
      visit("cleo@example.org", async ({ context, create, origin, page, project }) => {
        await create("/monitors", checkout)
        await page.goto(`${origin}/status-pages`)
        await page.getByText("No status page yet").waitFor()
        await page.getByRole("link", { name: "New status page" }).click()
        await page.getByRole("textbox", { name: "Name" }).fill("Ada's Shop")
        await page.getByText("/status/ada-s-shop is free").waitFor()
        await page.getByRole("button", { name: "Monitors" }).click()
        await page.locator("label", { hasText: "Checkout" }).click()
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByRole("button", { name: "Heading" }).click()
        await page.getByRole("textbox", { name: "Heading" }).pressSequentially("Shop")
        // By keyboard: the heading goes above the monitor.
        await page.keyboard.press("Shift+Tab")
        await page.locator("button[aria-label='Move Shop']:focus").waitFor()
        await page.keyboard.press("Enter")
        await page.locator("[aria-label^=Insert]:focus").waitFor()
        await page.keyboard.press("Home")
        await page.locator("[aria-label='Insert before Checkout']:focus").waitFor()
        await page.keyboard.press("Enter")
        await page.getByRole("row").first().getByRole("textbox", { name: "Heading" }).waitFor()
        await page.getByLabel("Custom domain").fill("status.example.org")
        await look(page, "status page form")
        await page.getByRole("button", { name: "Create status page" }).click()
        await page.getByRole("link", { name: "Open the page" }).waitFor()
        await look(page, "status page")
        const [shown] = await (
          await context.request.get(`${origin}/api/v1/status-pages`, {
            headers: { "kanmon-project": project.id }
          })
        ).json()
        assert.deepInclude(shown, { slug: "ada-s-shop", customDomain: "status.example.org" })
        assert.deepStrictEqual(
          shown.monitors.map(({ displayGroup }: { readonly displayGroup: string }) => displayGroup),
          ["Shop"]
        )
        await page.getByRole("link", { name: "Status pages" }).first().click()
        await page.getByRole("link", { name: "Ada's Shop", exact: true }).waitFor()
        await look(page, "status pages")

        await page.getByRole("link", { name: "New status page" }).click()
        await page.getByRole("textbox", { name: "Address" }).fill("ada-s-shop")
        await page.getByText("Another page has this address. Choose another one.").waitFor()

        await page.getByRole("link", { name: "Settings" }).first().click()
        await page.getByRole("button", { name: "Leave" }).click()
        await page.getByRole("heading", { name: "Settings" }).waitFor()
        await page.getByRole("textbox", { name: "Name" }).fill("Shop")
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByText("Shop", { exact: true }).first().waitFor()
        await page.getByRole("button", { name: "New key" }).click()
        const dialog = page.getByRole("dialog", { name: "New key" })
        await dialog.getByRole("textbox", { name: "Name" }).fill("Backup script")
        await look(page, "new key")
        await dialog.getByRole("button", { name: "Create key" }).click()
        await page.getByText("Copy the key Backup script now: it is not shown again.").waitFor()
        const key = await page.getByRole("status").getByText(/^km_/).innerText()
        const withKey = await context.request.get(`${origin}/api/v1/monitors`, {
          headers: { authorization: `Bearer ${key}`, "x-api-key": key }
        })
        assert.isTrue(withKey.ok(), await withKey.text())
        await look(page, "settings")
        await page.getByRole("button", { name: "Delete Backup script" }).click()
        await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
        await page.getByRole("button", { name: "Delete Backup script" }).waitFor({ state: "detached" })
      })
    )

    it.effect("finds things by the keyboard, and shows who is signed in and who changed what", () =>
      visit("ben@example.org", async ({ context, create, origin, page, project }) => {
        const rule = { name: "Shop is down", trigger: "monitor_down", consecutiveFailures: 2 }
        await create("/alert-rules", rule)
        await create("/monitors", checkout)
        const key = await create(`/projects/${project.id}/api-keys`, { name: "Backup script", role: "viewer" })
        const deleted = await context.request.delete(`${origin}/api/v1/projects/${project.id}/api-keys/${key.id}`, {
          headers: { origin }
        })
        assert.isTrue(deleted.ok(), await deleted.text())
        await page.goto(`${origin}/settings`)
        await page.getByRole("textbox", { name: "Name" }).focus()
        await page.keyboard.press("Control+k")
        const palette = page.getByRole("combobox", { name: "Search and commands" })
        await palette.fill("check")
        await page.getByRole("option", { name: /Checkout/ }).waitFor()
        await look(page, "palette")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { name: "Checkout" }).waitFor()
        await page.keyboard.press("Control+k")
        await page.getByRole("option").first().getByText("Checkout").waitFor()
        await palette.fill("the keys")
        await page.keyboard.press("Enter")
        await page.getByRole("dialog", { name: "Keyboard" }).getByText("Search and commands").waitFor()
        await page.keyboard.press("Escape")
        await page.keyboard.press("g")
        await page.keyboard.press("s")
        for (const userAgent of [
          "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
          "<b>my own</b> client"
        ]) {
          const signedIn = await fetch(`${origin}/api/v1/auth/sign-in/email`, {
            method: "POST",
            headers: { "content-type": "application/json", "user-agent": userAgent, origin },
            body: JSON.stringify({ email: "ben@example.org", password })
          })
          assert.isTrue(signedIn.ok, await signedIn.text())
        }
        await page.getByRole("link", { name: "Account", exact: true }).click()
        const sessions = page.getByRole("list", { name: "Sessions" })
        await sessions.getByText("<b>my own</b> client").waitFor()
        await look(page, "account")
        await sessions.getByRole("button", { name: "Sign out Firefox on Linux" }).click()
        await sessions.getByText("Firefox on Linux").waitFor({ state: "detached" })
        await sessions.getByRole("button", { name: "Sign out <b>my own</b> client" }).click()
        await sessions.getByText("<b>my own</b> client").waitFor({ state: "detached" })
        assert.strictEqual(await sessions.getByRole("listitem").count(), 1)
        await sessions.getByText("This browser").waitFor()

        await page.getByRole("link", { name: "Audit log" }).click()
        const log = page.getByRole("list", { name: "Audit log" })
        await log.getByText("API key deleted").waitFor()
        const created = log.locator(":scope > li").filter({ hasText: "Rule createdShop is down" })
        await created.getByText(/^[0-9]+ fields$/).click()
        await created.getByRole("row", { name: /consecutiveFailures 2/ }).waitFor()
        await look(page, "audit log")
        await page.getByRole("button", { name: /What was changed$/ }).click()
        await page.getByRole("option", { name: "API keys" }).click()
        await log.getByText("Rule created").first().waitFor({ state: "detached" })
        await page.waitForURL(/kind=api_key/)
        const saving = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download CSV" }).click()
        const table = readFileSync(await (await saving).path(), "utf8")
        assert.match(table, /^id,at,actorKind.*\r\n.*api_key\.deleted.*Backup script.*\r\n.*api_key\.created/)
        await page.getByText("My account", { exact: true }).click()
        await page.waitForURL(/scope=account/)
        await log.getByText("API key created").first().waitFor()
      })
    )

    it.effect("shows the use of the plan, and no other plans where they cannot be bought", () =>
      visit("dan@example.org", async ({ create, origin, page }) => {
        await create("/monitors", checkout)
        await page.goto(`${origin}/settings/billing`)
        await page.getByText("1, without a limit").waitFor()
        await page.getByText("This installation sells no plans.").waitFor()
        assert.strictEqual(await page.getByRole("heading", { name: "Plans" }).count(), 0)
        assert.strictEqual(await page.getByRole("button", { name: /^Choose/ }).count(), 0)
        await look(page, "billing")
      })
    )

    it.effect("leads to the payment of another plan where they are sold", () =>
      visit("dirk@example.org", async ({ origin, page }) => {
        // As the API answers where plans are sold.
        await page.route("**/api/v1/billing/plans", (route) => route.fulfill({ json: plans }))
        await page.route("**/api/v1/billing/subscription", (route) =>
          route.fulfill({ json: { ...subscription, planId: "plan_starter", effectivePlanId: "plan_starter" } })
        )
        await page.goto(`${origin}/settings/billing`)
        await page.getByText("10 of 10").waitFor()
        await page.getByText(/^Another monitor is refused/).waitFor()
        await look(page, "billing, full")
        await page.route(
          "**/api/v1/billing/checkout",
          (route) =>
            route.fulfill({
              status: 503,
              contentType: "application/problem+json",
              json: { status: 503, code: "billing_not_configured", title: "Billing", detail: "Billing is disabled." }
            }),
          { times: 1 }
        )
        await page.getByRole("button", { name: "Choose Business" }).click()
        await page.getByText("Billing is disabled.").waitFor()
        await page.getByRole("button", { name: "Choose Business" }).waitFor({ state: "detached" })
        await page.route("**/api/v1/billing/checkout", (route) =>
          route.fulfill({ json: { checkoutUrl: `${origin}/settings/audit?paid` } })
        )
        await page.reload()
        await page.getByRole("button", { name: "Choose Business" }).click()
        await page.waitForURL(/settings\/audit/)
      })
    )

    it.effect("shows how the installation is, and what its administrator sees of probes and plans", () =>
      visit("dora@example.org", async ({ context, create, grantAdmin, origin, page }) => {
        await create("/monitors", checkout)
        await page.goto(`${origin}/settings/installation`)
        await page.getByRole("heading", { name: "All parts work" }).waitFor()
        await page.getByText("@kanmon/notify-slack").waitFor()
        await look(page, "installation")

        await grantAdmin()
        await page.reload()
        await page.getByRole("heading", { name: "Regions and probes" }).waitFor()
        await page.getByText("Its clock is right").waitFor()
        await page.getByRole("heading", { name: "Changes of the installation" }).waitFor()
        await look(page, "installation, administrator")
        const [local] = await (await context.request.get(`${origin}/api/v1/regions/probes`)).json()
        const away = {
          region: "us-east",
          alive: false,
          lastSeenAt: "2026-11-01T00:00:00.000Z",
          monitors: 12,
          onlyHere: 3,
          probes: []
        }
        const clock = { offsetMillis: 40_000, status: "wrong" }
        const probes = [...local.probes, { ...local.probes[0], id: "0a1b2c3d", version: "0.0.1", offline: true, clock }]
        await page.route("**/api/v1/regions/probes", (route) => route.fulfill({ json: [{ ...local, probes }, away] }))
        await page.reload()
        await page.getByText("3 monitors are checked only from here, so they are not checked now.").waitFor()
        await page.getByText(/^Its clock is off by 40 sec/).waitFor()
        await look(page, "installation, probes away")

        await page.getByRole("button", { name: "New plan" }).click()
        const form = page.getByRole("dialog", { name: "New plan" })
        await form.getByRole("textbox", { name: "Name" }).fill("Studio")
        await form.getByRole("textbox", { name: "Price a month" }).fill("19.999")
        await form.getByRole("button", { name: "Create plan" }).click()
        await form.getByText("Expected at most 2 decimals in EUR").waitFor()
        await look(page, "plan form")
        await form.getByRole("textbox", { name: "Price a month" }).fill("19.9")
        await form.getByRole("button", { name: "Create plan" }).click()
        const studio = page.getByRole("list", { name: "Plans" }).getByRole("listitem").filter({ hasText: "Studio" })
        await studio.getByText("€19.90 a month").waitFor()
        await look(page, "installation, plans")
        await studio.getByRole("button", { name: "Edit Studio" }).click()
        await page.getByRole("dialog", { name: "Edit Studio" }).getByText("Monitors without a limit").click()
        await page.getByRole("button", { name: "Save" }).click()
        await studio.getByText(/Monitors without a limit/).waitFor()
        await studio.getByRole("button", { name: "Delete Studio" }).click()
        await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
        await studio.waitFor({ state: "detached" })

        const healthy = await (await context.request.get(`${origin}/api/v1/health`)).json()
        await page.route("**/api/v1/health", (route) =>
          route.fulfill({ status: 503, json: { ...healthy, status: "unavailable", bus: "down", stale: 3 } })
        )
        await page.reload()
        await page.getByRole("heading", { name: "A part does not work" }).waitFor()
        await page.getByText("3 monitors wait for results that are overdue.").waitFor()
        await look(page, "installation, unwell")
      })
    )

    it.effect("shows all monitors on a screen on the wall, with a key that can only read", () =>
      visit("eve@example.org", async ({ context, create, origin, project }) => {
        await create("/monitors", checkout)
        const viewer = await create(`/projects/${project.id}/api-keys`, { name: "Wall", role: "viewer" })
        const screen = await context.browser()!.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" })
        const wall = await screen.newPage()
        await wall.goto(`${origin}/wall`)
        await wall.getByText("This address has no key").waitFor()
        await wall.goto(`${origin}/wall#key=km_nobody`)
        await wall.getByText("The key of this screen is not valid").waitFor()
        await wall.goto(`${origin}/wall#key=${viewer.apiKey}`)
        const job = await create("/monitors", { name: "Nightly backup", type: "heartbeat", interval: 86_400 })
        for (const signal of ["", "/fail", "/fail"]) await context.request.get(`${job.heartbeatUrl}${signal}`)
        const worst = wall.getByRole("list", { name: "Needs attention" })
        await worst.getByText("Nightly backup").waitFor()
        const others = wall.getByRole("list", { name: "The others" })
        await others.getByText("Checkout").waitFor()
        // Tiles fill the screen, and nothing has to be scrolled to.
        const { height, y } = (await others.getByRole("listitem").last().boundingBox())!
        assert.isAbove(y + height, 700)
        assert.isAtMost(y + height, 800)
        await look(wall, "wall")
        // Kanmon does not answer for an hour: the screen says so, and shows what it knew.
        await screen.clock.install()
        await screen.route("**/api/**", (route) => route.abort())
        await screen.clock.fastForward("01:00:00")
        await wall.getByText("Kanmon does not answer. This was the state 1 hr ago.").waitFor()
        await worst.getByText("Nightly backup").waitFor()
        assert.deepStrictEqual(await screen.cookies(), [])
        await screen.close()
      })
    )
  })
})
