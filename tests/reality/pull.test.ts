/** A project with every optional field of every kind, made by hand, is pulled into a file with which there is nothing to do. */
import { assert, layer } from "@effect/vitest"
import * as Applying from "@kanmon/as-code/Applying"
import * as ApplyPlan from "@kanmon/as-code/ApplyPlan"
import * as Decoding from "@kanmon/as-code/Decoding"
import type { Environment } from "@kanmon/as-code/Environment"
import * as PlanText from "@kanmon/as-code/PlanText"
import * as Pull from "@kanmon/as-code/pull/Pull"
import * as Remote from "@kanmon/as-code/Remote"
import { kinds as allKinds, nameOf, sectionOf } from "@kanmon/as-code/Resource"
import * as Source from "@kanmon/as-code/Source"
import * as State from "@kanmon/as-code/State"
import { Effect, type Schema } from "effect"
import { parse } from "yaml"
import { layer as server } from "../integration/http/Server.ts"
import {
  type Case,
  entry,
  kinds,
  merged,
  others,
  singles,
  withField,
  withoutField,
  withRemote
} from "./OptionalFields.ts"

const value = ({ context, field, subject, values }: Case, at: number) =>
  withField(withoutField(merged(subject.base, context), field), field, values.at(at))

const entries = (at: number) => [
  ...others,
  ...singles.map((one, index) => entry(one.subject.kind, `f${index}`, value(one, at)))
]

const apply = Effect.fnUntraced(function* (all: ReadonlyArray<Source.Entry>) {
  const { mistakes, wanted } = Decoding.decode(all, kinds)
  assert.deepStrictEqual(mistakes, [])
  const { current, directory } = yield* State.read(wanted, kinds.checks)
  const plan = ApplyPlan.make(wanted, current, { prune: false })
  const { refused } = yield* Applying.apply(plan, current, () => Effect.void, directory)
  assert.isUndefined(refused)
})

/** The texts of a value below a path, by which a secret that the server keeps is found again. */
const at = (found: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], found)

/** `changed`: what the entries say counts more than what was pulled, because the server has it by now. */
const environmentOf = (all: ReadonlyArray<Source.Entry>, { variables }: Pull.Pulled, changed = false): Environment =>
  Object.fromEntries(
    variables.map(({ name, place, value: known }) => {
      const [record, path] = place.split(", ") as [string, string]
      const origin = all.find((one) => nameOf(one) === record)
      const own = at(origin?.value, path.split("."))
      return [name, changed && typeof own === "string" ? own : (known ?? String(own))]
    })
  )

const pull = Effect.fnUntraced(function* (text: string, environment: Environment) {
  const files = text === "" ? [] : [{ name: "kanmon.yaml", text }]
  const found = yield* Pull.pull(files, environment, kinds, {
    target: "kanmon.yaml",
    managed: false,
    prune: false,
    onCall: true
  })
  if ("mistakes" in found) return assert.fail(JSON.stringify(found.mistakes))
  yield* Pull.adopt(found.adopted)
  return { ...found, text: found.files[0]?.text ?? text }
})

const nothingToDo = Effect.fnUntraced(function* (text: string, environment: Environment) {
  const source = Source.read([{ name: "kanmon.yaml", text }], environment)
  const { mistakes, wanted } = Decoding.decode(source.entries, kinds)
  assert.deepStrictEqual([...source.mistakes, ...mistakes], [])
  const { current } = yield* State.read(wanted, kinds.checks, source.sections)
  const plan = ApplyPlan.make(wanted, current, { prune: true })
  assert.deepStrictEqual(plan.steps.length === 0 ? [] : PlanText.describe(plan), [])
})

/** Secrets that the file has in their fields. */
const secretsIn = (text: string, all: ReadonlyArray<Source.Entry>): ReadonlyArray<string> => {
  const content = parse(text) as Record<string, Record<string, unknown>>
  return Decoding.decode(all, kinds).wanted.flatMap(({ fields, key, kind, masked }) =>
    [...masked].filter((field) => {
      const [value, written] = [fields[field], at(content[sectionOf[kind]]?.[key], field.split("."))]
      return typeof value === "string" && JSON.stringify(written ?? "").includes(value)
    })
  )
}

layer(server({ pagesHost: "pages.kanmon.example" }), { timeout: "5 minutes", excludeTestServices: true })(
  "pull",
  (it) => {
    it.effect("writes everything that was made by hand, and follows what is changed", () =>
      withRemote(
        Effect.gen(function* () {
          const first = entries(0)
          yield* apply(first)
          const remote = yield* Remote.Remote
          // As if by hand: without keys, of which the names are left.
          for (const kind of allKinds) {
            const rows = yield* remote.every(kind)
            const changes = rows.map(({ id, key, name = null, title = null }) => {
              const label: Schema.JsonObject =
                kind === "maintenance" ? (title === key ? {} : { title: key! }) : name === key ? {} : { name: key! }
              return { action: "update", kind, id, body: key === null ? { key } : { ...label, key: null } } as const
            })
            if (changes.length > 0) yield* remote.change(changes, false)
          }
          const made = yield* pull("", {})
          assert.deepStrictEqual(made.leftOut, [])
          assert.isAbove(made.adopted.length, singles.length)
          assert.deepStrictEqual(secretsIn(made.text, first), [])
          const environment = environmentOf(first, made)
          yield* nothingToDo(made.text, environment)

          yield* apply(entries(-1))
          const changed = yield* pull(made.text, environment)
          assert.isAbove(changed.drift.length, 50)
          assert.deepStrictEqual(secretsIn(changed.text, entries(-1)), [])
          yield* nothingToDo(changed.text, {
            ...environmentOf(entries(-1), made, true),
            ...environmentOf(entries(-1), changed)
          })
        })
      )
    )
  }
)
