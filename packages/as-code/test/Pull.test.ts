/** Files that are pulled from a server: `kanmon apply` finds nothing to do with them, and what their owner wrote stays. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Applying from "../src/Applying.ts"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import * as Decoding from "../src/Decoding.ts"
import type { Environment } from "../src/Environment.ts"
import * as PlanText from "../src/PlanText.ts"
import * as Pull from "../src/pull/Pull.ts"
import * as PullText from "../src/pull/PullText.ts"
import { kinds as allKinds } from "../src/Resource.ts"
import * as Source from "../src/Source.ts"
import * as State from "../src/State.ts"
import { server } from "./FakeServer.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))
const example = fs.readFileSync(path.resolve(import.meta.dirname, "../../../docs/examples/as-code/kanmon.yaml"), "utf8")
const secrets = { TELEGRAM_BOT_TOKEN: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", HOOK_TOKEN: "hook-token-1" }

const planOf = (text: string, environment: Environment) =>
  Effect.gen(function* () {
    const { entries, mistakes } = Source.read([{ name: "kanmon.yaml", text }], environment)
    const { mistakes: others, wanted } = Decoding.decode(entries, kinds)
    assert.deepStrictEqual([...mistakes, ...others], [], text)
    const { current } = yield* State.read(wanted, kinds.checks)
    return { current, plan: ApplyPlan.make(wanted, current, { prune: true }) }
  })

const applied = (text: string, environment: Environment = secrets) =>
  Effect.flatMap(planOf(text, environment), ({ current, plan }) => Applying.apply(plan, current, () => Effect.void))

const unchanged = (text: string, environment: Environment) =>
  Effect.map(planOf(text, environment), ({ plan }) =>
    assert.deepStrictEqual(plan.steps.length === 0 ? [] : PlanText.describe(plan), [], text)
  )

/** Pulls into a file, and returns it with what was found. */
const pulled = Effect.fnUntraced(function* (
  text: string | undefined,
  environment: Environment,
  options: { readonly managed?: boolean; readonly prune?: boolean } = {}
) {
  const files = text === undefined ? [] : [{ name: "kanmon.yaml", text }]
  const found = yield* Pull.pull(files, environment, kinds, {
    target: "kanmon.yaml",
    managed: options.managed ?? false,
    prune: options.prune ?? false
  })
  if ("mistakes" in found) return assert.fail(JSON.stringify(found.mistakes))
  yield* Pull.adopt(found.adopted)
  return { ...found, text: found.files[0]?.text ?? text ?? "" }
})

const valuesOf = (
  variables: ReadonlyArray<{ readonly name: string; readonly value: string | undefined }>
): Environment => Object.fromEntries(variables.map(({ name, value }) => [name, value]))

it.effect("writes what was made by hand so that nothing is left to do, with keys that stay", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    yield* applied(example)
    for (const kind of allKinds) for (const [id, row] of rows[kind]) rows[kind].set(id, { ...row, key: null })
    const first = yield* pulled(undefined, {})
    assert.sameMembers(
      first.variables.map(({ name }) => name),
      ["CHANNEL_CHATOPS_AUTHORIZATION"].filter((name) => first.text.includes(name))
    )
    yield* unchanged(first.text, valuesOf(first.variables))
    assert.isTrue(allKinds.every((kind) => [...rows[kind].values()].every(({ key }) => typeof key === "string")))
    const second = yield* pulled(first.text, valuesOf(first.variables))
    assert.deepStrictEqual([second.files, second.drift, second.adopted], [[], [], []])
  }).pipe(Effect.provide(layer))
})

/** Channels of every kind, with what must not be in a file that others read. */
const guarded = fc.constantFrom<readonly [type: string, config: object, secret: string]>(
  ["webhook", { url: "https://hooks.example.org/kuma?token=s3cret" }, "s3cret"],
  ["webhook", { url: "https://user@hooks.example.org/" }, "user@"],
  ["webhook", { url: "HTTPS://hooks.example.org/?key=sec2", method: "PUT" }, "sec2"],
  [
    "matrix",
    { homeserverUrl: "https://matrix.example.org/?a=hidden", roomId: "!a:b.org", accessToken: "syt_an_access_token" },
    "hidden"
  ],
  ["ntfy", { topic: "alerts-8f3k2", serverUrl: "https://ntfy.example.org" }, "alerts-8f3k2"]
)

it.effect("writes no address of a channel with a secret in it, and no name that is hard to guess", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(guarded, ([type, config, secret]) => {
        const { layer, rows } = server()
        return Effect.gen(function* () {
          const file = JSON.stringify({ channels: { ops: { type, config } } })
          yield* applied(file, {})
          for (const [id, row] of rows.channel) rows.channel.set(id, { ...row, key: null })
          const { text, variables } = yield* pulled(undefined, {})
          assert.notInclude(text, secret)
          yield* unchanged(text, valuesOf(variables))
          const again = yield* pulled(text, valuesOf(variables))
          assert.deepStrictEqual([again.files, again.drift], [[], []])
          // Texts of the owner stay.
          const kept = yield* pulled(file, {})
          assert.deepStrictEqual([kept.files, kept.drift], [[], []])
          for (const [id, row] of rows.channel) rows.channel.set(id, { ...row, name: "Other" })
          assert.notInclude(PullText.describe(yield* pulled(text, valuesOf(variables))).join("\n"), secret)
        }).pipe(Effect.provide(layer), Effect.runPromise)
      }),
      { numRuns: 25 }
    )
  )
)

it.effect("shows no secret of an address that has changed on the server, and no name that is hard to guess", () => {
  const { layer, rows } = server()
  const file = `channels:
  hook: { type: webhook, config: { url: 'https://hooks.example.org/?token=old-one' } }
  phone: { type: ntfy, config: { topic: old-topic } }
`
  return Effect.gen(function* () {
    yield* applied(file, {})
    for (const [id, row] of rows.channel)
      rows.channel.set(id, {
        ...row,
        config: {
          ...(row["config"] as object),
          ...(row["type"] === "ntfy" ? { topic: "new-topic" } : { url: "https://hooks.example.org/?token=new-one" })
        }
      })
    const found = yield* pulled(file, {})
    const { plan } = yield* planOf(file, {})
    const shown = [...PullText.describe(found), ...PlanText.describe(plan), found.text].join("\n")
    assert.notMatch(shown, /(old|new)-(one|topic)/)
    yield* unchanged(found.text, valuesOf(found.variables))
  }).pipe(Effect.provide(layer))
})

it.effect("keeps comments, anchors, variables and the order of entries, and overrides what is shared", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    yield* applied(example)
    const edit = (kind: "monitor" | "channel" | "rule", key: string, change: object) => {
      const row = [...rows[kind].values()].find((one) => one["key"] === key)!
      rows[kind].set(row.id, { ...row, ...change })
    }
    // The first has the interval from an anchor; the second had no such field; the third goes back to its default.
    edit("monitor", "shop-home", { interval: 120 })
    edit("monitor", "shop-mail", { description: "Ask the provider" })
    edit("rule", "shop-down", { resendEvery: 0 })
    edit("channel", "chatops", { name: "Chat" })
    const { text, unset } = yield* pulled(example, {})
    assert.sameMembers([...unset], Object.keys(secrets))
    yield* unchanged(text, secrets)
    for (const comment of example.split("\n").filter((line) => line.trimStart().startsWith("#")))
      assert.include(text, comment)
    for (const kept of ["x-web: &web", "<<: *web", "${TELEGRAM_BOT_TOKEN}", "Bearer ${HOOK_TOKEN}"])
      assert.include(text, kept)
    for (const secret of Object.values(secrets)) assert.notInclude(text, secret)
    const lines = new Set(text.split("\n"))
    const lost = example.split("\n").filter((line) => !lines.has(line))
    assert.deepStrictEqual(lost, ["    name: ChatOps", "    resendEvery: 30"])
  }).pipe(Effect.provide(layer))
})

it.effect("speaks of one record and of many", () => {
  const { layer, rows } = server()
  return Effect.gen(function* () {
    const file = "monitors:\n  a: { type: ping, host: a.example }\n  b: { type: ping, host: b.example }\n"
    yield* applied(file, {})
    const [a] = rows.monitor.values()
    rows.monitor.set(a!.id, { ...a!, key: null })
    const one = yield* pulled(undefined, {})
    assert.match(PullText.adopting(one), /^1 record was made by hand: it gets a key/)
    const written = PullText.written(one, ["my files"], undefined).join("\n")
    assert.match(written, / 1 record has a key now\.[^]*kanmon apply -f 'my files' --dry-run finds/)
    for (const row of rows.monitor.values()) rows.monitor.set(row.id, { ...row, key: null })
    const two = yield* pulled(undefined, {})
    assert.match(PullText.adopting(two), /^2 records were made by hand: they get keys/)
    const both = PullText.written(two, ["a", "b.yaml"], undefined).join("\n")
    assert.match(both, / 2 records have keys now\.[^]*apply -f a -f b\.yaml --dry-run finds/)
  }).pipe(Effect.provide(layer))
})

it.effect("leaves a file alone, byte by byte, that is as the server is", () => {
  const { layer } = server()
  return Effect.gen(function* () {
    yield* applied(example)
    const { drift, files } = yield* pulled(example, secrets)
    assert.deepStrictEqual([drift, files], [[], []])
  }).pipe(Effect.provide(layer))
})

it.effect("tells what is gone, and removes it with prune; a record without a key stays alone with managed", () => {
  const { layer, rows } = server()
  const file = `# Mine
monitors:
  # The first
  a: { type: ping, host: a.example }
  # The second
  b: { type: ping, host: b.example } # as it was
`
  return Effect.gen(function* () {
    yield* applied(file)
    const [a, b] = [...rows.monitor.values()]
    rows.monitor.set("hand", { ...b!, id: "hand", key: null, name: "By hand", host: "c.example" })
    rows.monitor.delete(a!.id)
    const kept = yield* pulled(file, {}, { managed: true })
    assert.deepStrictEqual([kept.text, kept.adopted, kept.drift.map(({ what }) => what)], [file, [], ["gone"]])
    assert.include(PullText.describe(kept).join("\n"), "monitor a is not on the server any more; its entry stays")
    const { adopted, text } = yield* pulled(file, {}, { prune: true })
    assert.deepStrictEqual(
      adopted.map(({ id, key }) => [id, key]),
      [["hand", "by-hand"]]
    )
    assert.notInclude(text, "a.example")
    assert.include(text, "  # The second\n  b: { type: ping, host: b.example } # as it was\n")
    yield* unchanged(text, {})
  }).pipe(Effect.provide(layer))
})

it.effect(
  "takes deleted monitors out of every list, and makes no rule for all monitors of one that is left without any",
  () => {
    const { layer, rows } = server()
    const window = "scheduledStart: 2099-01-01T00:00:00Z, scheduledEnd: 2099-01-01T01:00:00Z"
    const file = `monitors:
  a: { type: ping, host: a.example }
  b: { type: ping, host: b.example }
rules:
  both: { monitors: [a, b] }
  only: { monitors: [a] }
  tagged: { monitors: [a], tags: [shop] }
  other: { monitors: [b] }
maintenance:
  night: { monitors: [a, b], ${window} }
`
    return Effect.gen(function* () {
      yield* applied(file, {})
      const [a] = rows.monitor.values()
      // The server goes on naming it.
      rows.monitor.delete(a!.id)
      const kept = yield* pulled(file, {})
      assert.sameMembers(
        kept.drift.map((one) => `${one.what} ${one.kind} ${one.key}`),
        [
          "gone monitor a",
          "changed rule both",
          "changed rule tagged",
          "orphaned rule only",
          "changed maintenance night"
        ]
      )
      assert.include(kept.text, "only: { monitors: [a] }")
      assert.sameMembers(
        (yield* planOf(file, {})).plan.steps.map(({ action, key }) => `${action} ${key}`),
        ["create a", "update both", "update tagged", "update only", "update night"]
      )
      const { text } = yield* pulled(file, {}, { prune: true })
      assert.notMatch(text, /\ba\b|only/)
      const { plan } = yield* planOf(text, {})
      assert.deepStrictEqual(
        plan.steps.map(({ action, key }) => `${action} ${key}`),
        ["delete only"]
      )
      const again = yield* pulled(text, {})
      assert.deepStrictEqual([again.drift, again.files], [[], []])
      assert.include(PullText.describe(again).join("\n"), "it names only monitors that were deleted")
      // An entry that names others by now stays; the server's rule is still for none.
      const mended = file.replace("monitors: [a] }", "monitors: [b] }")
      const other = yield* pulled(mended, {}, { prune: true })
      assert.include(other.text, "only: { monitors: [b] }")
      const forAll = (yield* planOf(text.replace("  other:", "  only: {}\n  other:"), {})).plan
      const words = PlanText.describe(forAll).join("\n")
      assert.include(words, "~ rule only")
      assert.include(words, "! watches every monitor of the project from now on")
    }).pipe(Effect.provide(layer))
  }
)

it.effect("gives keys in the order of creation, and takes the entry that has the same name", () => {
  const { layer, rows } = server()
  const made = (id: string, name: string) =>
    ({
      id,
      key: null,
      name,
      type: "ping",
      host: `${id}.example`,
      projectId: "prj_1",
      regions: [],
      paused: false
    }) as const
  const more = { interval: 60, timeout: 5, pausedReason: null, wantedInterval: null }
  return Effect.gen(function* () {
    for (const [id, name] of [
      ["mon_3", "Shop"],
      ["mon_1", "Shop"],
      ["mon_2", "日本"],
      ["mon_4", "Mine"]
    ] as const)
      rows.monitor.set(id, { ...made(id, name), ...more })
    const { adopted, text } = yield* pulled(
      "monitors:\n  my-own: { name: Mine, type: ping, host: mon_4.example } # mine\n  shop: { type: ping, host: x.example }\n",
      {}
    )
    assert.deepStrictEqual(Object.fromEntries(adopted.map(({ id, key }) => [id, key])), {
      mon_1: "shop-2",
      mon_2: "monitor",
      mon_3: "shop-3",
      mon_4: "my-own"
    })
    assert.include(text, "# mine")
  }).pipe(Effect.provide(layer))
})

it.effect(
  "says which variable of the environment is not what the server has, and which record files cannot hold",
  () => {
    const { layer, rows } = server()
    const file = "monitors:\n  a: { type: http, url: 'https://${HOST}/' }\nrules:\n  r: { monitors: [a] }\n"
    return Effect.gen(function* () {
      yield* applied(file, { HOST: "a.example" })
      const [a] = rows.monitor.values()
      rows.monitor.set("foreign", { ...a!, id: "foreign", key: null, name: "Foreign", type: "gopher" })
      const [rule] = rows.rule.values()
      rows.rule.set(rule!.id, { ...rule!, monitorIds: [a!.id, "foreign"] })
      const { drift, leftOut, text } = yield* pulled(file, { HOST: "b.example" })
      assert.strictEqual(text, file)
      assert.deepStrictEqual(drift, [{ what: "environment", kind: "monitor", key: "a", field: "url" }])
      assert.deepStrictEqual(
        leftOut.map(({ title, why }) => `${title}: ${why}`),
        [
          "Foreign: its type gopher is not known here; set KANMON_PLUGINS to its plugin",
          "r: it refers to monitor Foreign, which is not in the files"
        ]
      )
    }).pipe(Effect.provide(layer))
  }
)

/** Changes of a server that files hold, by people who know nothing of files. */
const changes = fc.record({
  interval: fc.option(fc.integer({ min: 30, max: 3600 })),
  name: fc.option(fc.stringMatching(/^[A-Za-z$#:{}'"-][ -~]{0,20}[A-Za-z]$/)),
  tags: fc.option(fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 })),
  paused: fc.option(fc.boolean()),
  headers: fc.option(
    fc.dictionary(fc.constantFrom("x-a", "authorization", "accept"), fc.constantFrom("one", "Bearer two", "${x}"), {
      noNullPrototype: true
    })
  ),
  expectedStatus: fc.option(fc.constantFrom(200, "200-299", [200, 404]))
})

const own = `# Head
x-base: &base { type: http, interval: 60, headers: { x-a: '\${A}', accept: text/html } }
monitors:
    one: # first
        <<: *base
        url: https://one.example/ # its page
        expectedStatus: 200
    two: { <<: *base, url: 'https://two.example/' }
    three: &three
        type: http
        url: https://three.example/
        tags:
        - a
        - b
    four: *three
`

it.effect("holds any change on the server, in a file with anchors, braces and variables", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 4, maxLength: 4 }), (each) => {
        const { layer, rows } = server()
        return Effect.gen(function* () {
          const environment = { A: "a-value" }
          yield* applied(own, environment)
          for (const [index, row] of [...rows.monitor.values()].entries()) {
            const change = Object.fromEntries(Object.entries(each[index]!).filter(([, value]) => value !== null))
            rows.monitor.set(row.id, { ...row, ...change } as never)
          }
          const { drift, text, variables } = yield* pulled(own, environment)
          // The file's owner decides what a variable says.
          if (drift.some(({ what }) => what === "environment")) return
          yield* unchanged(text, { ...environment, ...valuesOf(variables) })
          for (const comment of ["# Head", "x-base: &base"]) assert.include(text, comment)
          assert.notMatch(text, /(authorization|x-a): Bearer two/)
        }).pipe(Effect.provide(layer), Effect.runPromise)
      }),
      { numRuns: 60 }
    )
  )
)
