/** Below a path: the link of a notification that was delivered, and the sign-in of the command line, lead where they say. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as TerminalLogin from "../support/TerminalLogin.ts"

const below = "/team/kanmon"

it.live("acknowledges an alert by the link of a notification, and signs the command line in", () =>
  Effect.gen(function* () {
    const receiver = yield* Receiver.make
    const product = yield* make({ below })
    yield* product.healthy
    const ada = yield* product.signUp
    const server = product.base.replace("/api/v1", "")
    assert.isTrue(server.endsWith(below))
    yield* ada.call("POST", "/notification-channels", { name: "Hook", type: "webhook", config: { url: receiver.url } })
    yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down", consecutiveFailures: 1 })
    yield* ada.call("POST", "/monitors", { name: "Shop", type: "tcp", host: "127.0.0.1", port: 1, interval: 10 })
    const [down] = yield* eventually(
      Effect.sync(() => receiver.received.filter(({ body }) => body.event === "monitor_down")),
      (all) => all.length > 0
    )
    const { acknowledgeUrl, links } = down!.body
    for (const address of [acknowledgeUrl, links.monitor]) assert.isTrue(address.startsWith(`${server}/`), address)

    // The button of its page leads below the path, too.
    const page = yield* product.call("GET", acknowledgeUrl)
    assert.strictEqual(page.status, 200, page.body)
    const [, action = ""] = /<form[^>]*action="([^"]*)"/.exec(page.body) ?? []
    const to = new URL(action.replaceAll("&amp;", "&"), acknowledgeUrl).href
    assert.isTrue(to.startsWith(`${server}/`), to)
    assert.strictEqual((yield* product.call("POST", to)).status, 200)
    const { body: alerts } = yield* ada.call("GET", "/alerts?state=acknowledged")
    assert.lengthOf(alerts, 1)

    const folder = yield* Folder.make()
    const env = { HOME: folder, XDG_CONFIG_HOME: folder }
    let shown = ""
    const done = yield* TerminalLogin.run(env, ["--server", server, "--no-browser"], (userCode, output) => {
      shown = output
      return product.call("POST", "/auth/device/approve", { userCode }, { cookie: ada.cookie })
    })
    assert.strictEqual(done.code, 0, done.output)
    assert.include(shown, `Open ${server}/device?user_code=`)
    const who = yield* kanmon(["whoami", "--server", server], env)
    assert.strictEqual(who.code, 0, who.output)
    assert.include(who.output, "@example.org")
  }).pipe(Effect.scoped)
)
