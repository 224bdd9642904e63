/** Plans: taken step by step, they bring about what is wanted, and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ApplyPlan from "../src/ApplyPlan.ts"
import { type Current, type Kind, nameOf, type Wanted } from "../src/Resource.ts"

const nothing: ReadonlySet<string> = new Set()

const keys = fc.constantFrom("a", "b", "c", "d", "e")
const values = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "y"), fc.constant(null), fc.constant(true))
const ownFields = fc.dictionary(fc.constantFrom("interval", "host", "port", "body"), values)
const some = (kind: Kind, keysOf: ReadonlyArray<string>, field: string) =>
  fc.subarray([...keysOf]).map((list) => (kind === "rule" || kind === "page" ? { [field]: list } : {}))

/** Wanted states of files, with references inside the files. */
const files: fc.Arbitrary<ReadonlyArray<Wanted>> = fc
  .record({ monitors: fc.uniqueArray(keys), channels: fc.uniqueArray(keys), rules: fc.uniqueArray(keys) })
  .chain(({ channels, monitors, rules }) => {
    const of = (kind: Kind, all: ReadonlyArray<string>) =>
      all.map((key) =>
        fc
          .tuple(ownFields, some(kind, monitors, "monitors"), some(kind, channels, "channels"), fc.string())
          .map(([own, watched, told, name]): Wanted => ({
            kind,
            key,
            fields: { ...own, ...watched, ...told, name },
            masked: nothing,
            secret: nothing,
            addresses: nothing,
            lasting: nothing
          }))
      )
    const all = [...of("rule", rules), ...of("monitor", monitors), ...of("channel", channels), ...of("page", rules)]
    return fc.tuple(...all)
  })

const serverWith = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<Current> =>
  wanted.map(({ fields, key, kind }) => current(kind, key, fields))

const current = (kind: Kind, key: string, fields: Current["fields"]): Current => ({
  kind,
  key,
  id: `id of ${kind} ${key}`,
  fields,
  differing: nothing,
  hidden: nothing,
  overruled: nothing
})

/** Takes the steps as a server would, which refuses to name what is not there. */
const taken = (plan: ApplyPlan.ApplyPlan, before: ReadonlyArray<Current>): ReadonlyArray<Current> => {
  const there = new Map(before.map((one) => [nameOf(one), one]))
  for (const step of plan.steps) {
    const now = there.get(nameOf(step))
    if (step.action === "create") {
      assert.isUndefined(now)
      there.set(nameOf(step), current(step.kind, step.key, step.wanted.fields))
    } else if (step.action === "update") {
      assert.strictEqual(step.id, now!.id)
      const changed = new Map(Object.entries(now!.fields))
      for (const { field, from, to } of step.changes) {
        assert.deepStrictEqual(from, changed.get(field))
        if (to === undefined) changed.delete(field)
        else changed.set(field, to)
      }
      there.set(nameOf(step), { ...now!, fields: Object.fromEntries(changed) })
    } else {
      assert.isTrue(there.delete(nameOf(step)))
      for (const one of there.values()) assert.notInclude(referencesOf(one), nameOf(step), "it is still named")
    }
    if (step.action !== "delete")
      for (const name of referencesOf(there.get(nameOf(step))!)) assert.isTrue(there.has(name), `${name} is not there`)
  }
  return [...there.values()]
}

const referencesOf = ({ fields }: Current): ReadonlyArray<string> =>
  (["monitors", "channels"] as const).flatMap((field) =>
    ((fields[field] ?? []) as ReadonlyArray<string>).map((key) => `${field.slice(0, -1)} ${key}`)
  )

const shownOf = (all: ReadonlyArray<Pick<Wanted, "kind" | "key" | "fields">>) =>
  all.map((one) => [nameOf(one), one.fields] as const).toSorted(([one], [other]) => one.localeCompare(other))

describe("a plan", () => {
  it("brings about what is wanted, naming nothing that is not there, and is empty then", () =>
    fc.assert(
      fc.property(files, files, (old, wanted) => {
        const after = taken(ApplyPlan.make(wanted, serverWith(old), { prune: true }), serverWith(old))
        assert.deepStrictEqual(shownOf(after), shownOf(wanted))
        const again = ApplyPlan.make(wanted, after, { prune: true })
        assert.deepStrictEqual([again.steps, again.unchanged], [[], wanted.length])
      })
    ))

  it("leaves alone what is in no file, unless it is told to prune", () =>
    fc.assert(
      fc.property(files, files, (old, wanted) => {
        const plan = ApplyPlan.make(wanted, serverWith(old), { prune: false })
        assert.strictEqual(ApplyPlan.count(plan, "delete"), 0)
        const named = new Set(wanted.map(nameOf))
        assert.sameMembers(
          plan.left.map(nameOf),
          old.map(nameOf).filter((name) => !named.has(name))
        )
      })
    ))

  const wanted = (kind: Kind, fields: Wanted["fields"], more: Partial<Wanted> = {}): Wanted => ({
    kind,
    key: "a",
    fields,
    masked: nothing,
    secret: nothing,
    addresses: nothing,
    lasting: nothing,
    ...more
  })
  const planned = (one: Wanted, now: Current) => ApplyPlan.make([one], [now], { prune: true })

  it("renames records without recreating them", () => {
    const { steps } = planned(wanted("monitor", { name: "New" }), current("monitor", "a", { name: "Old" }))
    assert.deepStrictEqual(
      steps.map(({ action }) => action),
      ["update"]
    )
  })

  it("believes the server about what is not shown", () => {
    const masked = new Set(["config.token"])
    const now = current("channel", "a", { "config.token": "••••6789" })
    const one = wanted("channel", { "config.token": "123456789" }, { masked, secret: masked })
    assert.lengthOf(planned(one, now).steps, 0)
    assert.lengthOf(planned(one, { ...now, differing: masked }).steps, 1)
    assert.lengthOf(planned({ ...one, fields: {} }, now).steps, 1)
  })

  it("does not fight over what the plan of the account has decided", () => {
    const now = { ...current("monitor", "a", { paused: true }), overruled: new Set(["paused"]) }
    assert.lengthOf(planned(wanted("monitor", { paused: false }), now).steps, 0)
  })

  it("says what cannot be done, and what to do instead", () => {
    const type = planned(wanted("monitor", { type: "tcp" }), current("monitor", "a", { type: "http" }))
    assert.deepStrictEqual(
      type.refused.map(({ field }) => field),
      ["type"]
    )
  })

  it("frees a page's address before another one asks for it", () => {
    const old = current("page", "old", { slug: "shop" })
    const { steps } = ApplyPlan.make([wanted("page", { slug: "shop" })], [old], { prune: true })
    assert.deepStrictEqual(
      steps.map(({ action, key }) => [action, key]),
      [
        ["delete", "old"],
        ["create", "a"]
      ]
    )
  })
})
