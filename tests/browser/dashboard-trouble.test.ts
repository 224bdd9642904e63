/** The dashboard when things go wrong: a server that restarts, a session that ends, refusals of every kind. */
import { assert, describe, layer } from "@effect/vitest"
import { toDetails, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { KumaDatabase } from "../../packages/as-code/test/UptimeKumaTables.ts"
import * as Browser from "../support/Browser.ts"
import { password } from "./Account.ts"
import { hold } from "./hold.ts"
import { overflow } from "./EveryLook.ts"
import { objections } from "./Axe.ts"
import { picture } from "./Look.ts"
import { extended, settled, visit, type Visitor } from "./Visitor.ts"

const look = async (page: Page, name: string): Promise<void> => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const what = `${name} ${width}`
    await picture(page, `dashboard ${what}`)
    assert.strictEqual(await overflow(page), "", what)
    assert.deepStrictEqual(await objections(page), [], what)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Answers the next requests as the product would when it has this problem. */
const refuse = async (
  page: Page,
  { method, route, times = 1 }: { readonly method: string; readonly route: RegExp; readonly times?: number },
  problem: Problem
): Promise<void> => {
  let left = times
  await page.route(route, async (asked) => {
    if (left === 0 || asked.request().method() !== method) return asked.fallback()
    left--
    await asked.fulfill({
      status: problem.status,
      contentType: "application/problem+json",
      headers: problem.retryAfter === undefined ? {} : { "retry-after": String(problem.retryAfter) },
      body: JSON.stringify(toDetails(problem, "req_0123456789"))
    })
  })
}

const job = { type: "heartbeat", interval: 86_400 }
const lost = "The connection to Kanmon is lost. This page may be out of date. Trying to reconnect."

describe.skipIf(Browser.skipped)(`the dashboard in trouble${Browser.note}`, () => {
  layer(extended, { excludeTestServices: true })((it) => {
    it.effect("keeps what was typed while the connection or the server is away, and is right again after that", () =>
      visit("ada", async ({ call, context, origin, page, product }) => {
        const checkout = await call("post", "/monitors", { ...job, name: "Checkout" })
        await page.goto(`${origin}/monitors`)
        await page.getByRole("link", { name: "Checkout" }).waitFor()
        const form = await context.newPage()
        await form.goto(`${origin}/monitors/new`)
        const name = form.getByRole("textbox", { name: "Name", exact: true })
        await form.getByRole("textbox", { name: "URL", exact: true }).fill(`${origin}/api/v1/health/live`)
        await name.fill("Typed before the restart")

        await context.setOffline(true)
        await page.getByText(lost).waitFor()
        await page.getByRole("link", { name: "Checkout" }).waitFor()
        await context.setOffline(false)
        await page.getByText(lost).waitFor({ state: "detached" })

        await Effect.runPromise(product.stop())
        await page.getByText(lost).waitFor()
        await form.getByRole("button", { name: "Create monitor" }).click()
        await form.getByText("Kanmon cannot be reached. Check your connection and try again.").waitFor()
        await look(form, "form without a server")
        await Effect.runPromise(Effect.andThen(product.start, product.healthy))
        await call("patch", `/monitors/${checkout.id}`, { name: "Checkout, renamed" })
        await page.getByRole("link", { name: "Checkout, renamed" }).waitFor()
        await page.getByText(lost).waitFor({ state: "detached" })

        assert.strictEqual(await name.inputValue(), "Typed before the restart")
        await form.getByRole("button", { name: "Create monitor" }).click()
        await form.getByRole("heading", { name: "Typed before the restart" }).waitFor()
      })
    )

    it.effect("calls no monitor deleted while the list of them is on its way", () =>
      visit("iris", async ({ call, origin, page }) => {
        const checkout = await call("post", "/monitors", { ...job, name: "Checkout" })
        const config = { url: `${origin}/hook` }
        const channel = await call("post", "/notification-channels", { type: "webhook", name: "Hook", config })
        const rule = { name: "Calls", trigger: "monitor_down", monitorIds: [checkout.id], channelIds: [channel.id] }
        await call("post", "/alert-rules", rule)
        const goOn = await hold(page, "GET", /monitors[/]summaries/)
        await page.goto(`${origin}/channels`)
        await page.getByText(/^When … is down/).waitFor()
        goOn()
        await page.getByText(/^When Checkout is down/).waitFor()
      })
    )

    it.effect("shows in one tab what another one changed", () =>
      visit("ben", async ({ call, context, origin, page }) => {
        const monitor = await call("post", "/monitors", { ...job, name: "Backup" })
        await page.goto(`${origin}/channels`)
        await page.getByText("Alerts are not sent anywhere until there is a channel.").waitFor()
        const other = await context.newPage()
        await other.goto(`${origin}/channels/new?type=webhook`)
        await other.getByRole("textbox", { name: "Name" }).fill("From another tab")
        await other.getByRole("textbox", { name: "URL" }).fill(`${origin}/nowhere`)
        await other.getByRole("button", { name: "Create and send a test" }).click()
        await page.getByText("From another tab").first().waitFor()

        await page.goto(`${origin}/monitors/${monitor.id}`)
        await page.getByRole("heading", { name: "Backup" }).waitFor()
        await other.goto(`${origin}/monitors/${monitor.id}/edit`)
        await other.getByRole("textbox", { name: "Name", exact: true }).fill("Renamed elsewhere")
        await other.getByRole("button", { name: "Save" }).click()
        await page.getByRole("heading", { name: "Renamed elsewhere" }).waitFor()
        await other.getByRole("button", { name: "Pause" }).click()
        await page.getByText("This monitor is paused and not checked.").waitFor()
      })
    )

    it.effect("asks to sign in when the session has ended, and returns to the address with the form kept", () =>
      visit("cleo", async ({ context, email, origin, page }) => {
        await page.goto(`${origin}/status-pages/new`)
        await page.getByRole("textbox", { name: "Name" }).fill("Cleo's shop")
        await page.getByText("/status/cleo-s-shop is free").waitFor()
        await context.clearCookies()
        await page.getByRole("button", { name: "Create status page" }).click()
        const dialog = page.getByRole("dialog", { name: "Your session has ended" })
        assert.strictEqual(await dialog.getByLabel("Email").inputValue(), email)
        await dialog.getByRole("textbox", { name: "Password" }).fill(password)
        await look(page, "ended session")
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click()
        await dialog.waitFor({ state: "hidden" })
        assert.include(page.url(), "/status-pages/new")
        assert.strictEqual(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Cleo's shop")
        await page.getByRole("button", { name: "Create status page" }).click()
        await page.getByRole("link", { name: "Cleo's shop", exact: true }).waitFor()

        // The same for an address that is opened anew.
        await context.clearCookies()
        await page.goto(`${origin}/incidents?state=past`)
        await page.getByRole("heading", { name: "Sign in to Kanmon" }).waitFor()
        await page.getByLabel("Email").fill(email)
        await page.getByRole("textbox", { name: "Password" }).fill(password)
        await page.getByRole("button", { name: "Sign in", exact: true }).click()
        await page.getByRole("heading", { level: 1, name: "Incidents" }).waitFor()
        assert.include(page.url(), "/incidents?state=past")
      })
    )

    it.effect("says at the field and above the form what was refused, and keeps what was typed", () =>
      visit("dora", async ({ origin, page }) => {
        // What is wrong with a field stands at the field, which has the keyboard.
        await page.goto(`${origin}/monitors/new`)
        const name = page.getByRole("textbox", { name: "Name", exact: true })
        const interval = page.getByRole("textbox", { name: "Interval", exact: true })
        const create = page.getByRole("button", { name: "Create monitor" })
        await name.fill("Checkout")
        await page.getByRole("textbox", { name: "URL", exact: true }).fill("ftp://example.org")
        await create.click()
        await page.getByRole("textbox", { name: "URL", exact: true, description: /Expected/ }).waitFor()
        assert.isTrue(
          await page
            .getByRole("textbox", { name: "URL", exact: true })
            .evaluate((field) => field === document.activeElement)
        )
        await page.getByRole("textbox", { name: "URL", exact: true }).fill(`${origin}/api/v1/health/live`)
        await interval.fill("30")
        await create.click()
        await page.getByText(/The shortest interval of the plan Free is 60 seconds, not 30; choose a longer/).waitFor()
        await page.getByRole("alert").getByRole("link", { name: "See your plan" }).waitFor()
        await look(page, "refused by the plan")
        await interval.fill("60")

        const posted = { method: "POST", route: /\/api\/v1\/monitors$/ }
        const forbidden = "This needs the role editor in the project, and you are a viewer"
        await refuse(page, posted, new Problem({ code: "forbidden", detail: forbidden }))
        await create.click()
        await page.getByRole("alert").getByText(forbidden).waitFor()
        const away = "The database is unavailable; try again in a moment"
        await refuse(page, posted, new Problem({ code: "unavailable", detail: away, retryAfter: 5 }))
        await create.click()
        await page.getByRole("alert").getByText(away).waitFor()
        await look(page, "refused")
        assert.strictEqual(await name.inputValue(), "Checkout")
        // Too many requests: it waits as long as it is told to, and needs nobody.
        const many = new Problem({ code: "rate_limited", detail: "Too many requests; wait 1 second", retryAfter: 1 })
        await refuse(page, posted, many)
        await create.click()
        await page.getByRole("heading", { name: "Checkout" }).waitFor()
      })
    )

    it.effect("says before it is sent that another status page has the address", () =>
      visit("dirk", async ({ call, origin, page }) => {
        await call("post", "/status-pages", { name: "Taken", slug: "taken" })
        await page.goto(`${origin}/status-pages/new`)
        await page.getByRole("textbox", { name: "Name" }).fill("Taken")
        await page
          .getByText(/another (?:status )?page/i)
          .first()
          .waitFor()
        assert.isTrue(await page.getByRole("button", { name: "Create status page" }).isDisabled())
        await look(page, "conflict")
      })
    )

    it.effect("says that a page has no data, and shows it without a reload", () =>
      visit("dani", async ({ origin, page }) => {
        // A page that has not asked for channels yet.
        await page.goto(`${origin}/status-pages`)
        await page.getByRole("heading", { level: 1, name: "Status pages" }).waitFor()
        const away = "The database is unavailable; try again in a moment"
        await refuse(
          page,
          { method: "GET", route: /\/api\/v1\/notification-channels/, times: 3 },
          new Problem({ code: "unavailable", detail: away })
        )
        await page.getByRole("navigation").getByRole("link", { name: "Channels" }).click()
        await page.getByText(away).waitFor()
        await look(page, "page without data")
        await page.getByRole("button", { name: "Try again" }).first().click()
        await page.getByText("Alerts are not sent anywhere until there is a channel.").waitFor()
      })
    )

    it.effect("saves no form over what somebody else saved since it was opened, and goes on from either version", () =>
      visit("gwen", async ({ call, origin, page }) => {
        const channel = await call("post", "/notification-channels", {
          type: "webhook",
          config: { url: `${origin}/hook` },
          name: "Hook"
        })
        const { id } = await call("post", "/alert-rules", {
          name: "First",
          trigger: "monitor_down",
          consecutiveFailures: 1,
          monitorIds: [],
          channelIds: [channel.id]
        })
        const nameNow = async () => (await call("get", `/alert-rules/${id}`)).name
        await page.goto(`${origin}/rules/${id}`)
        const name = page.getByRole("textbox", { name: "Name", exact: true })
        const conflict = page.getByText(/^Somebody else saved a change/)
        const save = page.getByRole("button", { name: "Save", exact: true })
        await name.fill("Mine")
        await call("patch", `/alert-rules/${id}`, { name: "Theirs" })
        await save.click()
        await conflict.waitFor()
        await look(page, "conflict")
        assert.strictEqual(await nameNow(), "Theirs")
        await page.getByRole("button", { name: "Load the other version" }).click()
        await conflict.waitFor({ state: "detached" })
        assert.strictEqual(await name.inputValue(), "Theirs")

        await name.fill("Mine again")
        await call("patch", `/alert-rules/${id}`, { name: "Theirs again" })
        await save.click()
        await page.getByRole("button", { name: "Keep mine" }).click()
        await conflict.waitFor({ state: "detached" })
        assert.strictEqual(await name.inputValue(), "Mine again")
        assert.strictEqual(await nameNow(), "Theirs again")
        await save.click()
        await page.waitForURL(`${origin}/channels`)
        assert.strictEqual(await nameNow(), "Mine again")
      })
    )

    it.effect("gives the check of a stranger's plugin its form and its page", () =>
      visit("eve", async ({ origin, page }) => {
        await page.goto(`${origin}/monitors/new`)
        await page.getByRole("button", { name: /Type$/ }).click()
        await page.getByRole("option", { name: /^Redis/ }).click()
        await page.getByText("Checks that a Redis server responds.").first().waitFor()
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Cache")
        await page.getByRole("textbox", { name: "Host", exact: true }).fill("127.0.0.1")
        await page.getByText("More settings").click()
        await page.getByRole("textbox", { name: "Port", exact: true }).fill("1")
        await page.getByRole("textbox", { name: /^Password/ }).fill("secret")
        await page.getByRole("button", { name: "Test" }).click()
        await page.getByRole("list", { name: "The answer of each region" }).getByText("Down").waitFor()
        await look(page, "form of a plugin")
        await page.getByRole("button", { name: "Create monitor" }).click()
        await page.getByRole("heading", { level: 1, name: "Cache" }).waitFor()
        await page.getByText("127.0.0.1:1").first().waitFor()
        await settled(page)
        await look(page, "monitor of a plugin")
      })
    )

    it.effect("imports what a database of Uptime Kuma holds, and says what it cannot", () =>
      visit("kim", async ({ call, origin, page }) => {
        using kuma = new KumaDatabase({
          user: [{ id: 1, username: "kim" }],
          notification: [
            {
              id: 1,
              name: "Hook",
              user_id: 1,
              config: JSON.stringify({ type: "webhook", name: "Hook", webhookURL: `${origin}/nowhere` })
            }
          ],
          monitor: [
            { id: 1, name: "Home", type: "http", url: "https://a.example", interval: 60 },
            { id: 2, name: "Too often", type: "http", url: "https://b.example", interval: 20 },
            { id: 4, name: "Router", type: "port", hostname: "240.0.0.1", port: 80, interval: 60 },
            { id: 3, name: "Game", type: "gamedig", hostname: "game.example", port: 27_015, interval: 60 }
          ],
          monitor_notification: [{ id: 1, monitor_id: 1, notification_id: 1 }],
          status_page: [{ id: 1, slug: "taken-here", title: "Public", icon: "/icon.svg", theme: "auto" }],
          group: [{ id: 1, name: "Web", status_page_id: 1 }],
          monitor_group: [{ id: 1, monitor_id: 1, group_id: 1 }]
        })
        await call("post", "/status-pages", { name: "Earlier", slug: "taken-here", monitorIds: [] })
        const choose = async (
          file: string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }
        ) => {
          const chooser = page.waitForEvent("filechooser")
          await page.getByRole("button", { name: /^Choose / }).click()
          await (await chooser).setFiles(file)
        }
        await page.goto(`${origin}/monitors`)
        await page.getByRole("link", { name: "Import from Uptime Kuma" }).click()
        await page.getByRole("heading", { level: 1, name: "Import from Uptime Kuma" }).waitFor()
        await choose({ name: "holiday.jpg", mimeType: "image/jpeg", buffer: Buffer.from("not a database") })
        await page
          .getByRole("alert")
          .getByText(/^The file is not a SQLite database/)
          .waitFor()
        await look(page, "import of a wrong file")
        await choose(kuma.copy(""))
        const monitors = page.getByRole("list", { name: "Monitors" })
        await monitors.getByText("Home").waitFor()
        await page.getByRole("list", { name: "Left out" }).getByText("monitor Game").waitFor()
        await look(page, "import planned")
        // The plan of this account has no room for the interval of one monitor.
        await page.getByRole("button", { name: "Create 5 records" }).click()
        await monitors.getByRole("listitem").filter({ hasText: "Home" }).getByText("Created").waitFor()
        const router = monitors.getByRole("listitem").filter({ hasText: "Router" })
        await router.getByText(/^240\.0\.0\.1 is in a special range: .*so its checks will be refused/).waitFor()
        await monitors.getByText(/The shortest interval of the plan Free/).waitFor()
        await page
          .getByText(/was not created|were not created/)
          .first()
          .waitFor()
        await look(page, "import done in part")
        // An address that is taken is changed right there.
        const pages = page.getByRole("list", { name: "Status pages" })
        await pages.getByText("Another status page has this slug").waitFor()
        await pages.getByLabel("Address").fill("free-here")
        await page.getByRole("button", { name: "Try again" }).click()
        await pages.getByText("Created").waitFor()
        const made: ReadonlyArray<{ readonly slug: string }> = await call("get", "/status-pages")
        assert.include(
          made.map(({ slug }) => slug),
          "free-here"
        )
        await page.goto(`${origin}/monitors`)
        await page.getByRole("row").getByRole("link", { name: "Home", exact: true }).waitFor()
        assert.strictEqual(await page.getByRole("row").getByRole("link").count(), 2)
        await page.goto(`${origin}/import`)
        await choose(kuma.copy(""))
        await monitors.getByRole("listitem").filter({ hasText: "Home" }).getByText("Exists already").waitFor()
        // Two monitors, their channel, the rule and the page exist; the third monitor waits for a longer interval.
        assert.strictEqual(await page.getByRole("button", { name: /^Create / }).count(), 0)
        await page.getByText("Use the shortest interval of the plan, 1 minute").click()
        const changed = page.getByRole("list", { name: "To know" })
        await changed.getByText("It is checked every 1 minute, the shortest interval of the plan, not").waitFor()
        await look(page, "import at the shortest interval")
        await page.getByRole("button", { name: "Create 1 record", exact: true }).click()
        await page.getByText("1 of 6 created, 5 existed already", { exact: true }).waitFor()
        await monitors.getByRole("listitem").filter({ hasText: "Too often" }).getByText("Created").waitFor()
      })
    )

    const inJapanese = (name: string, read: (visitor: Visitor, id: string) => Promise<void>) =>
      visit(
        name,
        async (visitor) => {
          const { call, origin, page } = visitor
          const { heartbeatUrl, id } = await call("post", "/monitors", {
            ...job,
            name: "決済 API",
            tags: ["prod"],
            group: "店舗/決済"
          })
          await call("get", new URL(heartbeatUrl).pathname.replace("/api/v1", ""))
          await page.goto(`${origin}/monitors`)
          await page.getByRole("heading", { level: 1, name: "監視" }).waitFor()
          assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "ja")
          await read(visitor, id)
        },
        { locale: "ja-JP" }
      )

    for (const [index, addresses] of [
      ["/", "/monitors", "/monitors/$monitor"],
      ["/monitors/$monitor/edit", "/monitors/new"],
      ["/alerts", "/incidents/new?type=maintenance", "/status-pages/new"],
      ["/channels", "/rules/new", "/settings"]
    ].entries())
      it.effect(`shows ${addresses.join(", ")} in Japanese to those whose browser speaks it`, () =>
        inJapanese(`gen-${index}`, async ({ origin, page }, id) => {
          for (const address of addresses) {
            await page.goto(`${origin}${address.replace("$monitor", id)}`)
            await settled(page)
            await look(page, `ja ${address.replaceAll(/[^a-z]+/g, " ")}`)
          }
        })
      )

    it.effect("writes times in Japanese, and keeps the choice of another language", () =>
      inJapanese("hana", async ({ origin, page }, id) => {
        await page.goto(`${origin}/monitors/${id}`)
        await page
          .getByText(/2\d{3}\/\d{2}\/\d{2}/)
          .first()
          .waitFor({ state: "attached" })
        await page.getByRole("button", { name: /アカウントと表示/ }).click()
        await page.locator("[role^=menuitem]", { hasText: "English" }).click()
        await page.getByRole("link", { name: "All monitors" }).waitFor()
        assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "en")
        await page.reload()
        await page.getByRole("link", { name: "All monitors" }).waitFor()
      })
    )
  })
})
