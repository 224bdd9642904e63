/** Every page of the dashboard, while it loads and in every look, with names made to break it. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { wrongIn } from "./EveryLook.ts"
import { addressOf, createEverything, everyPage, type Ids } from "./EveryPage.ts"
import { Installation } from "./Installation.ts"
import { picture } from "./Look.ts"
import * as Steady from "./Steady.ts"
import { installation, policyFaults, settled, view, visit } from "./Visitor.ts"

/** Two hundred characters each, the most that a name may have. */
const hostile = [
  `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script> & "quotes' \${x} {{y}} {count, plural}`,
  "Überlang".repeat(25),
  "مراقبة الخادم الرئيسي للمتجر ".repeat(10),
  "👩‍👩‍👧‍👦🏳️‍🌈🚦".repeat(12),
  `Zero\u200bwidth\u200djoined\ufeff ${"a\u0301\u0302\u0303\u0304".repeat(30)}`
].map((name) => name.slice(0, 200).toWellFormed().trim())

/** In how many orders of answers each page is loaded, beside the one that it is looked at in. */
const orders = Number(process.env["KANMON_ORDERS"] ?? 0)

/** A visitor whose things have these names. */
class Named extends Context.Service<
  Named,
  {
    readonly ids: Ids
    readonly session: NonNullable<BrowserContextOptions["storageState"]>
  }
>()("@kanmon/tests/browser/Named") {
  static readonly layer = Layer.effect(
    Named,
    Effect.gen(function* () {
      const made: Array<Named["Service"]> = []
      yield* visit("fay", async (own) => {
        const ids = await createEverything(own, hostile)
        made.push({ ids, session: await own.context.storageState() })
      })
      return Named.of(made[0]!)
    })
  ).pipe(Layer.provideMerge(installation))
}

describe.skipIf(Browser.skipped)(`names made to break the dashboard${Browser.note}`, () => {
  layer(Named.layer, { excludeTestServices: true })((it) => {
    for (const [title, addresses] of Object.entries(everyPage))
      it.effect(`are held by the pages about ${title}, in every look`, () =>
        Effect.gen(function* () {
          const { origin } = yield* Installation
          const { ids, session } = yield* Named
          yield* Browser.visit({ ...view, storageState: session }, async (context, faults) => {
            policyFaults(context, faults)
            await Steady.watch(context)
            const page = await context.newPage()
            const wrong: Array<string> = []
            for (const address of addresses) {
              await page.goto(`${origin}${addressOf(address, ids)}`)
              await settled(page)
              wrong.push(...(await Steady.movedIn(page)).map((line) => `${address} moved while it loaded: ${line}`))
              const name = `dashboard hostile ${address.replaceAll(/[^a-z]+/g, " ")}`
              const found = await wrongIn(page, (seen) => picture(page, `${name} ${seen}`))
              wrong.push(...found.map((line) => `${address} ${line}`))
              assert.strictEqual(await page.locator("img[src=x]").count(), 0, address)
              assert.isUndefined(await page.evaluate(() => (globalThis as any).hacked), address)
            }
            assert.deepStrictEqual(wrong, [])
          })
        })
      )

    for (let order = 1; order <= orders; order++)
      it.effect(`stay where they are when answers come in another order (${order})`, () =>
        Effect.gen(function* () {
          const { origin } = yield* Installation
          const { ids, session } = yield* Named
          const wrong: Array<string> = []
          yield* Browser.visit({ ...view, storageState: session }, async (context) => {
            await Steady.watch(context, order)
            const page = await context.newPage()
            for (const address of Object.values(everyPage).flat()) {
              await page.goto(`${origin}${addressOf(address, ids)}`)
              await settled(page)
              wrong.push(...(await Steady.movedIn(page)).map((line) => `${address}: ${line}`))
            }
          })
          assert.deepStrictEqual(wrong, [])
        })
      )

    it.effect("leave out no page", () =>
      Effect.promise(async () => {
        const router = path.resolve(import.meta.dirname, "../../apps/dashboard/src/router.tsx")
        const addresses = Object.values(everyPage).flat()
        for (const [, route = ""] of (await fs.readFile(router, "utf8")).matchAll(/path: "([^"]+)"/g)) {
          const pattern = new RegExp(`^(/settings)?${route.replaceAll("$id", "[^/]+").replace(/\/$/, "")}/?([?].*)?$`)
          assert.isTrue(
            route.startsWith("/dev/") || addresses.some((address) => pattern.test(address)),
            `${route} needs an address in everyPage of EveryPage.ts`
          )
        }
      })
    )
  })
})
