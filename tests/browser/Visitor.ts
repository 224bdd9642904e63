/** A visitor with an account of their own, in an installation with a plan that has limits, and where asked with a stranger's plugin. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Folder from "../support/Folder.ts"
import type * as Product from "../support/Product.ts"
import { type Account, signUp } from "./Account.ts"
import { Installation } from "./Installation.ts"

const examples = path.resolve(import.meta.dirname, "../../docs/examples/plugins")

const limited = { KANMON_DEFAULT_PLAN: "plan_free" }

/** The product with a plan that has limits. */
export const installation = Installation.layer(limited)

/** The same with a plugin of a stranger: it runs from the sources, which takes more work than what was compiled. */
export const extended = Layer.unwrap(
  Effect.gen(function* () {
    const plugins = yield* Folder.make()
    yield* Effect.promise(() => fs.cp(examples, plugins, { recursive: true }))
    return Installation.layer({ ...limited, KANMON_PLUGINS: path.join(plugins, "check-redis-ping") })
  })
)

/** Somebody with an account of their own, and the pages that they have open. */
export interface Visitor {
  readonly origin: string
  readonly product: Product.Product
  readonly context: BrowserContext
  readonly page: Page
  readonly email: string
  readonly call: Account["call"]
}

/** How they look at it. */
export const view = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", locale: "en-GB" } as const

/** What a page does against the Content Security Policy is a fault. */
export const policyFaults = (context: BrowserContext, faults: Array<string>): void =>
  void context.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
  })

/** What the console calls an error is a fault, but for the status of an answer: the page shows what that means. */
export const consoleFaults = (context: BrowserContext, faults: Array<string>): void =>
  void context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(`${message.text()} at ${message.location().url}`)
  })

/** Signs them up first. */
export const visit = (name: string, read: (visitor: Visitor) => Promise<void>, options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    const { origin, product } = yield* Installation
    yield* Browser.visit({ ...view, ...options }, async (context, faults) => {
      policyFaults(context, faults)
      const email = `${name}@example.org`
      const { call } = await signUp(context, origin, { name, email })
      await read({ origin, product, context, email, page: await context.newPage(), call })
    })
  })

/** Waits until the page is there, and nothing on it waits for a first answer or for its code: it says so itself. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator("main h1, main h2").first().waitFor()
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null)
}
