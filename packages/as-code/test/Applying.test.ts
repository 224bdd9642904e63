/** Plans taken over the API, against a server that keeps what it is sent: what is applied is there, and stays as it is. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect, Layer, type Schema } from "effect"
import * as Applying from "../src/Applying.ts"
import * as Decoding from "../src/Decoding.ts"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import * as PlanText from "../src/PlanText.ts"
import { Remote, RemoteFailure, type Row } from "../src/Remote.ts"
import * as Body from "../src/RequestBody.ts"
import { type Kind, kinds as allKinds, type Wanted } from "../src/Resource.ts"
import * as Source from "../src/Source.ts"
import * as State from "../src/State.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))
const file = path.resolve(import.meta.dirname, "../../../docs/examples/as-code/kanmon.yaml")
const example = fs.readFileSync(file, "utf8")

const wantedOf = (text: string): ReadonlyArray<Wanted> => {
  const secrets = { TELEGRAM_BOT_TOKEN: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", HOOK_TOKEN: "a" }
  const { entries, mistakes } = Source.read([{ name: "kanmon.yaml", text }], secrets)
  const decoded = Decoding.decode(entries, kinds)
  assert.deepStrictEqual([mistakes, decoded.mistakes], [[], []])
  return decoded.wanted
}

/** What the server makes of a maintenance window: its timeline, and the status, which no body says. */
const window = (laid: Record<string, any>, now: Record<string, any> | undefined, announcement: unknown) => ({
  series: laid["recurrence"] === null ? null : laid["series"],
  tags: laid["tags"] ?? [],
  status: now?.["status"] ?? "investigating",
  updates: [{ message: announcement ?? now?.["updates"][0].message ?? laid["message"] }]
})

/** Keeps rows, refuses the `failing`th writing and, with the status `alone`, monitors together; warns of what it makes. */
const server = (options: { failing?: number; warning?: string; alone?: number } = {}) => {
  const batches: Array<number> = []
  const rows = Object.fromEntries(allKinds.map((kind) => [kind, new Map<string, Row>()])) as Record<
    Kind,
    Map<string, Row>
  >
  let written = 0
  const writing = Effect.suspend(() =>
    ++written === options.failing
      ? Effect.fail(new RemoteFailure({ message: "No", status: 500, errors: [] }))
      : Effect.void
  )
  const put = (kind: Kind, id: string, body: Schema.Json) => {
    const { announcement, config, ...rest } = body as Record<string, any>
    const now = rows[kind].get(id) as Record<string, any> | undefined
    const laid = Object.fromEntries(
      Object.entries({ pausedReason: null, wantedInterval: null, ...now, ...rest }).filter(
        ([field, value]) => value !== null || kind !== "monitor" || field in { pausedReason: 0, wantedInterval: 0 }
      )
    )
    const settings = Object.fromEntries(
      Object.entries({ ...now?.["config"], ...config }).filter(([, value]) => value !== null)
    )
    const row = {
      ...laid,
      ...(kind === "channel" ? { config: settings } : {}),
      ...(kind === "maintenance" ? window(laid, now, announcement) : {}),
      id,
      projectId: "prj_1"
    } as unknown as Row
    rows[kind].set(id, row)
    return row
  }
  const layer = Layer.succeed(
    Remote,
    Remote.of({
      list: (kind) => Effect.sync(() => [...rows[kind].values()]),
      create: (kind, body) =>
        Effect.map(writing, () => ({
          ...put(kind, `${kind}-${written}`, body),
          ...(options.warning === undefined
            ? {}
            : { warnings: [{ code: "address_refused", message: options.warning }] })
        })),
      createMonitors: (bodies) => {
        batches.push(bodies.length)
        return options.alone === undefined
          ? Effect.map(writing, () => bodies.map((body, place) => put("monitor", `monitor-${written}-${place}`, body)))
          : Effect.fail(new RemoteFailure({ message: "refused", status: options.alone, errors: [] }))
      },
      update: (kind, id, body) => Effect.map(writing, () => put(kind, id, body)),
      remove: (kind, id) => Effect.map(writing, () => void rows[kind].delete(id)),
      differing: () => Effect.succeed([]),
      projectName: () => Effect.succeed("Shop")
    })
  )
  return { rows, layer, batches }
}

const planned = (wanted: ReadonlyArray<Wanted>) =>
  Effect.map(State.read(wanted, kinds.checks), ({ current, project }) => {
    assert.oneOf(project, ["Shop", undefined])
    return { current, plan: ApplyPlan.make(wanted, current, { prune: true }) }
  })

const applied = (wanted: ReadonlyArray<Wanted>) =>
  Effect.flatMap(planned(wanted), ({ current, plan }) => Applying.apply(plan, current, () => Effect.void))

it.effect("what the server warns of is passed on with its step", () => {
  const { layer } = server({ warning: "192.168.1.20 may not be checked" })
  const told: Array<string> = []
  return Effect.gen(function* () {
    const { current, plan } = yield* planned(wantedOf("monitors: { nas: { type: ping, host: 192.168.1.20 } }"))
    yield* Applying.apply(plan, current, (step, warnings) =>
      Effect.sync(() => told.push(PlanText.done(step, warnings)))
    )
    assert.deepStrictEqual(told, ["created monitor nas\n      warning: 192.168.1.20 may not be checked"])
  }).pipe(Effect.provide(layer))
})

const [switched, nas, web, dns] = [
  "switch: { type: ping, host: switch.example }",
  "nas: { type: ping, host: nas.example, dependsOn: [switch] }",
  "web: { type: http, url: https://web.example/, dependsOn: [switch] }",
  "dns: { type: ping, host: dns.example }"
]

it.effect.each([
  { what: "together as far as none depends on another", alone: undefined, batches: [2, 2] },
  { what: "one by one when they are refused together", alone: 422, batches: [2, 2] },
  { what: "one by one by a server that does not know the request", alone: 404, batches: [2] }
])("monitors are created $what", ({ alone, batches: expected }) => {
  const { batches, layer, rows } = server(alone === undefined ? {} : { alone })
  return Effect.gen(function* () {
    const wanted = wantedOf(`monitors: { ${dns}, ${switched}, ${nas}, ${web} }`)
    const { done, failed } = yield* applied(wanted)
    assert.deepStrictEqual([done.length, failed], [4, undefined])
    assert.deepStrictEqual(batches, expected)
    const byKey = new Map([...rows.monitor.values()].map((row) => [row["key"], row]))
    for (const key of ["nas", "web"]) assert.deepStrictEqual(byKey.get(key)!["dependsOn"], [byKey.get("switch")!.id])
  }).pipe(Effect.provide(layer))
})

it.effect("monitors that could not be created together for lack of a server are not tried alone", () => {
  const { layer, rows } = server({ alone: 503 })
  return Effect.gen(function* () {
    const { done, failed } = yield* applied(wantedOf(`monitors: { ${dns}, ${switched} }`))
    assert.deepStrictEqual([done.length, failed?.failure.status, rows.monitor.size], [0, 503, 0])
  }).pipe(Effect.provide(layer))
})

it.effect("the example of the guide is applied, and then there is nothing to do", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    const wanted = wantedOf(example)
    const { done, failed } = yield* applied(wanted)
    assert.deepStrictEqual([done.length, failed], [wanted.length, undefined])
    assert.deepStrictEqual(PlanText.describe((yield* planned(wanted)).plan), [
      `Nothing to do: ${wanted.length} unchanged.`
    ])
    const ids = [...rows.rule.values()].flatMap((row) => row["monitorIds"] as ReadonlyArray<string>)
    for (const id of ids) assert.isTrue(rows.monitor.has(id), id)

    // Fields that are left out of the file go back to their defaults, or away.
    const less = wantedOf(example.replace("    degradedThreshold: 800\n", "").replace("    resendEvery: 30\n", ""))
    const { plan } = yield* planned(less)
    assert.deepStrictEqual(PlanText.describe(plan), [
      "  ~ monitor shop-home",
      "      degradedThreshold: 800 → (none)",
      "  ~ rule shop-down",
      "      resendEvery: 30 → 0",
      "",
      `0 to create, 2 to update, 0 to delete, ${less.length - 2} unchanged.`
    ])
    yield* applied(less)
    assert.lengthOf((yield* planned(less)).plan.steps, 0)
    yield* applied([])
    assert.deepStrictEqual(
      allKinds.map((kind) => rows[kind].size),
      [0, 0, 0, 0, 0]
    )
  }).pipe(Effect.provide(layer))
})

it.effect("resumes a partial failure where it stopped", () => {
  const { layer } = server({ failing: 5 })
  return Effect.gen(function* () {
    const wanted = wantedOf(example)
    const half = yield* applied(wanted)
    assert.deepStrictEqual([half.done.length, half.failed?.failure.message], [8, "No"])
    const { plan } = yield* planned(wanted)
    assert.strictEqual(plan.steps.length, wanted.length - 8)
    assert.isUndefined((yield* applied(wanted)).failed)
    assert.lengthOf((yield* planned(wanted)).plan.steps, 0)
  }).pipe(Effect.provide(layer))
})

const maintenanceFile = (fields: string) =>
  `maintenance:\n  move:\n    scheduledStart: 2026-12-06T03:00:00+01:00\n    scheduledEnd: 2026-12-06T03:00:00Z\n${fields}`

it.effect("finds no change in the order of tags and dependencies", () => {
  const { layer } = server()
  const file = (tags: string, dependsOn: string) =>
    wantedOf(`monitors:
  a: {type: ping, host: a.example}
  b: {type: ping, host: b.example}
  c: {type: ping, host: c.example, tags: [${tags}], dependsOn: [${dependsOn}]}
rules:
  r: {tags: [${tags}]}
pages:
  p: {slug: acme, tags: [${tags}]}
`)
  return Effect.gen(function* () {
    yield* applied(file("prod, eu", "a, b"))
    assert.lengthOf((yield* planned(file("eu, prod", "b, a"))).plan.steps, 0)
    const { plan } = yield* planned(file("eu, prod, new", "b"))
    assert.deepStrictEqual(
      plan.steps.map((step) => [step.kind, step.action === "update" ? step.changes.map(({ field }) => field) : []]),
      [
        ["monitor", ["tags", "dependsOn"]],
        ["rule", ["tags"]],
        ["page", ["tags"]]
      ]
    )
  }).pipe(Effect.provide(layer))
})

it.effect("leaves a maintenance window that is over to the history", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    yield* applied(wantedOf(maintenanceFile("")))
    const [row] = rows.maintenance.values()
    assert.deepInclude(row, { key: "move", title: "move", message: "move", scheduledStart: "2026-12-06T02:00:00.000Z" })
    rows.maintenance.set(row!.id, { ...row!, status: "resolved" })

    // Its words are changed in place; another time is another window, which takes the key.
    yield* applied(wantedOf(maintenanceFile("    title: Move\n")))
    assert.strictEqual(rows.maintenance.size, 1)
    const other = wantedOf(maintenanceFile("    recurrence: FREQ=YEARLY\n"))
    yield* applied(other)
    assert.lengthOf((yield* planned(other)).plan.steps, 0)
    const [old, next] = [...rows.maintenance.values()]
    assert.deepInclude(old, { id: row!.id, key: null, status: "resolved" })
    assert.deepInclude(next, {
      key: "move",
      series: { start: "2026-12-06T02:00:00.000Z", end: "2026-12-06T03:00:00.000Z" },
      timezone: "UTC"
    })

    // Pruning deletes what is to come, and releases what is over.
    rows.maintenance.set(next!.id, { ...next!, status: "resolved" })
    yield* applied([])
    assert.deepStrictEqual(
      [...rows.maintenance.values()].map(({ key, recurrence }) => [key, recurrence]),
      [
        [null, null],
        [null, null]
      ]
    )
  }).pipe(Effect.provide(layer))
})

it("sends the whole schedule of a maintenance window, and its message as the announcement", () => {
  const [series] = wantedOf(maintenanceFile("    message: We move\n    recurrence: FREQ=YEARLY\n"))
  const [once] = wantedOf(maintenanceFile(""))
  const change = (one: Wanted, ...fields: ReadonlyArray<string>) =>
    Body.change(
      one,
      fields.map((field) => ({ field, to: one.fields[field] })),
      new Map()
    )
  const [start, end] = ["2026-12-06T02:00:00.000Z", "2026-12-06T03:00:00.000Z"]
  assert.deepStrictEqual(change(series!, "scheduledEnd", "message"), {
    announcement: "We move",
    series: { start, end },
    recurrence: "FREQ=YEARLY",
    timezone: "UTC"
  })
  assert.deepStrictEqual(change(once!, "recurrence"), {
    scheduledStart: start,
    scheduledEnd: end,
    recurrence: null,
    timezone: null
  })
  assert.deepStrictEqual(change(once!, "tags"), { tags: [] })
})

it.each([
  [
    "    status: resolved\n",
    "maintenance.move.status: The progress of a window is not configuration; remove this field"
  ],
  ["    monitors: [shop]\n", "maintenance.move.monitors[0]: There is no monitor shop in these files"],
  ["    recurence: FREQ=DAILY\n", "maintenance.move.recurence: Unknown field; did you mean recurrence?"],
  ["    timezone: UTC\n", "maintenance.move.timezone: Belongs to a recurrence: add one, or leave this out"]
])("complains about a maintenance window with %j", (fields, complaint) => {
  const { entries } = Source.read([{ name: "kanmon.yaml", text: maintenanceFile(fields) }], {})
  assert.deepStrictEqual(
    Decoding.decode(entries, kinds).mistakes.map(({ message, path }) => `${path}: ${message}`),
    [complaint]
  )
})

it("sends what changed in the words of the API", () => {
  const [monitor] = wantedOf("monitors:\n  a: {type: ping, host: b.example, interval: 30, timeout: 5}\n")
  const change = (one: Wanted, ...fields: ReadonlyArray<string>) =>
    Body.change(
      one,
      fields.map((field) => ({ field, to: one.fields[field] })),
      new Map([["monitor a", "mon_1"]])
    )
  assert.deepStrictEqual(change(monitor!, "interval"), { interval: 30, timeout: 5 })
  const [, page] = wantedOf(
    "monitors:\n  a: {type: ping, host: b.example}\npages:\n  p: {slug: acme, monitors: [{monitor: a, group: G}]}\n"
  )
  assert.deepStrictEqual(change(page!, "monitors"), { monitors: [{ monitorId: "mon_1", displayGroup: "G" }] })
  const [channel] = wantedOf("channels:\n  a: {type: webhook, config: {url: https://a.example}}\n")
  assert.deepStrictEqual(change(channel!, "config.url", "config.secret"), {
    config: { url: "https://a.example", secret: null }
  })
  assert.deepStrictEqual(change(channel!, "type"), Body.change(channel!, [{ field: "type", to: "webhook" }], new Map()))
  assert.property(change(channel!, "type"), "config")
})

it("sends a channel's secrets along with a change of its configuration, a password in the URL among them", () => {
  const [channel] = wantedOf(
    "channels:\n  a: {type: webhook, config: {url: 'https://ada:open-sesame@b.example', secret: 0123456789abcdef}}\n"
  )
  assert.isTrue(channel!.masked.has("config.url"))
  const change = (...fields: ReadonlyArray<string>) =>
    Body.change(
      channel!,
      fields.map((field) => ({ field, to: channel!.fields[field] })),
      new Map()
    )
  assert.deepStrictEqual(change("config.method"), {
    config: { method: "POST", url: "https://ada:open-sesame@b.example", secret: "0123456789abcdef" }
  })
  assert.deepStrictEqual(change("name"), { name: "a" })
})

it.each([
  ["monitorIds[1]", "monitors[1]"],
  ["channelIds", "channels"],
  ["monitors[0].monitorId", "monitors[0].monitor"],
  ["monitors[0].displayGroup", "monitors[0].group"],
  ["config.url", "config.url"],
  ["series.end", "scheduledEnd"],
  ["announcement", "message"]
])("finds %s of a refusal at %s of the file", (path, place) => assert.strictEqual(Body.inFile(path), place))

it("hides the secret parts of URLs", () => {
  const text = PlanText.describe({
    steps: [
      {
        action: "update",
        kind: "monitor",
        key: "a",
        id: "mon_1",
        wanted: wantedOf("monitors:\n  a: {type: ping, host: b.example}\n")[0]!,
        changes: [
          { field: "url", from: "https://u:p@a.example/x?key=1", to: "https://a.example/y", shown: "address" },
          { field: "headers", from: { a: "hunter2" }, to: undefined, shown: "nothing" }
        ]
      }
    ],
    unchanged: 0,
    left: [],
    refused: []
  })
  assert.deepStrictEqual(text.slice(1, 3), [
    '      url: "https://…@a.example/x?…" → "https://a.example/y"',
    "      headers: (secret) → (none)"
  ])
})
