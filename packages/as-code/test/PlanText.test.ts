/** Plans in words: how far a rule reaches, and what a deletion takes with it. */
import { assert, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as Applying from "../src/Applying.ts"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import * as Decoding from "../src/Decoding.ts"
import * as PlanText from "../src/PlanText.ts"
import type { Wanted } from "../src/Resource.ts"
import * as Source from "../src/Source.ts"
import * as State from "../src/State.ts"
import { server } from "./FakeServer.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

const wantedOf = (text: string): ReadonlyArray<Wanted> => {
  const { entries, mistakes } = Source.read([{ name: "kanmon.yaml", text }], {})
  const decoded = Decoding.decode(entries, kinds)
  assert.deepStrictEqual([mistakes, decoded.mistakes], [[], []])
  return decoded.wanted
}

const planned = (wanted: ReadonlyArray<Wanted>) =>
  Effect.map(State.read(wanted, kinds.checks), ({ current }) => ({
    current,
    plan: ApplyPlan.make(wanted, current, { prune: true })
  }))

const applied = (wanted: ReadonlyArray<Wanted>) =>
  Effect.flatMap(planned(wanted), ({ current, plan }) => Applying.apply(plan, current, () => Effect.void))

it.effect("says in a plan that an empty list of a rule means all, and what a deletion takes with it", () => {
  const { layer } = server()
  const file = (rule: string): string =>
    `monitors:\n  a: {type: ping, host: a.example}\nchannels:\n  c: {type: webhook, config: {url: "https://c.example"}}\nrules:\n  r: ${rule}\n`
  const watches = "watches every monitor of the project"
  const notifies = "notifies every channel of the project"
  const all = (text: string): ReadonlyArray<string> => text.match(/(?<=! ).*/g) ?? []
  return Effect.gen(function* () {
    const planFor = (rule: string) =>
      Effect.map(planned(wantedOf(file(rule))), ({ plan }) => PlanText.describe(plan).join("\n"))
    assert.deepStrictEqual(all(yield* planFor("{monitors: [a], channels: [c]}")), [])
    assert.deepStrictEqual(all(yield* planFor("{}")), [watches, notifies])
    yield* applied(wantedOf(file("{monitors: [a], channels: [c]}")))
    assert.deepStrictEqual(all(yield* planFor("{monitors: [], channels: [c]}")), [`${watches} from now on`])
    assert.deepStrictEqual(all(yield* planFor("{monitors: [], tags: [x], channels: []}")), [`${notifies} from now on`])
    assert.deepStrictEqual(all(yield* planFor("{monitors: [a], channels: [], escalationPolicy: p}")), [])
    yield* applied(wantedOf(file("{monitors: [], channels: [c]}")))
    assert.deepStrictEqual(all(yield* planFor("{channels: [c], severity: info}")), [])

    const gone = (yield* planned([])).plan
    const words = PlanText.describe(gone)
    assert.include(words, "  - monitor a  with its results and uptime; the alert history stays")
    const kept = PlanText.describe({ ...gone, steps: [], left: (yield* planned([])).current })
    assert.includeMembers(
      [...kept],
      ["No longer in any file, and kept (--prune deletes them):", "  channel c", "  monitor a", "  rule r"]
    )
  }).pipe(Effect.provide(layer))
})

it("says of an address that only its hidden part changes", () => {
  const change = (from: string, to: string): string => PlanText.changeText({ field: "url", from, to, shown: "address" })
  assert.strictEqual(
    change("https://a.example/?k=1", "https://a.example/?k=2"),
    'url: "https://a.example/?…" → "https://a.example/?…" (they differ in what is not shown)'
  )
  assert.strictEqual(
    change("https://a.example/", "https://b.example/"),
    'url: "https://a.example/" → "https://b.example/"'
  )
})

it("shows the change of a long list, not its beginning twice", () => {
  const list = Array.from({ length: 30 }, (_, index) => `monitor-${index}`)
  const text = PlanText.changeText({ field: "monitors", from: list, to: list.with(29, "dup-two"), shown: "whole" })
  assert.strictEqual(text, 'monitors: - "monitor-29", + "dup-two"')
})

it.effect("creates integrations after their rules and deletes them before, and says where their addresses are", () => {
  const { layer } = server()
  const file = (more: string): string =>
    `rules:\n  r: {trigger: external}\nintegrations:\n  i: {type: generic, rule: r${more}}\n`
  return Effect.gen(function* () {
    const { plan } = yield* planned(wantedOf(file("")))
    assert.deepStrictEqual(
      plan.steps.map(({ action, key, kind }) => `${action} ${kind} ${key}`),
      ["create rule r", "create integration i"]
    )
    assert.match(PlanText.done(plan.steps[1]!, { moved: [], warnings: [] }), /its address is shown when it is rotated/)
    yield* applied(wantedOf(file("")))
    assert.deepStrictEqual((yield* planned(wantedOf(file("")))).plan.steps, [])
    const changed = (yield* planned(wantedOf(file(", quietAfterMinutes: 5, mapping: {key: /id}")))).plan
    assert.includeMembers([...PlanText.describe(changed)], ["  ~ integration i", "      quietAfterMinutes: (none) → 5"])
    const gone = (yield* planned([])).plan
    assert.deepStrictEqual(
      gone.steps.map(({ action, kind }) => `${action} ${kind}`),
      ["delete integration", "delete rule"]
    )
    assert.include(PlanText.describe(gone).join("\n"), "its address stops working")
  }).pipe(Effect.provide(layer))
})

it("wants the rule of an integration by its key, in the same files, and no address", () => {
  const mistakesOf = (text: string) => {
    const { entries } = Source.read([{ name: "kanmon.yaml", text: `integrations:\n  i: ${text}\n` }], {})
    return Decoding.decode(entries, kinds).mistakes.map(({ message, path }) => `${path}: ${message}`)
  }
  assert.deepStrictEqual(mistakesOf("{type: generic}"), ["integrations.i.rule: Expected the key of a rule"])
  assert.deepStrictEqual(mistakesOf("{type: generic, rule: gone}"), [
    "integrations.i.rule: There is no rule gone in these files"
  ])
  assert.match(mistakesOf("{type: generic, ruleId: rul_1}").join(), /use rule/)
  assert.match(mistakesOf("{type: generic, rule: gone, address: x}").join(), /address: Unknown field/)
  assert.match(mistakesOf("{type: grafana, rule: gone, mapping: {key: /id}}").join(), /mapping: Expected null/)
})
