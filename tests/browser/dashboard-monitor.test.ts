/** The page of a monitor that is down, in a real browser: why, what the target answered as text, whom it told, and its file. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { password } from "./Account.ts"
import { objections } from "./Axe.ts"
import { picture } from "./Look.ts"

const hostile = `</pre><img src=x onerror="document.title='owned'"><script>document.title='owned'</script> & مرحبا`
const main = path.resolve(import.meta.dirname, "../../apps/server/src/main.js")

/** The product, and a target on loopback that answers with 503 and hostile text. */
class Scene extends Context.Service<
  Scene,
  { readonly origin: string; readonly target: string; readonly product: Product.Product }
>()("@kanmon/tests/browser/Scene") {
  static readonly layer = Layer.effect(
    Scene,
    Effect.gen(function* () {
      const target = yield* Effect.acquireRelease(
        Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
          const server = createServer((request, response) => {
            request.resume()
            response.writeHead(503, { "content-type": "text/html", "x-hostile": "<b onclick=alert(1)>header</b>" })
            response.end(hostile)
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            resume(
              Effect.succeed({
                url: `http://127.0.0.1:${port}/health`,
                close: () => {
                  server.closeAllConnections()
                  server.close()
                }
              })
            )
          })
        }),
        ({ close }) => Effect.sync(close)
      )
      const product = yield* Product.make({ withoutNats: true })
      yield* product.healthy
      return Scene.of({ origin: new URL(product.base).origin, target: target.url, product })
    })
  ).pipe(Layer.merge(Browser.Browser.layer))
}

const looks = [
  { name: "desktop light", width: 1280, height: 800, colorScheme: "light" },
  { name: "phone dark", width: 360, height: 740, colorScheme: "dark" }
] as const

/** A monitor of the target, with a rule that notifies a webhook which refuses. */
const monitored = async (page: Page, origin: string, target: string, email: string) => {
  const send = async (method: "POST" | "GET", route: string, data?: unknown, headers: Record<string, string> = {}) => {
    const response = await page.request.fetch(`${origin}/api/v1${route}`, {
      method,
      headers: { origin, ...headers },
      ...(data === undefined ? {} : { data })
    })
    assert.isTrue(response.ok(), await response.text())
    return response.json() as Promise<any>
  }
  await send("POST", "/auth/sign-up/email", { name: "Ada", email, password })
  const [project] = await send("GET", "/projects")
  const headers = { "kanmon-project": project.id as string }
  const channel = await send(
    "POST",
    "/notification-channels",
    { name: "Chat <i>ops</i>", type: "webhook", config: { url: target } },
    headers
  )
  await send("POST", "/alert-rules", { name: "Tell us", trigger: "monitor_down", channelIds: [channel.id] }, headers)
  const monitor = await send(
    "POST",
    "/monitors",
    { type: "http", name: "Checkout", url: target, interval: 10, tags: ["prod"], bodyContains: 'a "${b}" \u2028 c: #' },
    headers
  )
  return { apiKey: project.apiKey as string, id: monitor.id as string }
}

describe.skipIf(Browser.skipped)(`the page of a monitor${Browser.note}`, () => {
  layer(Scene.layer, { excludeTestServices: true })((it) => {
    for (const { colorScheme, height, name, width } of looks)
      it.effect(`says why it is down, and shows what the target answered as text (${name})`, () =>
        Effect.gen(function* () {
          const { origin, product, target } = yield* Scene
          yield* Browser.visit(
            {
              viewport: { width, height },
              colorScheme,
              locale: "en-GB",
              hasTouch: width < 500
            },
            async (context, faults) => {
              context.on("console", (message) => {
                if (["error", "warning"].includes(message.type())) faults.push(message.text())
              })
              const page = await context.newPage()
              const look = async (what: string) => {
                await picture(page, `monitor ${what} ${name}`)
                assert.deepStrictEqual(await objections(page), [], what)
                const overflow = await page.evaluate(
                  () => document.documentElement.scrollWidth - document.documentElement.clientWidth
                )
                assert.isAtMost(overflow, 0, what)
              }
              const { apiKey, id } = await monitored(page, origin, target, `${name.replace(" ", "-")}@example.org`)

              await page.goto(`${origin}/monitors/${id}`)
              await page.getByText(/^Down for .* · Newest failure/).waitFor()
              await page.getByText("answered 503").first().waitFor()
              const answer = page.getByRole("region", { name: "Body of the answer" })
              await answer.waitFor()
              assert.strictEqual(await answer.innerText(), hostile)
              await page.getByText("<b onclick=alert(1)>header</b>").waitFor()
              assert.strictEqual(await page.title(), "Checkout · Kanmon")
              await page.getByText(/Up in 0 of \d+ regions?/).waitFor()
              await page.getByRole("radio", { name: "1 year" }).click()
              await page.getByRole("radio", { name: "By phase" }).click()
              await page.getByRole("table", { name: "Median response time by phase" }).waitFor({ state: "attached" })
              const chart = page.getByRole("slider", { name: "Median response time by phase" })
              await chart.press("End")
              await chart.and(page.locator("[aria-valuetext*='First byte']")).waitFor()
              const { searchParams } = new URL(page.url())
              assert.deepStrictEqual(
                [...searchParams],
                [
                  ["period", "1y"],
                  ["by", "phase"]
                ]
              )
              const saved = page.waitForEvent("download")
              await page.getByRole("button", { name: "Values of the chart" }).click()
              await page.getByRole("menuitem", { name: "Save the values (CSV)" }).click()
              const table = await readFile(await (await saved).path(), "utf8")
              assert.match(table, /^Time,.*First byte.*\r\n\d{4}-/)
              await page.getByRole("list", { name: "How the uptime is calculated" }).getByText("Down").waitFor()
              await look("overview")

              await page.getByRole("link", { name: "Checks", exact: true }).click()
              const failed = page.getByRole("button", { name: /answered 503/ })
              await failed.last().click()
              // Three and more that found the same are one line, which opens to them.
              if ((await page.getByRole("list", { name: /^\d+ checks$/ }).count()) > 0) await failed.last().click()
              await page.getByRole("region", { name: "Body of the answer" }).waitFor()
              await look("checks")

              await page.getByRole("link", { name: "Outages", exact: true }).click()
              await page.getByText("ongoing").waitFor()
              await look("outages")

              await page.getByRole("main").getByRole("link", { name: "Alerts", exact: true }).click()
              await page.getByRole("button", { name: /Down.*Tell us/s }).click()
              await page.getByRole("heading", { name: "Chat <i>ops</i>" }).waitFor()
              await page.getByText("Will be tried again").first().waitFor()
              await look("alerts")
              await page.getByRole("main").getByRole("button", { name: "Acknowledge" }).click()
              await page.getByText("Acknowledged by Ada").first().waitFor()

              await page.getByRole("link", { name: "As code" }).click()
              await page.getByRole("button", { name: "Set the key" }).click()
              await page.getByRole("button", { name: "Set the key" }).waitFor({ state: "detached" })
              await look("code")
              const file = path.join(product.dataDirectory, `${name.replace(" ", "-")}.yaml`)
              writeFileSync(file, await page.getByRole("region", { name: "YAML" }).innerText())
              const { stdout } = await promisify(execFile)(process.execPath, [main, "apply", "-f", file, "--dry-run"], {
                env: { ...process.env, KANMON_URL: origin, KANMON_API_KEY: apiKey }
              })
              assert.match(stdout, /Nothing to do: 1 unchanged/)

              await page.getByRole("main").getByRole("button", { name: "More" }).click()
              await page.getByRole("menuitem", { name: "Clone" }).click()
              const copy = page.getByRole("textbox", { name: "Name", exact: true })
              await copy.waitFor()
              assert.strictEqual(await copy.inputValue(), "Copy of Checkout")
              await page.getByRole("button", { name: "Create monitor" }).click()
              const warning = page.getByRole("dialog", { name: "Saved, with a warning" })
              await warning.getByText("The same target is checked by Checkout").waitFor()
              await look("warning")
              await warning.getByRole("button", { name: "Continue" }).click()
              await page.getByRole("heading", { name: "Copy of Checkout" }).waitFor()
            }
          )
        })
      )

    for (const { alert, answered, language, locale, outage } of [
      {
        language: "de",
        locale: "de-DE",
        answered: /hat mit 503 geantwortet; erwartet: 200/,
        outage: "Ausfälle",
        alert: "Alarme"
      },
      {
        language: "ja",
        locale: "ja-JP",
        answered: /の応答は 503 でした。期待値: 200/,
        outage: "障害",
        alert: "アラート"
      }
    ] as const)
      it.effect(`says why it is down in the reader's language on every page (${language})`, () =>
        Effect.gen(function* () {
          const { origin, target } = yield* Scene
          yield* Browser.visit({ viewport: { width: 1280, height: 800 }, locale }, async (context) => {
            const page = await context.newPage()
            const { id } = await monitored(page, origin, target, `${language}@example.org`)
            const read = async (address: string) => {
              await page.goto(`${origin}${address}`)
              await page.getByText(answered).first().waitFor()
              assert.notInclude(await page.getByRole("main").innerText(), "answered 503", address)
            }
            for (const address of ["/monitors", "/", `/monitors/${id}`, `/monitors/${id}?tab=checks`, "/alerts"])
              await read(address)
            await page.goto(`${origin}/monitors/${id}`)
            for (const name of [outage, alert]) {
              await page.getByRole("main").getByRole("link", { name, exact: true }).click()
              await page.getByText(answered).first().waitFor()
            }
          })
        })
      )
  })
})
