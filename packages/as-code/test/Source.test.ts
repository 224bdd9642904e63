/** Files: positions, environment variables, and messages about mistakes. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Decoding from "../src/Decoding.ts"
import { type Environment, fill } from "../src/Environment.ts"
import { inOrder, line } from "../src/Place.ts"
import * as Source from "../src/Source.ts"
import { didYouMean } from "@kanmon/domain/Suggestion"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))

const read = (files: Readonly<Record<string, string>>, environment: Environment = {}) => {
  const named = Object.entries(files).map(([name, text]) => ({ name, text }))
  const { entries, mistakes } = Source.read(named, environment)
  const decoded = Decoding.decode(entries, kinds)
  return { wanted: decoded.wanted, said: inOrder([...mistakes, ...decoded.mistakes]).map(line) }
}

describe("dependencies in files", () => {
  it("are refused where they form a cycle, once and at the place where it begins", () => {
    const { said } = read({
      "kanmon.yaml": [
        "monitors:",
        "  a: { type: ping, host: a.example, dependsOn: [b] }",
        "  b: { type: ping, host: b.example, dependsOn: [c] }",
        "  c: { type: ping, host: c.example, dependsOn: [b] }"
      ].join("\n")
    })
    assert.deepStrictEqual(said.length, 1)
    assert.include(said[0], "Expected no cycle: b depends on c depends on b")
    assert.include(said[0], "kanmon.yaml:3")
  })
})

it("says of an entry with a wrong field what its references lack, too", () => {
  const { said } = read({
    "a.yaml": [
      "monitors:",
      "  a: { type: ping, hst: a.example, dependsOn: [nope] }",
      "rules:",
      "  r: { resendEvery: often, monitors: [b], channels: [c] }",
      "pages:",
      "  p: { slug: 7, monitors: [d] }"
    ].join("\n")
  })
  const all = said.join("\n")
  for (const key of ["monitor nope", "monitor b", "channel c", "monitor d"])
    assert.include(all, `There is no ${key} in these files`)
  for (const field of ["monitors.a.hst", "rules.r.resendEvery", "pages.p.slug"]) assert.include(all, `${field}: `)
})

describe("variables in texts", () => {
  it("are filled in, and two dollars stand for one", () => {
    const filled = fill("Bearer ${TOKEN}, $5, $${TOKEN}, ${TOKEN}", { TOKEN: "${x}" })
    assert.deepStrictEqual(filled, { text: "Bearer ${x}, $5, ${TOKEN}, ${x}", used: ["TOKEN", "TOKEN"], problems: [] })
  })

  it.each(["${", "${NO", "${}", "${a b}", "${1}", "${A:-b}"])("%s is no variable", (text) =>
    assert.deepStrictEqual([fill(text, { NO: "x" }).text, fill(text, { NO: "x" }).problems.length], [text, 1])
  )

  it("leave every text as it is that is marked as text", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "A", " ") }), (text) => {
        const filled = fill(
          text.replaceAll("${", () => "$${"),
          {}
        )
        assert.deepStrictEqual([filled.problems, filled.text], [[], text])
      })
    ))
})

describe("files", () => {
  it("are read together, with what is merged in, and say what everything is", () => {
    const { said, wanted } = read(
      {
        "a.yaml": "x-web: &web {type: http, timeout: 5s}\nmonitors:\n  a:\n    <<: *web\n    url: ${URL}\nchannels:\n",
        "b.yaml": "rules:\n  down: {monitors: [a]}\npages:\n  p: {slug: acme, monitors: [a, ]}\n",
        "empty.yaml": "# nothing\n"
      },
      { URL: "https://a.example/?key=1" }
    )
    assert.deepStrictEqual(said, [])
    const [monitor, rule, page] = wanted
    assert.include(monitor!.fields, { name: "a", interval: 60, timeout: 5, url: "https://a.example/?key=1" })
    assert.isTrue(monitor!.secret.has("url"))
    assert.deepInclude(rule!.fields, { monitors: ["a"], channels: [], triggers: ["monitor_down"] })
    assert.deepInclude(page!.fields, { monitors: [{ monitor: "a", group: null }], customDomain: null })
  })

  const cases: ReadonlyArray<readonly [what: string, text: string, said: ReadonlyArray<string>]> = [
    [
      "no fields at all",
      "- a\n",
      [
        "a.yaml:1:1  Expected monitors, channels, rules, integrations, pages, maintenance, schedules, policies, each with entries below it"
      ]
    ],
    [
      "a heading that is misspelt",
      "monitors:\n  a: {type: ping, host: a.example}\npages:\n  p: {slug: acme, monitors: [{monitor: a, grup: A}]}\n",
      ["a.yaml:4:43  pages.p.monitors[0].grup: Unknown field; did you mean group?"]
    ],
    [
      "misspelt fields of rows within monitors",
      "monitors:\n  a: {type: heartbeat, metricRules: [{metrik: a, op: '<', value: 1}]}\n  b: {type: ping, host: b.example, links: [{titel: A, url: 'https://a.example'}]}\n",
      [
        "a.yaml:2:38  monitors.a.metricRules[0].metric: Required",
        "a.yaml:2:39  monitors.a.metricRules[0].metrik: Unknown field; did you mean metric?",
        "a.yaml:3:44  monitors.b.links[0].title: Required",
        "a.yaml:3:45  monitors.b.links[0].titel: Unknown field; did you mean title?"
      ]
    ],
    ["a part that is not known", "monitor:\n  a: {}\n", ["a.yaml:1:1  monitor: Unknown field; did you mean monitors?"]],
    ["half a file", "monitors: {a: {type: ping\n", ["a.yaml:2:1  "]],
    [
      "a key twice",
      "monitors:\n  a: {type: ping, host: b}\n  a: {type: ping, host: c}\n",
      ["a.yaml:3:3  Map keys must be unique"]
    ],
    ["a key that is none", "monitors:\n  Shop: {type: ping, host: b}\n", ["a.yaml:2:3  monitors.Shop: Expected a key"]],
    ["no fields", "monitors:\n  a: 5\n", ["a.yaml:2:3  monitors.a: Expected fields"]],
    ["two documents", "monitors: {}\n---\nrules: {}\n", ["a.yaml:2:1  Expected one document"]],
    [
      "a field too few",
      "monitors:\n  a:\n    type: tcp\n    host: b.example\n",
      ["a.yaml:2:3  monitors.a.port: Required"]
    ],
    [
      "several mistakes in one entry",
      "monitors:\n  a:\n    type: http\n    url: nowhere\n    interval: 5\n    headers:\n      a b: c\n",
      [
        "a.yaml:4:5  monitors.a.url: Expected a full URL",
        "a.yaml:5:5  monitors.a.interval: Expected whole seconds from 10 to 86400",
        "a.yaml:7:7  monitors.a.headers.a b: Expected a valid header name"
      ]
    ],
    [
      "a mistake in what is merged in, at the place it comes from",
      "x-web: &web\n  timeout: 5 moons\nmonitors:\n  a: {<<: *web, type: ping, host: b.example}\n",
      ["a.yaml:2:3  monitors.a.timeout: Expected seconds"]
    ],
    [
      "a field of a configuration that is not known",
      "channels:\n  a:\n    type: ntfy\n    config: {topik: x}\n",
      [
        "a.yaml:4:5  channels.a.config.topic: Required",
        "a.yaml:4:14  channels.a.config.topik: Unknown field; did you mean topic?"
      ]
    ],
    [
      "names of what is not there",
      "monitors:\n  shop: {type: ping, host: b.example}\nrules:\n  r: {monitors: [shp], channels: [x]}\npages:\n  p:\n    slug: acme\n    monitors:\n      - shop\n      - monitor: shop\n      - monitor: nope\n        grup: A\n",
      [
        "a.yaml:4:18  rules.r.monitors[0]: There is no monitor shp in these files; did you mean shop?",
        "a.yaml:4:35  rules.r.channels[0]: There is no channel x in these files",
        "a.yaml:10:9  pages.p.monitors[1]: shop is already in the list; remove this entry",
        "a.yaml:11:9  pages.p.monitors[2].monitor: There is no monitor nope in these files",
        "a.yaml:12:9  pages.p.monitors[2].grup: Unknown field"
      ]
    ],
    [
      "a type that is not known",
      "monitors:\n  a: {type: pnig, host: b.example}\n",
      [
        "a.yaml:2:7  monitors.a.type: Expected one of dns, heartbeat, http, icmp, ping, tcp; for another plugin's type set"
      ]
    ],
    [
      "the words of the API",
      "rules:\n  r: {monitorIds: [mon_1], key: r}\n",
      [
        "a.yaml:2:7  rules.r.monitorIds: Files name monitors by their keys: use monitors",
        "a.yaml:2:28  rules.r.key: The name of the entry is its key; remove this field"
      ]
    ]
  ]
  it.each(cases)("with %s say where and what", (_what, text, said) => {
    const found = read({ "a.yaml": text })
    assert.strictEqual(found.said.length, said.length, found.said.join("\n"))
    for (const [index, words] of said.entries()) assert.include(found.said[index], words)
  })

  it("get one row for a title that is wrong, which is the message, too", () => {
    const times = "scheduledStart: 2026-11-01T02:00:00Z, scheduledEnd: 2026-11-01T03:00:00Z"
    const saidOf = (fields: string) => read({ "kanmon.yaml": `maintenance:\n  m: {${fields}, ${times}}\n` }).said
    for (const title of ['""', "[1]", `"${"x".repeat(9000)}"`]) {
      const said = saidOf(`title: ${title}`)
      assert.lengthOf(said, 1)
      assert.include(said[0], "maintenance.m.title: Expected")
    }
    assert.lengthOf(saidOf('title: "", message: ""'), 2)
  })

  it("may not use a key twice between them", () => {
    const text = "monitors:\n  a: {type: ping, host: b.example}\n"
    const { said } = read({ "a.yaml": text, "b.yaml": text })
    assert.deepStrictEqual(said, ["b.yaml:2:3  monitors.a: This key is already used in a.yaml:2:3; rename one of them"])
  })

  it("are refused and not followed when they grow without end", () => {
    const lines = Array.from({ length: 12 }, (_, index) =>
      index === 0
        ? "x-0: &x0 [a]"
        : `x-${index}: &x${index} [${Array.from({ length: 10 }, () => `*x${index - 1}`).join(", ")}]`
    )
    assert.lengthOf(read({ "a.yaml": lines.join("\n") }).said, 1)
  })
})

describe("suggestions", () => {
  it.each([
    ["intervall", "; did you mean interval?"],
    ["Interval", "; did you mean interval?"],
    ["colour", ""]
  ])("by %s%s", (name, words) => assert.strictEqual(didYouMean(name, ["interval", "timeout"]), words))
})
