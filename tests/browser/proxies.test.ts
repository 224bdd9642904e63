/**
 * The dashboard behind the reverse proxies of the operator's guide, with its examples as they are: in the browser, by the name and
 * the path of the example, over TLS and HTTP/2.
 */
import { createHash } from "node:crypto"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { KumaDatabase } from "../../packages/as-code/test/UptimeKumaTables.ts"
import * as Browser from "../support/Browser.ts"
import { type Proxied, proxies } from "../support/Proxies.ts"
import { type Account, signUpInPage } from "./Account.ts"
import { copyAll } from "./Copying.ts"
import { addressOf, createEverything, everyPage } from "./EveryPage.ts"
import { unhurried } from "./Installation.ts"
import { consoleFaults, policyFaults, settled, view } from "./Visitor.ts"

/** The digest of the key that a server proves to have. */
const keyOf = (port: number, servername: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const socket = tls.connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
      const key = socket.getPeerX509Certificate()!.publicKey.export({ type: "spki", format: "der" })
      socket.destroy()
      resume(Effect.succeed(createHash("sha256").update(key).digest("base64")))
    })
  })

/** Refusals of the proxy, failures of the server and missing files. */
const answerFaults = (context: BrowserContext, faults: Array<string>): void =>
  void context.on("response", (response) => {
    const status = response.status()
    const isMissing = status === 404 && response.request().resourceType() !== "fetch"
    if (isMissing || status === 413 || status >= 500) faults.push(`${status} for ${response.url()}`)
  })

/** The protocols of the answers that a page has received. */
const protocols = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => [
    ...new Set(
      performance
        .getEntries()
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map((entry) => entry.nextHopProtocol)
    )
  ])

/** History makes the databases of Uptime Kuma large: this one is over the limit of other bodies. */
const history = Array.from({ length: 4000 }, (_, index) => ({
  monitor_id: 1,
  status: 1,
  time: "2026-01-01 00:00:00",
  msg: `${index} ${"history ".repeat(120)}`
}))

const sees = {
  /** Another tab creates a monitor; this one shows it when the event stream tells of it. */
  events: async (page: Page, home: string, call: Account["call"]) => {
    const stream = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/api/v1/events"))
    await page.goto(`${home}/monitors`)
    await settled(page)
    assert.include((await stream).headers()["content-type"], "text/event-stream")
    await call("post", "/monitors", { type: "heartbeat", interval: 3600, name: "Told by an event" })
    await page.getByRole("link", { name: "Told by an event" }).first().waitFor()
  },
  upload: async (page: Page, home: string) => {
    using kuma = new KumaDatabase({
      user: [{ id: 1, username: "ada" }],
      monitor: [{ id: 1, name: "Old shop", type: "http", url: home, interval: 60 }],
      heartbeat: history
    })
    await page.goto(`${home}/import`)
    await page.locator("input[type=file]").setInputFiles(kuma.copy(""))
    const refusal = page.getByRole("alert")
    await page.getByText("Old shop").or(refusal).first().waitFor()
    assert.deepStrictEqual(await refusal.allInnerTexts(), [])
  },
  copies: async (page: Page, home: string) => {
    await page.goto(`${home}/settings`)
    await settled(page)
    assert.match((await copyAll(page)).join("\n"), /^km_/m)
  }
}

/** All pages and examples take minutes. Otherwise it is one page of each part, and the two examples that differ most. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"
const walked = isNightly ? proxies : [proxies.at(0)!, proxies.at(-1)!]

const walk = Effect.fnUntraced(function* ({ place, port, product }: Proxied) {
  const home = `https://${place.host}${place.path}`
  const visited = Browser.visit(view, async (context, faults) => {
    consoleFaults(context, faults)
    policyFaults(context, faults)
    answerFaults(context, faults)
    const page = await context.newPage()
    const { call, email } = await signUpInPage(page, home, "ada")
    assert.isTrue(await page.evaluate(() => isSecureContext))
    const ids = await createEverything({ origin: home, product, context, email, page, call }, ["Shop"])
    for (const address of isNightly ? Object.values(everyPage).flat() : Object.values(everyPage).map(([one]) => one!)) {
      await page.goto(`${home}${addressOf(address, ids)}`)
      await settled(page)
      const failure = page.getByRole("heading", { name: "This page could not be shown" })
      assert.strictEqual(await failure.count(), 0, `${address}: ${await page.locator("body").innerText()}`)
      assert.isTrue(page.url().startsWith(home), `${address}: ${page.url()}`)
      assert.notInclude(await protocols(page), "http/1.1", address)
    }
    await sees.events(page, home, call)
    await sees.upload(page, home)
    await sees.copies(page, home)
  })
  // A key that is trusted, unlike an error that is ignored, lets the browser keep what it has loaded.
  const trusting = Browser.Browser.resolving({ [place.host]: `127.0.0.1:${port}` }, [yield* keyOf(port, place.host)])
  yield* Effect.provide(visited, trusting)
})

describe.skipIf(Browser.skipped)(`the dashboard behind the proxies of the guide${Browser.note}`, () => {
  for (const { isInstalled, start, title } of walked)
    it.live.skipIf(!isInstalled)(`shows its pages, and takes events and uploads, through ${title}`, () =>
      start(unhurried).pipe(Effect.flatMap(walk), Effect.scoped)
    )
})
