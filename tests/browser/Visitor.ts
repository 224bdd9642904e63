/** A visitor with an account of their own, in an installation with a stranger's plugin and a plan that has limits. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { APIRequestContext, BrowserContext, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Folder from "../support/Folder.ts"
import * as Product from "../support/Product.ts"

const examples = path.resolve(import.meta.dirname, "../../docs/examples/plugins")

/** The product in a process of its own, with a plugin of a stranger and a plan that has limits. */
export class Installation extends Context.Service<
  Installation,
  { readonly origin: string; readonly product: Product.Product }
>()("@kanmon/tests/browser/Installation") {
  static readonly layer = Layer.effect(
    Installation,
    Effect.gen(function* () {
      const plugins = yield* Folder.make()
      yield* Effect.promise(() => fs.cp(examples, plugins, { recursive: true }))
      const product = yield* Product.make({
        withoutNats: true,
        env: {
          KANMON_PLUGINS: path.join(plugins, "check-redis-ping"),
          KANMON_DEFAULT_PLAN: "plan_free",
          KANMON_SIGN_INS_PER_MINUTE: "1000",
          KANMON_WRITES_PER_MINUTE: "10000"
        }
      })
      yield* product.healthy
      return Installation.of({ origin: new URL(product.base).origin, product })
    })
  ).pipe(Layer.merge(Browser.Browser.layer))
}

export const password = "correct horse battery"

/** Somebody with an account of their own, and the pages that they have open. */
export interface Visitor {
  readonly origin: string
  readonly product: Product.Product
  readonly context: BrowserContext
  readonly page: Page
  readonly email: string
  /** Calls the API as they would; fails unless it answers 2xx. */
  readonly call: (method: "post" | "patch" | "get", route: string, data?: unknown) => Promise<any>
}

/** How they look at it. */
export const view = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", locale: "en-GB" } as const

/** What a page does against the Content Security Policy is a fault. */
export const policyFaults = (context: BrowserContext, faults: Array<string>): void =>
  void context.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
  })

/** Signs them up first. */
export const visit = (
  name: string,
  read: (visitor: Visitor) => Promise<void>,
  options: { readonly locale?: string } = {}
) =>
  Effect.gen(function* () {
    const { origin, product } = yield* Installation
    yield* Browser.visit({ ...view, ...options }, async (context, faults) => {
      policyFaults(context, faults)
      const email = `${name}@example.org`
      const { request } = context
      await answered(request, "post", `${origin}/api/v1/auth/sign-up/email`, {
        data: { name, email, password },
        headers: { origin }
      })
      const [project] = await answered(request, "get", `${origin}/api/v1/projects`, {})
      const headers = { origin, "kanmon-project": project.id }
      await read({
        origin,
        product,
        context,
        email,
        page: await context.newPage(),
        call: (method, route, data) =>
          answered(request, method, `${origin}/api/v1${route}`, {
            headers,
            ...(data === undefined ? {} : { data })
          })
      })
    })
  })

const answered = async (
  request: APIRequestContext,
  method: "post" | "patch" | "get",
  address: string,
  options: { readonly data?: unknown; readonly headers?: Record<string, string> }
): Promise<any> => {
  const answer = await request[method](address, options)
  assert.isTrue(answer.ok(), `${method} ${address}: ${await answer.text()}`)
  return answer.json()
}

/** Waits until the page has asked for nothing for a moment; the stream of events is always open. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator("main h1, main h2").first().waitFor()
  await page.evaluate(async () => {
    const loads = () => performance.getEntriesByType("resource").length
    for (let before = -1, quiet = 0; quiet < 4;) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      quiet = loads() === before ? quiet + 1 : 0
      before = loads()
    }
  })
}
