/**
 * Presses of a person, who takes a moment between down and up, on pages that change all the time: alerts open and close, rows
 * change their order, the connection is lost and comes back. Each press must act, and on what was under the pointer.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { signUp } from "./Account.ts"
import { Hook } from "./Hook.ts"
import { Installation } from "./Installation.ts"
import { view } from "./Visitor.ts"

/** Presses on each page; `KANMON_PRESSES` asks for others. */
const count = Number(process.env["KANMON_PRESSES"] ?? 50)
/** Milliseconds from the press to its release: what a hand takes. */
const gap = 80
/** Milliseconds without any effect after which a press counts as lost: only a hang takes so long. */
const lostAfter = 120_000

interface World {
  readonly page: Page
  readonly origin: string
  /** The same numbers in every run. */
  readonly random: (below: number) => number
}

/** A page with monitors that fail and recover as long as it is open, and whose connection comes and goes. */
const walk = (email: string, press: (world: World) => Promise<void>) =>
  Effect.gen(function* () {
    const { origin } = yield* Installation
    const hook = yield* Hook
    yield* Browser.visit(view, async (context) => {
      const { call } = await signUp(context, origin, { name: "Ada", email })
      const channel = await call("post", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: hook.url }
      })
      const beats: Array<string> = []
      for (let index = 0; index < 16; index++) {
        const monitor = await call("post", "/monitors", { type: "heartbeat", interval: 86_400, name: `Job ${index}` })
        beats.push(new URL(monitor.heartbeatUrl).pathname.replace("/api/v1", ""))
      }
      await call("post", "/alert-rules", {
        name: "Anything",
        triggers: ["monitor_down"],
        monitorIds: [],
        channelIds: [channel.id]
      })
      const failing = new Set<number>()
      const change = async (index: number) => {
        const isFailing = failing.has(index)
        await call("get", `${beats[index]}${isFailing ? "" : "/fail"}`)
        if (isFailing) failing.delete(index)
        else failing.add(index)
      }
      for (let index = 0; index < beats.length; index++) await call("get", beats[index]!)
      for (let index = 0; index < beats.length; index += 2) await change(index)

      const page = await context.newPage()
      let isCut = false
      await page.route("**/api/v1/events?*", (route) => (isCut ? route.abort() : route.fallback()))
      const [seed] = fc.sample(fc.integer(), { seed: 1, numRuns: 1 })
      let state = seed!
      const random = (below: number) => {
        // A linear congruential generator is random enough for where and when.
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * below)
      }
      const ended = new AbortController()
      const changing = (async () => {
        for (let turn = 0; !ended.signal.aborted; turn++) {
          await change(random(beats.length))
          await page.waitForTimeout(100 + random(300))
          if (turn % 12 === 11) {
            isCut = !isCut
            // Without a network for a moment. One that never comes back would keep a page that still loads from asking.
            const blink = () => ["offline", "online"].forEach((change) => dispatchEvent(new Event(change)))
            await page.evaluate(blink).catch(() => undefined)
          }
        }
      })()
      try {
        await press({ page, origin, random })
      } finally {
        ended.abort()
        await changing
      }
    })
  })

/** What is under the pointer, by an attribute of the row that it is in; undefined when it is something else. */
const under = (page: Page, x: number, y: number, row: string, control: string): Promise<string | undefined> =>
  page.evaluate(
    ([x, y, row, control]) => {
      const found = document.elementFromPoint(x, y)
      if (found?.closest(control) == null) return undefined
      const link = found.closest(row)?.querySelector<HTMLAnchorElement>("a[href]")
      return link?.getAttribute("href") ?? undefined
    },
    [x, y, row, control] as const
  )

interface Target {
  /** Rows, each with a link that says which one it is. */
  readonly row: string
  /** What is pressed in it. */
  readonly control: string
}

/** Presses one of the controls as a hand does; answers the address of its row. */
const pressOne = async ({ page, random }: World, { control, row }: Target): Promise<string> => {
  for (;;) {
    // From outside of the lists, where what has waited is shown.
    if (random(2) === 0) await page.mouse.move(20 + random(100), 400 + random(200))
    const controls = page.locator(`${row} ${control}`)
    const box = await controls
      .nth(random(Math.max(1, await controls.count())))
      .boundingBox({ timeout: 10_000 })
      .catch(() => null)
    if (box === null || box.y < 0 || box.y + box.height > 800) continue
    const x = box.x + box.width / 2
    const y = box.y + box.height / 2
    await page.mouse.move(x, y, { steps: 2 })
    const href = await under(page, x, y, row, control)
    if (href === undefined) continue
    await page.mouse.down()
    await page.waitForTimeout(gap)
    await page.mouse.up()
    return href
  }
}

/** Presses many times; names every press that did nothing, or something else. */
const pressMany = async (
  world: World,
  target: Target,
  found: () => Promise<string>,
  after: () => Promise<void>
): Promise<void> => {
  const wrong: Array<string> = []
  for (let index = 0; index < count; index++) {
    const wanted = await pressOne(world, target)
    const took = await found().catch(() => "nothing")
    if (took !== wanted) wrong.push(`press ${index} of ${wanted} took ${took}`)
    await after()
  }
  assert.deepStrictEqual(wrong, [])
}

const limit = { timeout: Math.max(600_000, count * 20_000) }

describe.skipIf(Browser.skipped)(`a press${Browser.note}`, () => {
  layer(Layer.mergeAll(Installation.layer(), Hook.layer), {
    excludeTestServices: true
  })((it) => {
    it.effect(
      "opens the monitor that it was on, while the list is sorted by what changes",
      () =>
        walk("ada@example.org", async (world) => {
          const { origin, page } = world
          const home = `${origin}/monitors`
          await page.goto(home)
          await page.getByRole("row").nth(3).waitFor()
          await pressMany(
            world,
            { row: "[data-key]", control: "[role=gridcell]:nth-child(2)" },
            async () => {
              await page.waitForURL(/\/monitors\/mon_/, { timeout: lostAfter })
              return new URL(page.url()).pathname
            },
            async () => {
              if (page.url() === home) return
              await page.goBack()
              await page.getByRole("row").nth(3).waitFor()
            }
          )
        }),
      limit
    )

    it.effect(
      "opens the menu of the alert that it was on, while alerts open and close above it",
      () =>
        walk("ben@example.org", async (world) => {
          const { origin, page } = world
          await page.goto(`${origin}/`)
          await page.getByRole("list", { name: "Active alerts" }).waitFor()
          await pressMany(
            world,
            { row: "[aria-label='Active alerts'] > li", control: "button[aria-haspopup=menu]" },
            async () => {
              await page.getByRole("menu").waitFor({ timeout: lostAfter })
              const link = page.locator("li:has(button[aria-expanded=true]) a[href]").first()
              return (await link.getAttribute("href", { timeout: lostAfter })) ?? ""
            },
            async () => {
              await page.keyboard.press("Escape")
              await page.getByRole("menu").waitFor({ state: "detached" })
            }
          )
        }),
      limit
    )

    it.effect(
      "opens the alert that it was on, below a list that grows and shrinks",
      () =>
        walk("cleo@example.org", async (world) => {
          const { origin, page } = world
          const home = `${origin}/`
          await page.goto(home)
          const rows = page.getByRole("list", { name: "Active alerts" }).getByRole("listitem")
          await rows.first().waitFor()
          await pressMany(
            world,
            { row: "li[data-item]", control: "a[href]" },
            async () => {
              await page.waitForURL(/\/alerts\/\w+$/, { timeout: lostAfter })
              return new URL(page.url()).pathname
            },
            async () => {
              if (page.url() === home) return
              await page.goBack()
              await rows.first().waitFor()
            }
          )
        }),
      limit
    )
  })
})
