/** Plans applied over the API to a server that stores requests: the records exist, and stay. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Applying from "../src/Applying.ts"
import * as Changes from "../src/Changes.ts"
import * as Decoding from "../src/Decoding.ts"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import * as PlanText from "../src/PlanText.ts"
import * as Body from "../src/RequestBody.ts"
import { kinds as allKinds, type Wanted } from "../src/Resource.ts"
import * as Source from "../src/Source.ts"
import * as State from "../src/State.ts"
import * as Testing from "../src/Testing.ts"
import { server } from "./FakeServer.ts"
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

const planned = (wanted: ReadonlyArray<Wanted>) =>
  Effect.map(State.read(wanted, kinds.checks), ({ current, project }) => {
    assert.oneOf(project, ["Shop", undefined])
    return { current, plan: ApplyPlan.make(wanted, current, { prune: true }) }
  })

const applied = (wanted: ReadonlyArray<Wanted>) =>
  Effect.flatMap(planned(wanted), ({ current, plan }) => Applying.apply(plan, current, () => Effect.void))

it.effect("passes the server's warnings on with their step", () => {
  const { layer } = server({ warning: "192.168.1.20 may not be checked" })
  const told: Array<string> = []
  return Effect.gen(function* () {
    const { current, plan } = yield* planned(wantedOf("monitors: { nas: { type: ping, host: 192.168.1.20 } }"))
    yield* Applying.apply(plan, current, (step, said) => Effect.sync(() => told.push(PlanText.done(step, said))))
    assert.deepStrictEqual(told, ["created monitor nas\n      warning: 192.168.1.20 may not be checked"])
  }).pipe(Effect.provide(layer))
})

const [switched, nas, web, dns] = [
  "switch: { type: ping, host: switch.example }",
  "nas: { type: ping, host: nas.example, dependsOn: [switch] }",
  "web: { type: http, url: https://web.example/, dependsOn: [switch] }",
  "dns: { type: ping, host: dns.example }"
]

it.effect("makes everything with one request, with references to what is new", () => {
  const { layer, requests, rows } = server()
  return Effect.gen(function* () {
    const { done, refused } = yield* applied(wantedOf(`monitors: { ${nas}, ${switched}, ${web}, ${dns} }`))
    assert.deepStrictEqual([done.length, refused, requests], [4, undefined, [{ changes: 4, dryRun: false }]])
    const byKey = new Map([...rows.monitor.values()].map((row) => [row["key"], row]))
    for (const key of ["nas", "web"]) assert.deepStrictEqual(byKey.get(key)!["dependsOn"], [byKey.get("switch")!.id])
  }).pipe(Effect.provide(layer))
})

const many = (count: number): string =>
  `monitors:\n  parent: { type: ping, host: p.example }\n${Array.from(
    { length: count },
    (_, index) => `  m${index}: { type: ping, host: m${index}.example, dependsOn: [parent] }\n`
  ).join("")}`

it.effect("makes more than one request can hold with several, and refers to what earlier ones made", () => {
  const { layer, requests, rows } = server()
  return Effect.gen(function* () {
    const wanted = wantedOf(many(ChangesBody.maxChanges))
    const { current, plan } = yield* planned(wanted)
    const { judged } = yield* Applying.judge(plan, current)
    assert.isBelow(judged, wanted.length)
    const { done, refused } = yield* Applying.apply(plan, current, () => Effect.void)
    assert.deepStrictEqual([done.length, refused], [wanted.length, undefined])
    assert.isAbove(requests.length, 2)
    for (const { changes } of requests) assert.isAtMost(changes, ChangesBody.maxChanges)
    const [parent, ...children] = [...rows.monitor.values()]
    for (const child of children) assert.deepStrictEqual(child["dependsOn"], [parent!.id])
  }).pipe(Effect.provide(layer))
})

it.effect("fills requests up to what the server takes", () =>
  Effect.sync(() => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const steps = sizes.map((size, index): ApplyPlan.Step => {
          const fields = { name: "x".repeat(size), values: Array.from({ length: size % 9_000 }, () => 0) }
          const wanted = { ...wantedOf(`monitors: { ${dns} }`)[0]!, key: `k${index}`, fields }
          return { action: "create", kind: "monitor", key: wanted.key, wanted }
        })
        for (let from = 0; from < steps.length;) {
          const known = { ids: new Map(), over: new Set<string>(), updatedAt: new Map() }
          const { changes, steps: taken } = Changes.bundle(steps.slice(from), known)
          assert.isAbove(taken.length, 0)
          const text = JSON.stringify({ dryRun: false, changes })
          assert.isAtMost(Buffer.byteLength(text), ChangesBody.maxBytes)
          assert.isFalse(ChangesBody.exceeds(changes, ChangesBody.maxValues))
          from += taken.length
        }
      }),
      { numRuns: 15 }
    )
  })
)

it.effect("has the server judge a plan, and names the steps that it refuses", () => {
  const { layer, requests, rows } = server({ refusing: ["monitor dns", "monitor web"] })
  return Effect.gen(function* () {
    const { current, plan } = yield* planned(wantedOf(`monitors: { ${dns}, ${switched}, ${web} }`))
    const objections = [
      ["monitor dns", "name", "Refused"],
      ["monitor web", "name", "Refused"]
    ]
    const judged = yield* Applying.judge(plan, current)
    const made = yield* Applying.apply(plan, current, () => Effect.die("nothing is done"))
    for (const { refused } of [judged, made])
      assert.deepStrictEqual(
        refused!.objections.map(({ message, path, step }) => [`${step.kind} ${step.key}`, path, message]),
        objections
      )
    assert.deepStrictEqual(requests, [
      { changes: 3, dryRun: true },
      { changes: 3, dryRun: false }
    ])
    assert.deepStrictEqual([made.done.length, rows.monitor.size], [0, 0])
  }).pipe(Effect.provide(layer))
})

it.effect("the example of the guide is applied, and then there is nothing to do", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    const wanted = wantedOf(example)
    const { done, refused } = yield* applied(wanted)
    assert.deepStrictEqual([done.length, refused], [wanted.length, undefined])
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
      allKinds.map(() => 0)
    )
  }).pipe(Effect.provide(layer))
})

it.effect("checks new and changed monitors before they are applied, but for those that are paused or wait", () => {
  const { layer, requests } = server()
  const text = `monitors:
  up: { type: ping, host: up.example, dependsOn: [down] }
  down: { type: ping, host: down.example }
  blind: { type: ping, host: blind.example }
  busy: { type: ping, host: busy.example }
  paused: { type: ping, host: down.example, paused: true }
  job: { type: heartbeat }
`
  return Effect.gen(function* () {
    const { failing, tested } = yield* Testing.run((yield* planned(wantedOf(text))).plan, kinds.checks)
    assert.deepStrictEqual(
      failing.map(({ message, step }) => [step.key, message]),
      [
        ["down", "The check does not pass (down): It refused"],
        ["blind", "The check does not pass (unknown): no region could make it"],
        ["busy", "The check cannot be made: Too many tests"]
      ]
    )
    assert.deepStrictEqual([tested, requests], [4, []])
  }).pipe(Effect.provide(layer))
})

it.effect("continues after the requests that succeeded", () => {
  const wanted = wantedOf(many(ChangesBody.maxChanges))
  const half = server({ down: { after: 1 } })
  return Effect.gen(function* () {
    const { done, refused } = yield* applied(wanted)
    assert.deepStrictEqual([refused?.failure.status, half.rows.monitor.size], [503, done.length])
    assert.isTrue(done.length > 0 && done.length < wanted.length)
    assert.lengthOf((yield* planned(wanted)).plan.steps, wanted.length - done.length)
  }).pipe(Effect.provide(half.layer))
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
    hidden: [],
    refused: []
  })
  assert.deepStrictEqual(text.slice(1, 3), [
    '      url: "https://…@a.example/x?…" → "https://a.example/y"',
    "      headers: (secret) → (none)"
  ])
})
