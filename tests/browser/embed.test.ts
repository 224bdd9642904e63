/** Status pages inside other sites: framed by those that they name, refused to others, without script and cookies. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import * as Browser from "../support/Browser.ts"
import { Shop } from "./Shop.ts"
import { visit } from "./Visit.ts"

/** A site of another origin, which frames an address. */
const portal = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly origin: string; readonly close: () => void }>((resolve) => {
        const server = createServer((request, response) => {
          const framed = new URL(request.url ?? "/", "http://localhost").searchParams.get("of") ?? "about:blank"
          response.setHeader("content-type", "text/html; charset=utf-8")
          response.end(
            `<!doctype html><title>Portal</title><link rel="icon" href="data:,"><iframe src="${framed}" width="320" height="200"></iframe>`
          )
        })
        server.listen(0, "127.0.0.1", () =>
          resolve({
            origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            close: () => void server.close()
          })
        )
      })
  ),
  ({ close }) => Effect.sync(close)
)

describe.skipIf(Browser.skipped)(`a status page in a frame${Browser.note}`, () => {
  layer(Shop.layer, { excludeTestServices: true })((it) => {
    it.effect("shows its state to the sites that it names, on each of its hosts, and to no others", () =>
      Effect.gen(function* () {
        const { bad } = yield* Shop
        const named = yield* portal
        const stranger = yield* portal
        yield* visit({ javaScriptEnabled: false, colorScheme: "dark" }, async ({ faults, page, picture, site }) => {
          await site.call("PATCH", `/status-pages/${bad.id}`, { embedOrigins: [named.origin] })
          const inside = async (origin: string, address: string) => {
            await page.goto(`${origin}/?of=${encodeURIComponent(address)}`)
            const frame = page.frames().find((one) => one !== page.mainFrame())
            return frame === undefined
              ? ""
              : frame
                  .locator("body")
                  .innerText({ timeout: 2000 })
                  .catch(() => "")
          }
          // Asked without a frame until the page is read again: each refused frame is a complaint of the browser.
          await Effect.runPromise(
            eventually(
              Effect.promise(
                async () => (await page.request.get(`${bad.url}/embed`)).headers()["content-security-policy"]
              ),
              (policy) => policy?.includes(`frame-ancestors ${named.origin}`) === true
            )
          )
          for (const address of [`${bad.url}/embed`, `${bad.ownUrl.replace(/\/$/, "")}/embed`]) {
            const text = await inside(named.origin, address)
            for (const words of ["Some systems are down", "Payments are refused", "View the status page"])
              assert.include(text, words)
            const frame = page.frames().find((one) => one !== page.mainFrame())!
            const [inner, outer] = [await frame.locator("html").boundingBox(), 320]
            assert.isAtMost(inner!.width, outer)
            assert.strictEqual(await frame.locator("a").getAttribute("target"), "_blank")
          }
          await picture("status-embedded", { whole: true })
          assert.deepStrictEqual(await page.context().cookies(), [])
          assert.deepStrictEqual(faults, [])
          // The page itself is framed by nobody, and the compact form not by sites without a name in the list.
          assert.notInclude(await inside(named.origin, bad.url), "Payments are refused")
          assert.notInclude(await inside(stranger.origin, `${bad.url}/embed`), "Some systems are down")
          assert.isNotEmpty(faults.filter((fault) => fault.includes("frame-ancestors")))
          faults.length = 0
        })
      })
    )
  })
})
