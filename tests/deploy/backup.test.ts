/** What docs/operate/backup.md promises, with the operator's own PostgreSQL and its tools. */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DebianPostgres from "../support/DebianPostgres.ts"
import * as Folder from "../support/Folder.ts"
import { type Client, eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"

describe.skipIf(DebianPostgres.skipped)(`a backup${DebianPostgres.note}`, () => {
  it.live("restores a whole installation from pg_dump and the secret", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const { tool, url } = yield* DebianPostgres.make
      yield* tool("createdb", `--maintenance-db=${url("postgres")}`, "kanmon")
      const on = (database: string) =>
        make({
          withoutNats: true,
          env: { DATABASE_URL: url(database), KANMON_SECRET: "a secret that is kept beside the backup" }
        })

      const first = yield* on("kanmon")
      yield* first.healthy
      const ada = yield* first.signUp
      const channel = yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url, secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" }
      })
      const target = { name: "Web", type: "http", url: `http://127.0.0.1:${web.port}/`, interval: 10 }
      const { body: monitor } = yield* ada.call("POST", "/monitors", target)
      const stands = (client: Client) => client.call("GET", `/monitors/${monitor.id}`)
      const { body: known } = yield* eventually(stands(ada), ({ body }) => body.status === "up")

      const file = path.join(yield* Folder.make(), "kanmon.dump")
      yield* tool("pg_dump", "--format=custom", "--no-owner", `--file=${file}`, url("kanmon"))
      yield* first.stop()
      yield* tool("createdb", `--maintenance-db=${url("postgres")}`, "restored")
      yield* tool("pg_restore", "--no-owner", "--exit-on-error", `--dbname=${url("restored")}`, file)

      const second = yield* on("restored")
      yield* second.healthy
      const again: Client = {
        key: ada.key,
        call: (method, route, body) => second.call(method, route, body, { "x-api-key": ada.key })
      }
      const { body: kept } = yield* stands(again)
      assert.deepStrictEqual([kept.id, kept.createdAt, kept.status], [known.id, known.createdAt, "up"])
      yield* eventually(stands(again), ({ body }) => body.lastCheckedAt > known.lastCheckedAt)
      yield* again.call("POST", `/notification-channels/${channel.body.id}/test`)
      assert.match(receiver.received.at(-1)!.headers["webhook-signature"]!, /^v1,/)
    }).pipe(Effect.scoped)
  )
})
