/** Schedules and policies in files: people, teams, schedules and channels by their names. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Changes from "../src/Changes.ts"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import * as Decoding from "../src/Decoding.ts"
import * as Directory from "../src/Directory.ts"
import * as Source from "../src/Source.ts"
import * as State from "../src/State.ts"
import { server } from "./FakeServer.ts"
import type { Row } from "../src/Remote.ts"
import { byKind, type Kind, type Kinds } from "../src/Resource.ts"

const kinds: Kinds = { checks: new Map(), channels: new Map() }

const read = (text: string) => {
  const source = Source.read([{ name: "kanmon.yaml", text }], {})
  const { mistakes, wanted } = Decoding.decode(source.entries, kinds)
  return { wanted, mistakes: [...source.mistakes, ...mistakes].map(({ message, path }) => `${path}: ${message}`) }
}

const file = `
schedules:
  primary:
    timezone: Europe/Berlin
    layers:
      - name: Weeks
        participants: [Ada@example.org, ben@example.org]
        rotation: { every: 1, unit: week }
        handoff: { time: "09:00" }
        startsOn: 2026-01-05
policies:
  shop:
    steps:
      - { afterMinutes: 0, notify: [{ schedule: primary }] }
      - { afterMinutes: 10, notify: [{ user: cleo@example.org }, { team: SRE }, { channel: ch_01 }] }
    onExhausted: { channel: ch_01 }
rules:
  all: { escalationPolicy: shop }
`

const organization = {
  members: ["ada", "ben", "cleo"].map((name) => ({ userId: `usr_${name}`, email: `${name}@example.org` })),
  teams: [{ id: "team_1", name: "SRE" }]
}
const directory = Directory.make(organization, [])

describe("schedules and policies", () => {
  it("are sent with IDs, before the rules that name them", () => {
    const { mistakes, wanted } = read(file)
    assert.deepStrictEqual(mistakes, [])
    assert.deepStrictEqual(Directory.objections(wanted, directory), [])
    const { steps } = ApplyPlan.make(wanted, [], { prune: false })
    const { changes } = Changes.bundle(steps, { ids: directory, over: new Set(), updatedAt: new Map() })
    const [schedule, policy, rule] = changes.map((change) => ("body" in change ? change.body : {}))
    assert.deepInclude(schedule, { key: "primary", name: "primary", timezone: "Europe/Berlin" })
    assert.deepStrictEqual((schedule as any).layers[0].participants, [{ userId: "usr_ada" }, { userId: "usr_ben" }])
    assert.deepStrictEqual((policy as any).steps, [
      { afterMinutes: 0, notify: [{ scheduleId: "new:primary" }] },
      { afterMinutes: 10, notify: [{ userId: "usr_cleo" }, { teamId: "team_1" }, { channelId: "ch_01" }] }
    ])
    assert.deepStrictEqual((policy as any).onExhausted, { channelId: "ch_01" })
    assert.deepInclude(rule, { escalationPolicyKey: "shop" })
  })

  it("are read as they are written", () => {
    const { wanted } = read(file)
    const { steps } = ApplyPlan.make(wanted, [], { prune: false })
    const { changes } = Changes.bundle(steps, { ids: directory, over: new Set(), updatedAt: new Map() })
    const made: Record<Kind, ReadonlyArray<Row>> = { ...byKind(() => []) }
    for (const [index, change] of changes.entries())
      if ("body" in change && change.kind !== "rule") {
        const text = JSON.stringify({ ...change.body, id: `id_${index}` }).replaceAll("new:primary", "id_0")
        made[change.kind] = [JSON.parse(text) as Row]
      }
    const current = State.fromRows(made, new Map(), Directory.make(organization, made.schedule))
    const again = ApplyPlan.make(
      wanted.filter(({ kind }) => kind !== "rule"),
      current,
      { prune: true }
    )
    assert.deepStrictEqual(again.steps, [])
  })

  it("name people, teams, schedules and channels that are there", () => {
    const { mistakes, wanted } = read(file.replaceAll("ben@", "bem@").replaceAll("SRE", "SRA"))
    assert.deepStrictEqual(mistakes, [])
    const messages = Directory.objections(wanted, directory).map(({ field, message }) => `${field}: ${message}`)
    assert.match(messages[0]!, /^layers\[0\]\.participants\[1\]: .*no member with the address bem@example\.org.*ben@/)
    assert.match(messages[1]!, /^steps\[1\]\.notify\[1\]\.team: .*no team SRA/)
    assert.lengthOf(messages, 2)
    const stranger = Directory.objections(read(file.replaceAll("ben@", "zoe@")).wanted, directory)
    assert.deepStrictEqual(
      stranger.map(({ message }) => message),
      ["The organization has no member with the address zoe@example.org: invite them first"]
    )
    assert.sameMembers(
      read(file.replaceAll("ch_01", "ops")).mistakes.map((text) => text.split(":")[0]),
      ["policies.shop.steps[1].notify[2].channel", "policies.shop.onExhausted.channel"]
    )
  })

  it.each([
    ["participants: [Ada@example.org", "participants: [Ada", "schedules.primary.layers[0].participants[0]"],
    ['time: "09:00"', 'time: "25:00"', "schedules.primary.layers[0].handoff.time"],
    ["{ team: SRE }", "{ team: SRE, user: ada@example.org }", "policies.shop.steps[1].notify[1]"],
    ["{ team: SRE }", "{ teamId: team_1 }", "policies.shop.steps[1].notify[1]"],
    ["afterMinutes: 10", "afterMinutes: -1", "policies.shop.steps[1].afterMinutes"]
  ])("are refused where they are wrong: %s as %s", (right, wrong, path) => {
    const { mistakes } = read(file.replace(right, wrong))
    assert.isTrue(
      mistakes.some((mistake) => mistake.startsWith(path)),
      mistakes.join("\n")
    )
    assert.notMatch(mistakes.join("\n"), /usr_|scheduleId|userId/)
  })

  it("name no project in the place of that of the other records", () => {
    const rows = { ...byKind(() => [] as ReadonlyArray<Row>), schedule: [{ id: "sch_1" }] }
    const of = (rule: ReadonlyArray<Row>) =>
      Effect.runSync(Effect.provide(State.projectOf({ ...rows, rule }), server().layer))
    assert.deepStrictEqual([of([]), of([{ id: "rul_1", projectId: "prj_1" }])], [undefined, "Shop"])
  })

  it("are of a file only where it has their sections", () => {
    assert.deepStrictEqual([...Source.read([{ name: "a", text: "monitors: {}" }], {}).sections], ["monitor"])
    assert.deepStrictEqual([...Source.read([{ name: "a", text: "schedules:\n" }], {}).sections], ["schedule"])
  })
})
