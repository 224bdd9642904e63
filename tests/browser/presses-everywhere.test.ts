/**
 * Presses on every page of the dashboard while all that it shows is asked for again, and comes back in another order, with
 * something new and without something. Each press must end on the control that it began on, which has not moved.
 */
import { assert, describe, layer } from "@effect/vitest"
import * as fc from "fast-check"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { addressOf, createEverything, everyPage, type Ids } from "./EveryPage.ts"
import { Installation } from "./Installation.ts"
import { change, restless } from "./Restless.ts"
import { settled, visit, type Visitor } from "./Visitor.ts"

/** Presses on each page; `KANMON_PRESSES` asks for others. */
const count = Number(process.env["KANMON_PRESSES"] ?? 3)

/** Runs in the page before its own code: notes where a press begins and ends, and lets it do nothing. */
const watchPresses = () => {
  const control = "button:enabled, a[href], input:enabled, summary, [role=gridcell]"
  const at = (x: number, y: number) => {
    const found = document.elementFromPoint(x, y)?.closest(control) ?? undefined
    return found === undefined || found.closest("main") === null || found.closest("[aria-haspopup]") !== null
      ? undefined
      : found
  }
  const says = (found: Element | undefined) =>
    found === undefined
      ? "nothing"
      : `${found.tagName.toLowerCase()} ${found.getAttribute("aria-label") ?? found.textContent} ${found.getAttribute("href") ?? ""}`
  let clicked: Element | undefined
  let pressed: { readonly element: Element; readonly says: string; readonly top: number } | undefined
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener(
    "click",
    (event) => {
      if (event.isTrusted && event.target instanceof Element) clicked = event.target.closest(control) ?? undefined
      stop(event)
    },
    true
  )
  addEventListener("submit", stop, true)
  const presses = {
    /** The middle of each control that can be pressed. */
    places: () =>
      [...document.querySelectorAll(`main :is(${control})`)].flatMap((each) => {
        const { bottom, height, left, top, width } = each.getBoundingClientRect()
        const place = { x: left + width / 2, y: top + height / 2 }
        return height > 0 && top >= 0 && bottom <= innerHeight && at(place.x, place.y) === each ? [place] : []
      }),
    begin: (x: number, y: number) => {
      const element = at(x, y)
      clicked = undefined
      pressed =
        element === undefined ? undefined : { element, says: says(element), top: element.getBoundingClientRect().top }
      return pressed !== undefined
    },
    /** Undefined if the press was right. */
    end: () => {
      const { element, says: said, top } = pressed!
      if (clicked !== element) return `the press of ${said} ended on ${says(clicked)}`
      // Texts of other controls may change: they are cells.
      const isNamed = element.matches("[aria-label], a[href]")
      if (isNamed && says(element) !== said) return `the press of ${said} took ${says(element)}`
      const moved = element.getBoundingClientRect().top - top
      return Math.abs(moved) > 1 ? `${said} moved by ${moved} px` : undefined
    }
  }
  Object.assign(globalThis, { presses })
}

const inPage = <A>(page: Page, name: "places" | "begin" | "end", ...given: ReadonlyArray<number>): Promise<A> =>
  page.evaluate(([name, given]) => (globalThis as any).presses[name](...given), [name, given] as const)

/** What only the settings show. */
const createSettings = async ({ call }: Visitor): Promise<void> => {
  const [{ id, organizationId }] = await call("get", "/projects")
  for (const name of ["One", "Two", "Three"]) {
    await call("post", `/projects/${id}/api-keys`, { name, role: "viewer", expiresAt: null })
    await call("post", `/organizations/${organizationId}/teams`, { name })
    await call("post", "/silences", {
      reason: name,
      tags: [name.toLowerCase()],
      monitorIds: [],
      until: new Date(Date.now() + 3_600_000).toISOString()
    })
  }
}

const random = (seed: number) => {
  let state = fc.sample(fc.integer(), { seed, numRuns: 1 })[0]!
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Presses on one page; what went wrong, and how often it could press. */
const pressOn = async (page: Page, address: string, ids: Ids, origin: string) => {
  const wrong: Array<string> = []
  let presses = 0
  const below = random(1)
  await page.goto(`${origin}${addressOf(address, ids)}`)
  await settled(page)
  for (let index = 0; index < count; index++) {
    const places = await inPage<ReadonlyArray<{ readonly x: number; readonly y: number }>>(page, "places")
    if (places.length === 0) break
    const { x, y } = places[below(places.length)]!
    await page.mouse.move(x, y, { steps: 2 })
    if (!(await inPage<boolean>(page, "begin", x, y))) continue
    presses++
    await page.mouse.down()
    await change(page)
    await page.mouse.up()
    const problem = await inPage<string | null>(page, "end")
    if (problem != null) wrong.push(`${address}: ${problem}`)
    // Outside of the content, where what has waited is shown.
    await page.mouse.move(1, 1)
  }
  return { presses, wrong }
}

/** A page that is left by itself, or shows nothing of its own. */
const left = new Set(["/wall", "/device"])

describe.skipIf(Browser.skipped)(`a press on any page${Browser.note}`, () => {
  layer(Installation.layer(), { excludeTestServices: true })((it) => {
    it.effect(
      "ends where it began, while everything that the page shows changes",
      () =>
        visit("ada", async (own) => {
          const ids = await createEverything(own, ["First", "Second", "Third"])
          await createSettings(own)
          await own.page.close()
          await own.context.addInitScript(watchPresses)
          await restless(own.context)
          const { "signing in": _, ...pages } = everyPage
          const wrong: Array<string> = []
          let presses = 0
          const page = await own.context.newPage()
          for (const address of Object.values(pages).flat()) {
            if (left.has(address)) continue
            const found = await pressOn(page, address, ids, own.origin)
            presses += found.presses
            wrong.push(...found.wrong)
          }
          assert.deepStrictEqual(wrong, [])
          assert.isAbove(presses, 20 * count)
        }),
      { timeout: 600_000 + count * 400_000 }
    )
  })
})
