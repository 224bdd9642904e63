/** The audit log stays for 400 days: it keeps no address whose path or query could be a secret. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { person, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const
const secrets = ["first-path-secret", "second-path-secret", "query-secret"]

layer(shared, live)("an entry of the audit log", (it) => {
  it.effect("keeps the host of a monitor's address, and says that something behind it changed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const url = `https://shop.example/${secrets[0]}?key=${secrets[2]}`
      const links = [{ title: "Runbook", url: "https://wiki.example/shop" }]
      const made = yield* ada.withKey("POST", "/monitors", { ...shop, url, links })
      assert.strictEqual(made.body.url, url)
      const changed = { url: `https://shop.example/${secrets[1]}` }
      yield* ada.withKey("PATCH", `/monitors/${made.body.id}`, changed)
      yield* ada.withKey("PATCH", `/monitors/${made.body.id}`, { url: "https://other.example/" })
      yield* ada.withKey("DELETE", `/monitors/${made.body.id}`)
      const { body: log } = yield* ada.withKey("GET", `/audit-log?target=${made.body.id}`)
      const [gone, moved, updated, created] = log
      assert.strictEqual(created.after.url, "https://shop.example/••••")
      assert.deepStrictEqual(created.after.links, links)
      assert.deepInclude(updated, {
        before: { url: "https://shop.example/••••" },
        after: { url: "https://shop.example/••••" }
      })
      assert.deepInclude(moved, {
        before: { url: "https://shop.example/••••" },
        after: { url: "https://other.example/" }
      })
      assert.strictEqual(gone.before.url, "https://other.example/")
    })
  )

  it.effect("keeps the host of a channel's address, in the log and in the table", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const config = { url: `https://hooks.example/${secrets[0]}?key=${secrets[2]}`, method: "POST" }
      const made = yield* ada.withKey("POST", "/notification-channels", { name: "Hook", type: "webhook", config })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const path = `/notification-channels/${made.body.id}`
      yield* ada.withKey("PATCH", path, { config: { url: `https://hooks.example/${secrets[1]}` } })
      yield* ada.withKey("DELETE", path)
      const { body: log } = yield* ada.withKey("GET", `/audit-log?target=${made.body.id}`)
      assert.lengthOf(log, 3)
      assert.strictEqual(log[2].after["config.url"], "https://hooks.example/••••")
      const sql = yield* SqlClient.SqlClient
      const stored = JSON.stringify(yield* sql`SELECT to_jsonb(a)::text AS entry FROM audit_log a`)
      for (const secret of secrets) assert.notInclude(stored, secret)
    })
  )
})
