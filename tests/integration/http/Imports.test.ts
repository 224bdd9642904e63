/** Files of Uptime Kuma that are uploaded: what would be created, and what becomes of files that are not what they say. */
import { readdirSync } from "node:fs"
import * as fs from "node:fs/promises"
import { getPriority, tmpdir } from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { afterAll, assert, layer } from "@effect/vitest"
import { KumaDatabase } from "../../../packages/as-code/test/UptimeKumaTables.ts"
import { layerReader, TemporaryFolder, UptimeKumaReader } from "@kanmon/monitoring/imports"
import { Effect, Fiber, Layer, Schedule, Stream } from "effect"
import { bundle } from "../../../apps/server/scripts/bundle.ts"
import { ImportChild } from "../../../apps/server/src/HttpApp.ts"
import * as Folder from "../../support/Folder.ts"
import { layer as server, person, port, refused } from "./Server.ts"

/** The module that reads a file, as users run it: compiled, it starts with a third of the work. */
const compiled = await fs.mkdtemp(path.join(tmpdir(), "kanmon-import-child-"))
await bundle(compiled, { UptimeKumaChild: "apps/server/src/imports/UptimeKumaChild.ts" })
await fs.writeFile(path.join(compiled, "package.json"), `{ "type": "module" }`)
afterAll(() => fs.rm(compiled, { recursive: true }))
const child = pathToFileURL(path.join(compiled, "UptimeKumaChild.js"))

const url = "https://a.example"

const rows = {
  user: [{ id: 1, username: "ada" }],
  notification: [
    {
      id: 1,
      name: "Hook",
      user_id: 1,
      config: JSON.stringify({ type: "webhook", name: "Hook", webhookURL: "https://hook.example/in?key=s3cret" })
    },
    { id: 2, name: "Phone app", user_id: 1, config: JSON.stringify({ type: "gotify", name: "Phone app" }) }
  ],
  monitor: [
    { id: 1, name: "Home", type: "http", url, interval: 60, maxretries: 1 },
    { id: 2, name: "Game", type: "gamedig", hostname: "game.example", port: 27_015, interval: 60 },
    { id: 3, name: "Router", type: "port", hostname: "192.0.2.1", port: 22, interval: 60 }
  ],
  monitor_notification: [{ id: 1, monitor_id: 1, notification_id: 1 }],
  status_page: [{ id: 1, slug: "imported", title: "Imported", icon: "", theme: "auto", published: 1 }],
  group: [{ id: 1, name: "Services", status_page_id: 1, public: 1, active: 1, weight: 1 }],
  monitor_group: [{ id: 1, monitor_id: 1, group_id: 1, weight: 1 }]
}

/** Where uploaded files are, of this test alone: what it finds there is not another's. */
const environment = Layer.unwrap(
  Effect.map(Folder.make(), (folder) =>
    server().pipe(Layer.provideMerge([Layer.succeed(TemporaryFolder, folder), Layer.succeed(ImportChild, child)]))
  )
)

const leftovers = Effect.map(TemporaryFolder, (folder) =>
  readdirSync(folder).filter((name) => name.startsWith("kanmon-import-"))
)

/** Sends a file as it is. */
const upload = Effect.fnUntraced(function* (key: string, body: Uint8Array | string, type = "application/octet-stream") {
  const at = yield* port
  return yield* Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${at}/api/v1/imports/uptime-kuma`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": type },
      body: typeof body === "string" ? body : new Uint8Array(body)
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  })
})

/** Statements that fill a table with many rows. */
const manyRows = (table: string): ReadonlyArray<string> => [
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) INSERT INTO ${table} (id) SELECT x FROM n`
]

/** A database that somebody made to do harm, from these statements. */
const made = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const file = path.join(yield* Folder.make(), "kuma.db")
  const database = new DatabaseSync(file)
  for (const statement of statements) database.exec(statement)
  database.close()
  return yield* Effect.promise(() => fs.readFile(file))
})

layer(environment, { excludeTestServices: true, timeout: "2 minutes" })("the import of Uptime Kuma", (it) => {
  it.effect("plans what a database holds, in requests that succeed one after another", () =>
    Effect.gen(function* () {
      const ada = yield* person
      using kuma = new KumaDatabase(rows)
      const { body: plan, status } = yield* upload(ada.key, yield* Effect.promise(() => fs.readFile(kuma.copy(""))))
      assert.strictEqual(status, 200, JSON.stringify(plan))
      assert.deepInclude(plan.counts, { monitors: 2, channels: 1, pages: 1 })
      assert.strictEqual(plan.shortestInterval, 10)
      assert.isTrue(plan.steps.every(({ exists }: any) => exists === false))
      assert.sameMembers(
        plan.notes.filter((note: any) => note.leftOut).map(({ about }: any) => about),
        ["Monitor Game", "Channel Phone app"]
      )
      const ids: Array<readonly [string, string]> = []
      for (const { body, path: route, ref } of plan.steps) {
        const text = ids.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(body))
        const answer = yield* ada.withKey("POST", route, text)
        assert.strictEqual(answer.status, 201, `${text} ${JSON.stringify(answer.body)}`)
        ids.push([ref, answer.body.id])
      }
      const { body: monitors } = yield* ada.withKey("GET", "/monitors")
      assert.sameMembers(
        monitors.map(({ name }: any) => name),
        ["Home", "Router"]
      )
      const existing = yield* upload(ada.key, yield* Effect.promise(() => fs.readFile(kuma.copy(""))))
      assert.isTrue(existing.body.steps.every(({ exists }: any) => exists === true))
      const other = yield* person
      const theirs = yield* upload(other.key, yield* Effect.promise(() => fs.readFile(kuma.copy(""))))
      assert.isTrue(theirs.body.steps.every(({ exists }: any) => exists === false))
      const { body: pages } = yield* ada.withKey("GET", "/status-pages")
      assert.deepStrictEqual(pages[0].monitors[0].displayGroup, "Services")
      // A second time everything is there: keys say so.
      const again = yield* ada.withKey("POST", plan.steps[0].path, JSON.stringify(plan.steps[0].body))
      refused(again, 409, "conflict")
      assert.deepStrictEqual(yield* leftovers, [])
    })
  )

  it.effect("reads a JSON backup of version 1", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const backup = path.resolve(import.meta.dirname, "../../../packages/as-code/test/uptime-kuma-1.23.16.json")
      const { body: plan, status } = yield* upload(ada.key, yield* Effect.promise(() => fs.readFile(backup)))
      assert.strictEqual(status, 200, JSON.stringify(plan))
      assert.isAbove(plan.counts.monitors, 0)
    })
  )

  it.effect("needs the role that creates monitors", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const viewer = yield* ada.withKey("POST", `/projects/${ada.projectId}/api-keys`, { name: "Look", role: "viewer" })
      refused(yield* upload(viewer.body.apiKey, "{}"), 403, "forbidden")
      refused(yield* upload("km_unknown", "{}"), 401, "unauthorized")
      refused(yield* upload(ada.key, "{}", "application/json"), 415, "unsupported_media_type")
    })
  )

  it.effect(
    "refuses files that are damaged or made to do harm, and leaves nothing behind",
    () =>
      Effect.gen(function* () {
        const ada = yield* person
        const folder = yield* TemporaryFolder
        using kuma = new KumaDatabase(rows)
        const good = yield* Effect.promise(() => fs.readFile(kuma.copy("")))
        const damaged = Buffer.from(good)
        damaged.fill(0xff, 4096, 12_288)
        const forever =
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS name, 'http' AS type FROM n"
        const files = {
          empty: "",
          text: "not a database at all",
          json: "[1, 2",
          "another database": yield* made("CREATE TABLE notes (id INTEGER)"),
          "half of one": good.subarray(0, 5000),
          damaged,
          "a header alone": good.subarray(0, 100),
          "a view without end": yield* made(
            "CREATE TABLE notification (id INTEGER)",
            "CREATE TABLE setting (id INTEGER)",
            `CREATE VIEW monitor AS ${forever}`
          ),
          "values of gigabytes": yield* made(
            "CREATE TABLE setting (id INTEGER)",
            "CREATE TABLE notification (id INTEGER)",
            "CREATE TABLE knex_migrations (id INTEGER)",
            "CREATE TABLE monitor (id INTEGER, conditions TEXT)",
            "CREATE TABLE knex_migrations_lock (id INTEGER, is_locked BLOB AS (zeroblob(3000000)))",
            ...manyRows("knex_migrations_lock")
          )
        }
        for (const [name, file] of Object.entries(files)) {
          const answer = yield* upload(ada.key, file)
          refused(answer, 422, "validation_failed", "")
          const { message } = answer.body.errors[0]
          assert.match(message, /^The file /, name)
          assert.notInclude(message, folder, name)
        }
        assert.deepStrictEqual(yield* leftovers, [])
      }).pipe(Effect.scoped),
    120_000
  )

  it.effect("gives up on a file that takes too long, and does nothing else meanwhile", () =>
    Effect.gen(function* () {
      const columns = ["CREATE TABLE setting (id INTEGER)", "CREATE TABLE knex_migrations (id INTEGER)"]
      // Generated columns run when they are read.
      const slow = yield* made(
        ...columns,
        "CREATE TABLE notification (id INTEGER)",
        "CREATE TABLE knex_migrations_lock (id INTEGER)",
        "CREATE TABLE monitor (id INTEGER, conditions TEXT)",
        ...manyRows("knex_migrations_lock"),
        "ALTER TABLE knex_migrations_lock ADD COLUMN is_locked INTEGER AS (length(replace(hex(zeroblob(1900000 + id)), '0', '1')))"
      )
      const reader = yield* UptimeKumaReader
      const failure = yield* Effect.flip(reader.plan("ada", Stream.make(slow)))
      assert.match(failure.message, /takes too long/)
      assert.deepStrictEqual(yield* leftovers, [])
    }).pipe(Effect.scoped, Effect.provide(layerReader(child, 2000)))
  )

  it.effect("ends at a row that would take more memory than the machine may have", () =>
    Effect.gen(function* () {
      const blob = "BLOB AS (zeroblob(4190000))"
      const columns = Array.from({ length: 290 }, (_, index) => `made_${index} ${blob}`).join(", ")
      const file = yield* made(
        "CREATE TABLE setting (id INTEGER)",
        "CREATE TABLE notification (id INTEGER)",
        "CREATE TABLE knex_migrations (id INTEGER)",
        "CREATE TABLE monitor (id INTEGER, conditions TEXT)",
        "CREATE TABLE knex_migrations_lock (is_locked INTEGER)",
        `CREATE TABLE monitor_notification (id INTEGER PRIMARY KEY, monitor_id INTEGER, ${columns})`,
        "INSERT INTO monitor_notification (id) VALUES (1)"
      )
      const failure = yield* Effect.flip((yield* UptimeKumaReader).plan("ada", Stream.make(file)))
      assert.match(failure.message, /too much memory/)
      assert.deepStrictEqual(yield* leftovers, [])
    }).pipe(Effect.scoped, Effect.provide(layerReader(child)))
  )

  it.effect("refuses views at once, before it reads any", () =>
    Effect.gen(function* () {
      const columns = ["CREATE TABLE setting (id INTEGER)", "CREATE TABLE notification (id INTEGER)"]
      const file = yield* made(
        ...columns,
        "CREATE TABLE knex_migrations (id INTEGER)",
        "CREATE TABLE monitor (id INTEGER, conditions TEXT)",
        "CREATE VIEW knex_migrations_lock AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS is_locked FROM n"
      )
      const failure = yield* Effect.flip((yield* UptimeKumaReader).plan("ada", Stream.make(file)))
      assert.match(failure.message, /has views \(knex_migrations_lock\)/)
    }).pipe(Effect.scoped, Effect.provide(layerReader(child)))
  )

  it.effect("reads in a process that yields to others and opens no other file", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make()
      const spy = path.join(folder, "spy.mjs")
      yield* Effect.promise(() =>
        fs.writeFile(
          spy,
          `import { readFileSync } from "node:fs"
          import { getPriority } from "node:os"
          const tried = (read) => { try { read(); return "read" } catch (error) { return error.code } }
          const message = JSON.stringify({
            upload: tried(() => readFileSync(process.argv[2])),
            beside: tried(() => readFileSync(${JSON.stringify(path.resolve(import.meta.dirname, "../../../package.json"))})),
            system: tried(() => readFileSync("/etc/passwd")),
            environment: Object.keys(process.env).filter((name) => /KANMON|DATABASE|SECRET/.test(name)),
            priority: getPriority(0)
          })
          process.send({ _tag: "Refused", message }, () => process.disconnect())`
        )
      )
      const reader = yield* Effect.provide(UptimeKumaReader, layerReader(pathToFileURL(spy)))
      const failure = yield* Effect.flip(reader.plan("ada", Stream.make(new Uint8Array([1]))))
      assert.deepStrictEqual(JSON.parse(failure.message), {
        upload: "read",
        beside: "ERR_ACCESS_DENIED",
        system: "ERR_ACCESS_DENIED",
        environment: [],
        priority: Math.min(19, getPriority() + 5)
      })
    }).pipe(Effect.scoped)
  )

  it.effect("takes one file of an account at a time, a few of all, and none that is too large", () =>
    Effect.gen(function* () {
      const reader = yield* UptimeKumaReader
      const endless = Stream.repeat(Stream.make(new Uint8Array(1024 * 1024)), Schedule.forever)
      const large = yield* Effect.flip(reader.plan("ada", endless))
      assert.strictEqual(large._tag === "NotPlanned" && large.reason, "too_large")
      const busy = (account: string) =>
        Effect.map(Effect.flip(reader.plan(account, Stream.never)), (failure) => {
          assert.strictEqual(failure._tag === "NotPlanned" && failure.reason, "busy")
          return failure.message
        })
      using kuma = new KumaDatabase(rows)
      const good = Stream.make(new Uint8Array(yield* Effect.promise(() => fs.readFile(kuma.copy("")))))
      const slowly = (account: string) =>
        Effect.forkChild(reader.plan(account, Stream.never), { startImmediately: true })
      const first = yield* slowly("slow 1")
      assert.match(yield* busy("slow 1"), /^Another file is on its way/)
      const others = yield* Effect.forEach([2, 3, 4, 5, 6, 7], (index) => slowly(`slow ${index}`))
      // Connections that send nothing keep nobody from importing.
      assert.strictEqual((yield* reader.plan("ada", good)).counts.monitors, 2)
      const last = yield* slowly("slow 8")
      assert.match(yield* busy("ada"), /^Other imports are on their way/)
      yield* Fiber.interruptAll([first, last, ...others])
      assert.deepStrictEqual(yield* leftovers, [])
      assert.strictEqual((yield* reader.plan("slow 1", good)).counts.monitors, 2)
    }).pipe(Effect.provide(layerReader(child)))
  )

  it.effect("removes what a killed server left behind, and nothing that is in use", () =>
    Effect.gen(function* () {
      const folder = yield* TemporaryFolder
      const [left, used, other] = yield* Effect.promise(() =>
        Promise.all(
          ["kanmon-import-", "kanmon-import-", "unrelated-"].map((name) => fs.mkdtemp(path.join(folder, name)))
        )
      )
      const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
      for (const old of [left!, other!])
        yield* Effect.promise(async () => {
          await fs.writeFile(path.join(old, "kuma.db"), "somebody's keys")
          await fs.utimes(old, longAgo, longAgo)
        })
      yield* Effect.provide(UptimeKumaReader, layerReader(child))
      const there = readdirSync(folder)
      assert.notInclude(there, path.basename(left!))
      assert.includeMembers(there, [path.basename(used!), path.basename(other!)])
      yield* Effect.promise(() => fs.rm(used!, { recursive: true }))
    })
  )
})
