/** Names made to break the dashboard, on every page in every look. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { wrongIn } from "./EveryLook.ts"
import { Installation } from "./Installation.ts"
import { picture } from "./Look.ts"
import { installation, policyFaults, settled, view, visit, type Visitor } from "./Visitor.ts"

/** Two hundred characters each, the most that a name may have. */
const hostile = [
  `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script> & "quotes' \${x} {{y}} {count, plural}`,
  "Überlang".repeat(25),
  "مراقبة الخادم الرئيسي للمتجر ".repeat(10),
  "👩‍👩‍👧‍👦🏳️‍🌈🚦".repeat(12),
  `Zero\u200bwidth\u200djoined\ufeff ${"a\u0301\u0302\u0303\u0304".repeat(30)}`
].map((name) => name.slice(0, 200).toWellFormed().trim())

const job = { type: "heartbeat", interval: 86_400 }

/** Creates one of everything with each of the names; answers the last ones by what stands for them in an address. */
const nameEverything = async ({ call, origin, page }: Visitor): Promise<Readonly<Record<string, string>>> => {
  let ids: Readonly<Record<string, string>> = {}
  for (const [index, name] of hostile.entries()) {
    const group = [name, name, "g"].map((part) => part.replaceAll("/", "").slice(0, 60).toWellFormed().trim()).join("/")
    const monitor = await call("post", "/monitors", { ...job, name, group, tags: ["t".repeat(64), "prod"] })
    const heartbeat = new URL(monitor.heartbeatUrl).pathname.replace("/api/v1", "")
    await call("get", heartbeat)
    const hook = { type: "webhook", config: { url: `${origin}/${"long".repeat(100)}` } }
    const channel = await call("post", "/notification-channels", { ...hook, name })
    const rule = await call("post", "/alert-rules", {
      name,
      trigger: "monitor_down",
      consecutiveFailures: 1,
      monitorIds: [monitor.id],
      channelIds: [channel.id]
    })
    const incident = await call("post", "/incidents", {
      title: name,
      monitorIds: [monitor.id],
      status: "investigating",
      message: `${name} ${"Unbreakable".repeat(300)}`
    })
    const shown = await call("post", "/status-pages", {
      name,
      slug: `hostile-${index}`,
      monitors: [{ monitorId: monitor.id, displayGroup: name.slice(0, 100).toWellFormed().trim() }]
    })
    await call("get", `${heartbeat}/fail`)
    ids = { $monitor: monitor.id, $incident: incident.id, $channel: channel.id, $rule: rule.id, $page: shown.id }
  }
  await page.goto(`${origin}/alerts`)
  const alert = await page.getByRole("listitem").getByRole("link").first().getAttribute("href")
  return { ...ids, $alert: alert?.split("/").at(-1) ?? "" }
}

/** A visitor whose things have these names. */
class Named extends Context.Service<
  Named,
  {
    readonly ids: Readonly<Record<string, string>>
    readonly session: NonNullable<BrowserContextOptions["storageState"]>
  }
>()("@kanmon/tests/browser/Named") {
  static readonly layer = Layer.effect(
    Named,
    Effect.gen(function* () {
      const made: Array<Named["Service"]> = []
      yield* visit("fay", async (own) => {
        const ids = await nameEverything(own)
        made.push({ ids, session: await own.context.storageState() })
      })
      return Named.of(made[0]!)
    })
  ).pipe(Layer.provideMerge(installation))
}

/** Every page, by what it is about. */
const pages: Readonly<Record<string, ReadonlyArray<string>>> = {
  monitors: ["/", "/monitors", "/monitors?by=group", "/monitors/new", "/import", "/welcome", "/wall"],
  "one monitor": [
    "/monitors/$monitor",
    ...["checks", "outages", "alerts", "code"].map((tab) => `/monitors/$monitor?view=${tab}`),
    "/monitors/$monitor/edit"
  ],
  alerts: ["/alerts", "/alerts/$alert", "/silences"],
  incidents: [
    "/incidents",
    "/incidents/$incident",
    "/incidents/$incident/edit",
    "/incidents/new",
    "/incidents/new?type=maintenance"
  ],
  "status pages": ["/status-pages", "/status-pages/new", "/status-pages/$page"],
  channels: ["/channels", "/channels/new", "/channels/new?type=slack", "/channels/$channel"],
  rules: ["/rules/new", "/rules/$rule"],
  settings: [
    "/settings",
    "/settings/account",
    "/settings/organization",
    "/settings/members",
    "/settings/sign-on",
    "/settings/audit",
    "/settings/billing",
    "/settings/installation"
  ],
  "signing in": [
    "/sign-in",
    "/sign-up",
    "/forgot-password",
    "/reset-password?token=none",
    "/invitation?token=none",
    "/device",
    "/device?user_code=BCDF-GHJK",
    "/nowhere"
  ]
}

describe.skipIf(Browser.skipped)(`names made to break the dashboard${Browser.note}`, () => {
  layer(Named.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    for (const [title, addresses] of Object.entries(pages))
      it.effect(`are held by the pages about ${title}, in every look`, () =>
        Effect.gen(function* () {
          const { origin } = yield* Installation
          const { ids, session } = yield* Named
          yield* Browser.visit({ ...view, storageState: session }, async (context, faults) => {
            policyFaults(context, faults)
            const page = await context.newPage()
            const wrong: Array<string> = []
            for (const address of addresses) {
              await page.goto(`${origin}${address.replace(/[$]\w+/, (name) => ids[name] ?? name)}`)
              await settled(page)
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

    it.effect("leave out no page", () =>
      Effect.promise(async () => {
        const router = path.resolve(import.meta.dirname, "../../apps/dashboard/src/router.tsx")
        const addresses = Object.values(pages).flat()
        for (const [, route = ""] of (await fs.readFile(router, "utf8")).matchAll(/path: "([^"]+)"/g)) {
          const pattern = new RegExp(`^(/settings)?${route.replaceAll("$id", "[^/]+").replace(/\/$/, "")}/?([?].*)?$`)
          assert.isTrue(route.startsWith("/dev/") || addresses.some((address) => pattern.test(address)), route)
        }
      })
    )
  })
})
