/**
 * Files can set, change and remove every optional field of every kind, each by itself and in pairs, and then there is nothing to
 * do. Fields and values come from the schemas: a new field is covered when it is declared.
 */
import { assert, layer } from "@effect/vitest"
import * as Applying from "@kanmon/as-code/Applying"
import * as ApplyPlan from "@kanmon/as-code/ApplyPlan"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as Directory from "@kanmon/as-code/Directory"
import * as PlanText from "@kanmon/as-code/PlanText"
import type { Entry } from "@kanmon/as-code/Source"
import * as State from "@kanmon/as-code/State"
import { Effect } from "effect"
import { layer as server } from "../integration/http/Server.ts"
import {
  type Case,
  entry,
  everyPair,
  excepted,
  groups,
  kinds,
  merged,
  others,
  type Pair,
  pairOf,
  refusedFields,
  singles,
  type Value,
  withField,
  withoutField,
  withRemote
} from "./OptionalFields.ts"

/** All of them each night; every fortieth otherwise. */
const chosen = process.env["KANMON_PAIRS"] === "all" ? everyPair : everyPair.filter((_, index) => index % 40 === 0)

const applied = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
  const { mistakes, wanted } = Decoding.decode([...others, ...entries], kinds)
  assert.deepStrictEqual(
    mistakes.map(({ message, path }) => `${path}: ${message}`),
    []
  )
  const planned = Effect.map(State.read(wanted, kinds.checks), ({ current, directory }) => ({
    current,
    directory,
    plan: ApplyPlan.make(wanted, current, { prune: false })
  }))
  const { current, directory, plan } = yield* planned
  assert.deepStrictEqual([...plan.refused, ...Directory.objections(wanted, directory)], [])
  const { refused } = yield* Applying.apply(plan, current, () => Effect.void, directory)
  assert.deepStrictEqual(
    refused?.objections.map(({ message, path, step }) => `${step.kind} ${step.key}: ${path}: ${message}`) ??
      refused?.failure.message,
    undefined
  )
  const again = (yield* planned).plan
  assert.deepStrictEqual(again.steps.length === 0 ? [] : PlanText.describe(again), [])
  return plan.steps.length
})

layer(server({ pagesHost: "pages.kanmon.example" }), { timeout: "5 minutes", excludeTestServices: true })(
  "optional fields",
  (it) => {
    it.effect("are set, changed and removed, each by itself", () =>
      withRemote(
        Effect.gen(function* () {
          assert.isAbove(singles.length, 80)
          const step = (value: (one: Case, base: Value) => Value) =>
            applied(
              singles.map((one, index) => {
                const base = withoutField(merged(one.subject.base, one.context), one.field)
                return entry(one.subject.kind, `f${index}`, value(one, base))
              })
            )
          yield* step((_, base) => base)
          const set = yield* step(({ field, values }, base) => withField(base, field, values[0]))
          const changed = yield* step(({ field, values }, base) => withField(base, field, values.at(-1)))
          const removed = yield* step((_, base) => base)
          const several = singles.filter(({ values }) => values.length === 2)
          assert.deepStrictEqual([set, changed, removed], [singles.length, several.length, singles.length])
        })
      )
    )

    it.effect("are set, changed and removed together where one of them makes no sense without the others", () =>
      withRemote(
        Effect.gen(function* () {
          for (const [index, { base, kind, values }] of groups.entries()) {
            const steps = []
            for (const value of values) steps.push(yield* applied([entry(kind, `g${index}`, { ...base, ...value })]))
            assert.deepStrictEqual(
              steps.slice(1),
              values.slice(1).map(() => 1),
              JSON.stringify(base)
            )
          }
        })
      )
    )

    it("are refused where they make no sense at all", () => {
      for (const [field, value] of [
        ["retryInterval", 20],
        ["regions", ["eu-west"]]
      ] as const) {
        const job = entry("monitor", "job", { type: "heartbeat", interval: 60, [field]: value })
        const { mistakes } = Decoding.decode([job], kinds)
        assert.deepStrictEqual(
          mistakes.map(({ path }) => path.split(".").at(-1)?.replace(/\[.*/, "")),
          [field]
        )
      }
    })

    it("are all covered, by themselves or in a group", () => {
      const grouped = new Set([...groups.flatMap(({ fields }) => fields), ...refusedFields])
      assert.deepStrictEqual(
        excepted.filter((field) => !grouped.has(field)),
        [],
        "Files accept these fields: read them in Decoding.ts and State.ts of packages/as-code"
      )
    })

    it.effect("are set together, and removed one after the other", () =>
      withRemote(
        Effect.gen(function* () {
          const pairs = chosen.flatMap(([one, other]) => pairOf(one, other) ?? [])
          assert.isAbove(pairs.length, 10)
          for (let from = 0; from < pairs.length; from += 400) {
            const part = pairs.slice(from, from + 400)
            const step = (value: (pair: Pair) => Value) =>
              applied(part.map((pair, index) => entry(pair.one.subject.kind, `p${from + index}`, value(pair))))
            const first = ({ context, one }: Pair) => withField(context, one.field, one.values[0])
            const both = (pair: Pair) => withField(first(pair), pair.other.field, pair.other.values[0])
            yield* step(({ context }) => context)
            yield* step(both)
            yield* step(first)
            yield* step(both)
            yield* step(({ context, other }) => withField(context, other.field, other.values[0]))
            yield* step(({ context }) => context)
          }
        })
      )
    )
  }
)
