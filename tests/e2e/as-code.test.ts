/** `kanmon apply`, as people and pipelines run it: files in, plan out, and a project that is what the files say. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as Product from "../support/Product.ts"

const example = path.resolve(import.meta.dirname, "../../docs/examples/as-code/kanmon.yaml")
const secrets = { TELEGRAM_BOT_TOKEN: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", HOOK_TOKEN: "a-token-of-the-hook" }

it.live(
  "kanmon apply",
  () =>
    Effect.gen(function* () {
      const product = yield* Product.make({ withoutNats: true })
      yield* product.healthy
      const ada = yield* product.signUp
      const env = { KANMON_URL: product.base.replace("/api/v1", ""), KANMON_API_KEY: ada.key, ...secrets }
      const apply = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
        kanmon(["apply", ...args], { ...env, ...more })
      const list = (route: string) => Effect.map(ada.call("GET", route), ({ body }) => body as ReadonlyArray<any>)
      const folder = yield* Folder.make()
      const write = (name: string, text: string) => Effect.promise(() => fs.writeFile(path.join(folder, name), text))
      const text = yield* Effect.promise(() => fs.readFile(example, "utf8"))
      const byHand = (yield* ada.call("POST", "/monitors", { name: "By hand", type: "ping", host: "a.example" })).body

      // Nothing is done unasked.
      const looked = yield* apply(["-f", example, "--dry-run", "--detailed-exitcode"])
      assert.strictEqual(looked.code, 2, looked.output)
      assert.include(looked.output, "11 to create, 0 to update, 0 to delete, 0 unchanged.")
      assert.include(looked.output, "Project Default at")
      assert.strictEqual((yield* apply(["-f", example, "--dry-run"])).code, 0)
      const unasked = yield* apply(["-f", example])
      assert.strictEqual(unasked.code, 1)
      assert.include(unasked.output, "add --yes")
      assert.lengthOf(yield* list("/monitors"), 1)

      // It is done, and then it is.
      const first = yield* apply(["-f", example, "--yes"])
      assert.strictEqual(first.code, 0, first.output)
      assert.include(first.output, "created page public")
      const again = yield* apply(["-f", example, "--yes", "--dry-run", "--detailed-exitcode"])
      assert.deepStrictEqual(
        [again.code, again.output.includes("Nothing to do: 11 unchanged.")],
        [0, true],
        again.output
      )
      const monitors = new Map((yield* list("/monitors")).map((monitor) => [monitor.key, monitor]))
      const [page] = yield* list("/status-pages?key=public")
      assert.deepStrictEqual(page.monitors, [
        { monitorId: monitors.get("shop-home").id, displayGroup: "Shop" },
        { monitorId: monitors.get("shop-api").id, displayGroup: "Shop" },
        { monitorId: monitors.get("shop-mail").id, displayGroup: null }
      ])
      const [onCall] = yield* list("/notification-channels?key=on-call")
      assert.include((yield* list("/alert-rules?key=backup-missed"))[0], { key: "backup-missed", resendEvery: 0 })

      // Changes, from two files of a folder: fields, a secret that ends as the old one did, what is not there any more.
      const changed = text
        .replace("degradedThreshold: 800", "degradedThreshold: 900")
        .replace("name: Nightly backup", "name: Backup")
        .replace(/  shop-mail:[\s\S]*?MX\n/, "")
        .replace("      - shop-mail\n", "")
      const [before = "", after = ""] = changed.split(/(?=^rules:)/m)
      yield* write("a.yaml", before)
      yield* write("b.yml", after)
      const other = { TELEGRAM_BOT_TOKEN: secrets.TELEGRAM_BOT_TOKEN.replace("ABC", "XYZ") }
      const plan = yield* apply(["-f", folder, "--dry-run"], other)
      assert.include(plan.output, "0 to create, 4 to update, 0 to delete, 6 unchanged.")
      assert.include(plan.output, "degradedThreshold: 800 → 900")
      assert.include(plan.output, 'name: "Nightly backup" → "Backup"')
      assert.include(plan.output, "config.botToken: (secret) → (secret)")
      assert.include(plan.output, "left alone: monitor shop-mail. --prune deletes them.")
      assert.notInclude(plan.output, "XYZdef")
      const pruned = yield* apply(["-f", folder, "--prune", "--yes"], other)
      assert.strictEqual(pruned.code, 0, pruned.output)
      assert.include(pruned.output, "deleted monitor shop-mail")
      const now = yield* list("/monitors")
      assert.notInclude(
        now.map(({ key }) => key),
        "shop-mail"
      )
      assert.include(
        now.map(({ id }) => id),
        byHand.id
      )
      const find = (key: string) => now.find((monitor) => monitor.key === key)
      assert.include(find("nightly-backup"), { id: monitors.get("nightly-backup").id, name: "Backup" })
      assert.strictEqual((yield* list("/notification-channels?key=on-call"))[0].id, onCall.id)
      assert.include(
        (yield* apply(["-f", folder, "--prune", "--dry-run"], other)).output,
        "Nothing to do: 10 unchanged."
      )

      // What is wrong is said where it stands, all of it at once, and before anything is done.
      yield* write(
        "bad.yaml",
        ["monitors:", "  one:", "    type: http", "    url: ${NOWHERE}", "    intervall: 5"].join("\n")
      )
      const bad = yield* apply(["-f", path.join(folder, "bad.yaml"), "--yes"])
      assert.strictEqual(bad.code, 1)
      assert.include(bad.output, "bad.yaml:4:5  monitors.one.url: The environment variable NOWHERE is not set")
      assert.include(bad.output, "bad.yaml:5:5  monitors.one.intervall: Unknown field; did you mean interval?")

      // What only the server knows is refused where it stands as well; what went before stays, and the next run goes on.
      yield* write(
        "c.yaml",
        [
          "monitors:",
          "  two:",
          "    type: ping",
          "    host: b.example",
          "  three:",
          "    type: ping",
          "    host: c.example",
          "    regions: [mars-north]"
        ].join("\n")
      )
      const half = yield* apply(["-f", folder, "-f", path.join(folder, "c.yaml")], other)
      assert.include(half.output, "c.yaml:2:3  monitors.two: This key is used in")
      yield* Effect.promise(() => fs.rm(path.join(folder, "bad.yaml")))
      const partly = yield* apply(["-f", path.join(folder, "c.yaml"), "--yes"])
      assert.strictEqual(partly.code, 1, partly.output)
      assert.include(partly.output, "c.yaml:8:5  monitors.three.regions")
      assert.include(partly.output, "1 of 2 steps were done")
      yield* write("c.yaml", ["monitors:", "  two:", "    type: ping", "    host: b.example"].join("\n"))
      assert.include((yield* apply(["-f", path.join(folder, "c.yaml"), "--yes"])).output, "Nothing to do: 1 unchanged.")

      assert.include((yield* apply(["-f", example], { KANMON_API_KEY: "" })).output, "KANMON_API_KEY is not set")
      assert.include(
        (yield* apply(["-f", example], { KANMON_API_KEY: "km_no" })).output,
        "set KANMON_API_KEY to the key"
      )
    }).pipe(Effect.scoped),
  90_000
)
