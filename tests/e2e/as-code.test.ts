/** `kanmon apply`, as people and pipelines run it: files in, plan out, and a project that is what the files say. */
import * as fsSync from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { KumaDatabase } from "../../packages/as-code/test/UptimeKumaTables.ts"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import { eventually } from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"
import * as SharedProduct from "../support/SharedProduct.ts"

/** The commands of the example workflow. */
const workflow = fsSync
  .readFileSync(path.resolve(import.meta.dirname, "../../docs/examples/as-code/github-actions.yml"), "utf8")
  .split("\n")
  .flatMap((line) => /^\s*(?:- )?run: npx --yes @kanmon\/cli@\S+ (apply .*)$/.exec(line)?.[1]?.trim() ?? [])

const example = path.resolve(import.meta.dirname, "../../docs/examples/as-code/kanmon.yaml")
const backup = path.resolve(import.meta.dirname, "../../packages/as-code/test/uptime-kuma-1.23.16.json")
const secrets = { TELEGRAM_BOT_TOKEN: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", HOOK_TOKEN: "a-token-of-the-hook" }

it.live("reports mistakes and imports backups without a server", () =>
  Effect.gen(function* () {
    const folder = yield* Folder.make({
      "bad.yaml": "monitors:\n  one:\n    type: http\n    url: ${NOWHERE}\n    intervall: 5\n"
    })
    const [file, secretsFile] = [path.join(folder, "kuma.yaml"), path.join(folder, "kuma.env")]
    using database = new KumaDatabase({
      monitor: [{ id: 1, name: "Shop", type: "http", url: "https://shop.example" }],
      maintenance: [
        {
          id: 1,
          title: "Nightly",
          description: "",
          strategy: "cron",
          cron: "0 2 * * *",
          duration: 600,
          timezone: "UTC"
        }
      ],
      monitor_maintenance: [{ monitor_id: 1, maintenance_id: 1 }]
    })
    const [bad, imported, ofDatabase, notDatabase] = yield* Effect.all(
      [
        kanmon(["apply", "-f", folder, "--yes"]),
        kanmon(["import", "uptime-kuma", backup, "-o", file, "--secrets-file", secretsFile]),
        kanmon(["import", "uptime-kuma", database.folder]),
        kanmon(["import", "uptime-kuma", path.join(folder, "bad.yaml")])
      ],
      { concurrency: 2 }
    )
    // All at once, and where they stand.
    assert.strictEqual(bad.code, 1)
    assert.include(bad.output, "bad.yaml:4:5  monitors.one.url: The environment variable NOWHERE is not set")
    assert.include(bad.output, "bad.yaml:5:5  monitors.one.intervall: Unknown field; did you mean interval?")

    // The secrets are beside the file, for nobody else to read.
    assert.strictEqual(imported.code, 0, imported.output)
    assert.include(imported.output, "Channel Gotify: There is no channel of its type, gotify")
    assert.include(imported.output, `set -a; . ${secretsFile}; set +a`, "the commands that follow read the secrets")
    assert.include(imported.output, `${secretsFile} contains secrets: keep it out of version control`)
    assert.include(yield* Effect.promise(() => fs.readFile(file, "utf8")), "${CHANNEL_ON_CALL_BOT_TOKEN}")
    assert.strictEqual((yield* Effect.promise(() => fs.stat(secretsFile))).mode & 0o777, 0o600)

    // A folder with a database is read in place.
    assert.strictEqual(ofDatabase.code, 0, ofDatabase.output)
    assert.notInclude(ofDatabase.output, "maintenance:nightly")
    assert.match(ofDatabase.output, /\n {2}nightly:\n(?: {4}.*\n)* {4}monitors:\n {6}- \S/)
    assert.include(ofDatabase.output, "maintenance:\n  nightly:\n    title: Nightly")
    assert.include(ofDatabase.output, "recurrence: FREQ=DAILY")
    assert.strictEqual(notDatabase.code, 1)
    assert.include(notDatabase.output, "is not a SQLite database")
  }).pipe(Effect.scoped)
)

/** A new project, a folder for files, and the command with the project's key. */
const stage = Effect.gen(function* () {
  const product = yield* SharedProduct.product
  const ada = yield* product.signUp
  const folder = yield* Folder.make()
  const env = { KANMON_URL: product.base.replace("/api/v1", ""), KANMON_API_KEY: ada.key, ...secrets }
  return {
    ada,
    folder,
    apply: (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
      kanmon(["apply", ...args], { ...env, ...more }),
    pull: (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
      kanmon(["pull", ...args], { ...env, ...more }),
    list: (route: string) => Effect.map(ada.call("GET", route), ({ body }) => body as ReadonlyArray<any>),
    write: (name: string, text: string) => Effect.promise(() => fs.writeFile(path.join(folder, name), text))
  }
})

/** Nothing is changed, and the exit code says whether something would be. */
const asks = ["--dry-run", "--detailed-exitcode"]

it.live("makes a project match files", () =>
  Effect.gen(function* () {
    const { ada, apply, folder, list, write } = yield* stage
    const text = yield* Effect.promise(() => fs.readFile(example, "utf8"))
    const byHand = (yield* ada.call("POST", "/monitors", { name: "By hand", type: "ping", host: "a.example" })).body

    // Nothing is done unasked.
    const [looked, unasked] = yield* Effect.all(
      [apply(["-f", example, "--dry-run", "--detailed-exitcode"]), apply(["-f", example])],
      { concurrency: 2 }
    )
    assert.strictEqual(looked.code, 2, looked.output)
    assert.include(looked.output, "Project Default at")
    assert.include(looked.output, "12 to create, 0 to update, 0 to delete, 0 unchanged.")
    assert.include(looked.output, "The server accepts these changes.")
    assert.strictEqual(unasked.code, 1)
    assert.include(unasked.output, "add --yes")
    assert.lengthOf(yield* list("/monitors"), 1)

    // It is done, and then there is nothing to do.
    const first = yield* apply(["-f", example, "--yes"])
    assert.strictEqual(first.code, 0, first.output)
    assert.include(first.output, "created page public")
    const again = yield* apply(["-f", example, "--dry-run", "--detailed-exitcode"])
    assert.include(again.output, "Nothing to do: 12 unchanged.")
    assert.strictEqual(again.code, 0)
    const monitors = new Map((yield* list("/monitors")).map((monitor) => [monitor.key, monitor]))
    const told = (yield* list("/alert-rules")).filter(({ triggers }) => triggers.includes("ssl_expiring"))
    assert.deepStrictEqual(
      told.map(({ key }) => key),
      [null],
      "the rule that every project begins with is the only one for certificates"
    )
    const [page] = yield* list("/status-pages?key=public")
    assert.deepStrictEqual(page.monitors, [
      { monitorId: monitors.get("shop-home").id, displayGroup: "Shop" },
      { monitorId: monitors.get("shop-api").id, displayGroup: "Shop" },
      { monitorId: monitors.get("shop-mail").id, displayGroup: null }
    ])

    // Changes, in two files of a folder: fields, a secret that ends as the old one did, a monitor that is gone.
    const changed = text
      .replace("degradedThreshold: 800", "degradedThreshold: 900")
      .replace("name: Nightly backup", "name: Backup")
      .replace(/  shop-mail:[\s\S]*?MX\n/, "")
      .replace("      - shop-mail\n", "")
    const [before = "", after = ""] = changed.split(/(?=^rules:)/m)
    yield* write("a.yaml", before)
    yield* write("b.yml", after)
    const [onCall] = yield* list("/notification-channels?key=on-call")
    const pruned = yield* apply(["-f", folder, "--prune", "--yes"], {
      TELEGRAM_BOT_TOKEN: secrets.TELEGRAM_BOT_TOKEN.replace("ABC", "XYZ")
    })
    assert.strictEqual(pruned.code, 0, pruned.output)
    assert.include(pruned.output, "0 to create, 4 to update, 1 to delete, 7 unchanged.")
    assert.include(pruned.output, "degradedThreshold: 800 → 900")
    assert.include(pruned.output, 'name: "Nightly backup" → "Backup"')
    assert.include(pruned.output, "config.botToken: (secret) → (secret)")
    assert.include(pruned.output, "deleted monitor shop-mail")
    assert.notInclude(pruned.output, "XYZdef")
    const now = new Map((yield* list("/monitors")).map((monitor) => [monitor.key, monitor]))
    assert.isFalse(now.has("shop-mail"))
    assert.strictEqual(now.get(null).id, byHand.id)
    assert.include(now.get("nightly-backup"), { id: monitors.get("nightly-backup").id, name: "Backup" })
    assert.strictEqual((yield* list("/notification-channels?key=on-call"))[0].id, onCall.id)

    // A series has a next window.
    const [nextUpgrade] = yield* list("/incidents?key=database-upgrades")
    assert.deepInclude(nextUpgrade, {
      monitorIds: [monitors.get("shop-database").id, monitors.get("shop-api").id],
      series: { start: "2026-11-01T02:00:00.000Z", end: "2026-11-01T03:00:00.000Z" }
    })
    assert.isAbove(Date.parse(nextUpgrade.scheduledEnd), Date.now())
  }).pipe(Effect.scoped)
)

it.live("applies secrets without printing them, and reports refused steps", () =>
  Effect.gen(function* () {
    const { apply, folder, list, write } = yield* stage
    // A secret of a monitor: created, unchanged, changed, and never printed.
    const guarded =
      "    type: http\n    url: https://intranet.example\n    authentication: basic\n    username: probe\n"
    yield* write("guarded.yaml", `monitors:\n  guarded:\n${guarded}    password: ${"${INTRANET_PASSWORD}"}\n`)
    const [old, fresh] = ["hunter-hunter-2", "correct-horse-2"]
    const guard = (password: string, ...args: ReadonlyArray<string>) =>
      Effect.tap(apply(["-f", path.join(folder, "guarded.yaml"), ...args], { INTRANET_PASSWORD: password }), (done) =>
        Effect.sync(() => {
          for (const secret of [old, fresh]) assert.notInclude(done.output, secret)
        })
      )
    const made = yield* guard(old, "--yes")
    assert.strictEqual(made.code, 0, made.output)
    assert.include(made.output, "created monitor guarded")
    const same = yield* guard(old, ...asks)
    assert.strictEqual(same.code, 0, same.output)
    assert.include(same.output, "Nothing to do: 1 unchanged.")
    const next = yield* guard(fresh, "--yes")
    assert.strictEqual(next.code, 0, next.output)
    assert.include(next.output, "0 to create, 1 to update, 0 to delete, 0 unchanged.")
    assert.include(next.output, "password: (secret) → (secret)")
    assert.strictEqual((yield* guard(fresh, ...asks)).code, 0, "the server has the new one")
    assert.strictEqual((yield* guard(old, ...asks)).code, 2, "and no longer the old one")
    assert.notInclude(JSON.stringify(yield* list("/monitors?key=guarded")), fresh)

    // What only the server knows is refused where it stands in the file, by the dry run too, and nothing is changed.
    const ping = "    type: ping\n    host: b.example\n"
    yield* write("half.yaml", `monitors:\n  two:\n${ping}  three:\n${ping}    regions: [mars-north]\n`)
    for (const asked of ["--dry-run", "--yes"]) {
      const refused = yield* apply(["-f", path.join(folder, "half.yaml"), asked])
      assert.strictEqual(refused.code, 1, refused.output)
      assert.include(refused.output, "The server refuses the changes; nothing was changed.")
      assert.include(refused.output, "half.yaml:8:15  monitors.three.regions[0]: There is no region mars-north")
      assert.deepStrictEqual(yield* list("/monitors?key=two"), [])
    }
  }).pipe(Effect.scoped)
)

it.live("plans and compares with a key that only reads, and says what it cannot compare", () =>
  Effect.gen(function* () {
    const { ada, apply, folder, list, pull, write } = yield* stage
    const file = (name: string, token: string) =>
      write(
        "kanmon.yaml",
        `monitors:\n  till:\n    name: ${name}\n    type: http\n    url: https://till.example/\n    headers: {x-token: ${token}}\n` +
          `channels:\n  hook:\n    type: webhook\n    config: {url: "https://hooks.example/${token}", secret: ${token}-${"x".repeat(32)}}\n`
      )
    yield* file("Till", "s3cret")
    assert.strictEqual((yield* apply(["-f", folder, "--yes"])).code, 0)
    const made = yield* ada.call("POST", `/projects/${ada.projectId}/api-keys`, { name: "CI", role: "viewer" })
    const reading = { KANMON_API_KEY: made.body.apiKey as string }
    const hidden = "Not compared, because these fields need the role editor to be read:"

    // The file is as the server is, as far as the key can read it; so is one with another secret.
    for (const token of ["s3cret", "guessed"]) {
      yield* file("Till", token)
      for (const run of [
        apply(["-f", folder, ...asks], reading),
        pull(["-f", folder, "--check", "--managed"], reading)
      ]) {
        const same = yield* run
        assert.strictEqual(same.code, 0, same.output)
        assert.include(same.output, hidden)
        assert.include(same.output, "  monitor till: headers")
        assert.match(same.output, / {2}channel hook: .*config\.secret, config\.url/)
      }
    }
    yield* file("Till 2", "guessed")
    const plan = yield* apply(["-f", folder, ...asks], reading)
    assert.strictEqual(plan.code, 2, plan.output)
    assert.include(plan.output, 'name: "Till" → "Till 2"')
    assert.include(plan.output, "0 to create, 1 to update, 0 to delete, 1 unchanged.")
    assert.include(plan.output, "The server accepts these changes.")
    const drift = yield* pull(["-f", folder, "--check", "--managed"], reading)
    assert.strictEqual(drift.code, 2, drift.output)
    assert.include(drift.output, 'name: "Till 2" → "Till"')

    // Nothing is written with it, neither there nor here.
    const refused = yield* apply(["-f", folder, "--yes"], reading)
    assert.strictEqual(refused.code, 1, refused.output)
    assert.include(refused.output, "requires the role editor in the project; this API key has the role viewer")
    const unwritten = yield* pull(["-f", folder, "--yes"], reading)
    assert.strictEqual(unwritten.code, 1, unwritten.output)
    assert.include(unwritten.output, "--check works with every role")
    assert.deepStrictEqual(
      (yield* list("/monitors")).map(({ name }) => name),
      ["Till"]
    )
  }).pipe(Effect.scoped)
)

it.live("checks what is new before it is applied, and follows the example workflow", () =>
  Effect.gen(function* () {
    const { apply, folder, list, write } = yield* stage
    const target = yield* WebTarget.make
    const file = (port: number) =>
      write("shop.yaml", `monitors:\n  shop:\n    type: http\n    url: http://127.0.0.1:${port}/\n`)
    yield* file(1)
    const args = workflow.flatMap((text) => [
      text
        .split(/\s+/)
        .slice(1)
        .map((part) => (part === "monitoring/" ? folder : part))
    ])
    assert.isAtLeast(args.length, 2)
    for (const one of args) {
      const refused = yield* apply(one)
      assert.strictEqual(refused.code, 1, refused.output)
      assert.match(refused.output, /1 of 1 checks do not pass; nothing was changed\./)
      assert.match(refused.output, /shop\.yaml:2:3 {2}monitors\.shop: The check does not pass \(down\): /)
    }
    assert.deepStrictEqual(yield* list("/monitors?key=shop"), [])
    yield* file(target.port)
    for (const one of args) {
      const done = yield* apply(one)
      assert.oneOf(done.code, [0, 2], done.output)
      assert.include(done.output, "1 of the new and changed monitors were checked; all pass.")
    }
    assert.lengthOf(yield* list("/monitors?key=shop"), 1)
  }).pipe(Effect.scoped)
)

it.live("follows recurring and single maintenance windows", () =>
  Effect.gen(function* () {
    const { apply, folder, list, write } = yield* stage
    // Hours that no window is near now.
    const [early, late] = [6, 8].map((hours) => String((new Date().getUTCHours() + hours) % 24).padStart(2, "0")) as [
      string,
      string
    ]
    const iso = (hours: number) => new Date(Math.round(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString()
    const windows = (nightly: string, move: string) =>
      write("windows.yaml", `maintenance:\n  nightly:\n    tags: [shop]\n${nightly}${move}`)
    const nightly = (hour: string, message: string) =>
      `    message: ${message}\n    scheduledStart: 2026-01-01T${hour}:00:00Z\n    scheduledEnd: 2026-01-01T${hour}:10:00Z\n    recurrence: FREQ=DAILY\n`
    const move = (from: number) =>
      `  move:\n    title: Move\n    scheduledStart: ${iso(from)}\n    scheduledEnd: ${iso(from + 1)}\n`
    const applyWindows = (...args: ReadonlyArray<string>) => apply(["-f", path.join(folder, "windows.yaml"), ...args])
    const window = (key: string) => Effect.map(list(`/incidents?keyed=true&key=${key}`), ([one]) => one)
    yield* windows(nightly(early, "Restarts"), move(-3))
    const planned = yield* applyWindows("--yes")
    assert.strictEqual(planned.code, 0, planned.output)
    assert.include(planned.output, '+ maintenance nightly  "nightly"')
    const over = yield* eventually(window("move"), ({ status }) => status === "resolved")
    const unchanged = yield* applyWindows(...asks)
    assert.include(unchanged.output, "Nothing to do: 2 unchanged.")

    // Other times move the next window of a series; a window that is over makes room for a new one.
    const upcoming = yield* window("nightly")
    yield* windows(nightly(late, "Restarts, later"), move(5))
    const moved = yield* applyWindows("--yes")
    assert.strictEqual(moved.code, 0, moved.output)
    assert.include(moved.output, `scheduledStart: "2026-01-01T${early}:00:00.000Z" → "2026-01-01T${late}:00:00.000Z"`)
    assert.include(moved.output, 'message: "Restarts" → "Restarts, later"')
    assert.include((yield* applyWindows(...asks)).output, "Nothing to do: 2 unchanged.")
    const shifted = yield* window("nightly")
    assert.strictEqual(shifted.id, upcoming.id)
    assert.include(shifted.scheduledStart, `T${late}:00:00.000Z`)
    assert.deepStrictEqual(
      shifted.updates.map(({ message }: { readonly message: string }) => message),
      ["Restarts, later"]
    )
    const later = yield* window("move")
    assert.notStrictEqual(later.id, over.id)
    assert.strictEqual(later.status, "investigating")

    // Pruned: the series ends, what is over stays.
    yield* write("windows.yaml", "monitors:\n  last:\n    type: ping\n    host: a.example\n")
    const emptied = yield* applyWindows("--prune", "--yes")
    assert.strictEqual(emptied.code, 0, emptied.output)
    assert.include(emptied.output, "deleted maintenance nightly")
    const left = yield* list("/incidents?maintenance=true")
    assert.deepStrictEqual(
      left.map(({ id, key }) => ({ id, key })),
      [{ id: over.id, key: null }]
    )
  }).pipe(Effect.scoped)
)
