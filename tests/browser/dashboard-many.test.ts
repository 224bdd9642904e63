/** A change of many monitors in a real browser: the server does it, every tab says how far it is, and it ends in one sentence. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Browser from "../support/Browser.ts"
import { signUp } from "./Account.ts"
import { Installation } from "./Installation.ts"
import { look } from "./Look.ts"

const count = 230

describe.skipIf(Browser.skipped)(`a change of many monitors${Browser.note}`, () => {
  layer(Installation.layer(), { excludeTestServices: true })((it) => {
    it.effect("is done by the server, shown in every tab, and says what was refused", () =>
      Effect.flatMap(Installation, ({ origin }) =>
        Browser.visit({}, async (context) => {
          const { create } = await signUp(context, origin, { name: "Ada", email: "ada@example.org" })
          const monitor = { type: "tcp", host: "127.0.0.1", port: 9, interval: 3600, timeout: 5, paused: true }
          await create("/monitors/batch", {
            monitors: Array.from({ length: count }, (_, index) => ({
              ...monitor,
              name: `Service ${index}`,
              ...(index === 7 ? { timeout: 60 } : {})
            }))
          })
          const page = await context.newPage()
          await page.goto(`${origin}/monitors`)
          await page.getByRole("grid").waitFor()
          await page.keyboard.press("j")
          await page.keyboard.press("x")
          await page.getByRole("button", { name: `Select all ${count}` }).click()
          const bar = page.getByRole("region", { name: "Selected monitors" })
          await bar.getByRole("button", { name: "Change" }).click()
          await page.getByRole("menuitem", { name: "Set the interval" }).click()
          const dialog = page.getByRole("dialog", { name: "Set the interval" })
          await dialog.getByRole("textbox", { name: "Interval" }).fill("30 seconds")
          await dialog.getByRole("button", { name: `Change ${count} monitors` }).click()
          // The dialog does not wait for the end.
          await dialog.waitFor({ state: "hidden" })
          const work = page.getByRole("region", { name: "Work on many monitors" })
          await work.getByText(new RegExp(`^${count - 1} of ${count} monitors changed · 1 refused: timeout`)).waitFor()
          await bar.getByRole("button", { name: "Clear the selection" }).click()
          await work.getByText("What was refused").click()
          await work.getByText("Service 7").waitFor()
          await look(page, "many changed")

          const second = await context.newPage()
          await second.goto(`${origin}/monitors`)
          const there = second.getByRole("region", { name: "Work on many monitors" })
          await there.getByText(/1 refused/).waitFor()
          await there.getByRole("button", { name: "Close" }).click()
          await there.waitFor({ state: "hidden" })
          await second.reload()
          await second.getByRole("grid").waitFor()
          assert.strictEqual(await there.count(), 0)
        })
      )
    )

    it.effect("is stopped from the bar, while it runs", () =>
      Effect.flatMap(Installation, ({ origin }) =>
        Browser.visit({}, async (context) => {
          const { create } = await signUp(context, origin, { name: "Ben", email: "ben@example.org" })
          await create("/monitors", { type: "heartbeat", interval: 3600, name: "Backup" })
          const started = await create("/operations", { action: "update", filter: { q: "nothing" }, addTags: ["x"] })
          const page = await context.newPage()
          // As it would be with more monitors than a test creates.
          const running = { ...started, total: 10_000, done: 3200, status: "running", finishedAt: null }
          let shown: object = running
          await page.route(/\/operations\?/, (route) => route.fulfill({ json: [shown] }))
          await page.route(/\/operations\/[^/]+\/stop$/, (route) => {
            shown = { ...running, status: "stopped", done: 3300, finishedAt: new Date().toISOString() }
            return route.fulfill({ json: shown })
          })
          await page.goto(`${origin}/monitors`)
          const work = page.getByRole("region", { name: "Work on many monitors" })
          await work.getByText("3,200 of 10,000 monitors changed so far").waitFor()
          await look(page, "many under way")
          await work.getByRole("button", { name: "Stop" }).click()
          await work
            .getByText("Stopped: 3,300 of 10,000 monitors changed · 6,700 left as they were")
            .waitFor({ timeout: 30_000 })
        })
      )
    )
  })
})
