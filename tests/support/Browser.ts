/**
 * The installed Chromium. Tests that need it are skipped without one, and say so; where tests must be complete (`CI` is
 * set) they fail.
 */
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type BrowserContext, type BrowserContextOptions, type Browser as Chromium, chromium } from "playwright-core"
import { chromiumSandbox, program } from "./Chromium.ts"
import * as SharedProduct from "./SharedProduct.ts"

export const skipped = program === undefined && !process.env["CI"]

/** For titles of skipped tests. */
export const note = skipped ? " (skipped: chromium is not installed)" : ""

/** A name of this machine that is not localhost: over plain HTTP it is no secure context. */
export const lanName = "kanmon.lan"

/** A browser that closes with the scope. */
export class Browser extends Context.Service<Browser, Chromium>()("@kanmon/tests/Browser") {
  static readonly layer = this.resolving({ [lanName]: "127.0.0.1" })

  /** `hosts` has the addresses of names, which may have a port; `keys` the digests of certificates' keys that are trusted. */
  static resolving(hosts: Readonly<Record<string, string>>, keys: ReadonlyArray<string> = []) {
    const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`)
    return Layer.effect(
      Browser,
      Effect.acquireRelease(
        Effect.promise(async () => {
          // Files of browsers come after those that share a product, and have products of their own.
          await Effect.runPromise(SharedProduct.end)
          if (program === undefined) throw new Error("No chromium was found: install it, or name it with CHROMIUM_PATH")
          return chromium.launch({
            executablePath: program,
            chromiumSandbox,
            args: [
              "--disable-gpu",
              "--disable-dev-shm-usage",
              `--host-resolver-rules=${rules.join(",")}`,
              `--ignore-certificate-errors-spki-list=${keys.join(",")}`
            ]
          })
        }),
        (browser) => Effect.promise(() => browser.close())
      )
    )
  }
}

/** Milliseconds until what should appear counts as missing: no measure of speed, since machines differ. Only a hang takes so long. */
export const patience = 240_000

/** Keeps what is seen where a test failed: as a picture, and in words, which is all that a log can hold. */
const keepViews = (context: BrowserContext) =>
  Promise.allSettled(
    context.pages().map(async (page, index) => {
      const { pathname } = new URL(page.url())
      const name = `failed ${pathname.replaceAll("/", " ").trim()} ${index}.png`
      process.stderr.write(
        `${pathname} when the test failed:\n${await page.locator("body").ariaSnapshot({ timeout: 5000 })}\n`
      )
      await page.screenshot({ path: path.join(import.meta.dirname, "../browser/screenshots", name), fullPage: true })
    })
  )

/** Somebody with a profile of their own. Uncaught errors of the pages are added to `faults`, which must be empty at the end. */
export const visit = (
  options: BrowserContextOptions,
  walk: (context: BrowserContext, faults: Array<string>) => Promise<void>
) =>
  Effect.gen(function* () {
    const browser = yield* Browser
    yield* Effect.acquireUseRelease(
      Effect.promise(() => browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 }, ...options })),
      (context) =>
        Effect.promise(async () => {
          const faults: Array<string> = []
          context.setDefaultTimeout(patience)
          context.on("weberror", (error) => void faults.push(`${error.error().message} ${error.error().stack}`))
          try {
            await walk(context, faults)
          } catch (error) {
            await keepViews(context)
            throw error
          }
          assert.deepStrictEqual(faults, [])
        }),
      (context) => Effect.promise(() => context.close())
    )
  })
