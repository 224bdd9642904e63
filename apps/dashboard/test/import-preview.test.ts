/** The description of a record in the preview of an import. */
import { assert, describe, it } from "@effect/vitest"
import { creatable, lengthened, paced, tooOften } from "../src/features/imports/fitting.ts"
import { intervalIn, monitorsIn, targetIn, toldOf } from "../src/features/imports/preview.ts"

type Steps = Parameters<typeof toldOf>[0]["steps"]
type Step = Steps[number]

const step = (ref: string, kind: Step["kind"], body: Step["body"] = {}): Step => ({
  ref,
  kind,
  name: ref,
  path: "",
  body,
  exists: false
})

describe("an import into a project", () => {
  const monitor = (ref: string, body: Step["body"]) => step(ref, "monitor", body)
  const plan = (...steps: ReadonlyArray<Step>): Parameters<typeof paced>[0] => ({
    counts: { monitors: 0, channels: 0, rules: 0, pages: 0, maintenance: 0 },
    steps,
    notes: [],
    shortestInterval: 60
  })
  const often = monitor("shop", { interval: 20, retryInterval: 10, timeout: 5 })
  const retried = monitor("api", { interval: 300, retryInterval: 20 })
  const usual = monitor("db", { interval: 60 })

  it("counts neither records that exist, nor those that the plan refuses, nor those that need them", () => {
    const all = plan(
      step("ops", "channel"),
      often,
      { ...usual, exists: true },
      step("down", "rule", { monitorIds: ["shop"], channelIds: ["ops"] }),
      step("page", "page", { monitors: [{ monitorId: "db" }] }),
      step("both", "page", { monitors: [{ monitorId: "db" }, { monitorId: "shop" }] })
    )
    const refs = (given: typeof all) => creatable(given).map(({ ref }) => ref)
    assert.deepStrictEqual(refs(all), ["ops", "page"])
    assert.deepStrictEqual(refs(paced(all)), ["ops", "shop", "down", "page", "both"])
  })

  it("gives refused monitors the shortest interval of the plan, and names what it changes", () => {
    const all = plan(often, retried, usual, { ...often, ref: "there", exists: true })
    const { steps } = paced(all)
    assert.deepStrictEqual(
      steps.map(({ body }) => body),
      [{ interval: 60, timeout: 5 }, { interval: 300, retryInterval: 60 }, { interval: 60 }, often.body]
    )
    assert.deepStrictEqual(lengthened(all), [
      { name: "shop", interval: 20, retryInterval: 10 },
      { name: "api", interval: undefined, retryInterval: 20 }
    ])
    assert.deepStrictEqual(tooOften({ ...plan(), steps }), [])
  })
})

describe("the preview of an import", () => {
  it("names the channels of the rules that watch a monitor, each once", () => {
    const told = toldOf({
      steps: [
        step("ops", "channel"),
        step("dev", "channel"),
        step("shop", "monitor"),
        step("one", "rule", { monitorIds: ["shop"], channelIds: ["dev"], triggers: ["monitor_down"] }),
        step("all", "rule", { channelIds: ["ops"] }),
        step("certificates", "rule", { monitorIds: ["api"], triggers: ["ssl_expiring"] })
      ]
    })
    assert.deepStrictEqual(told("shop"), ["ops", "dev"])
    assert.deepStrictEqual(told("api"), ["ops"])
  })

  it("has no recipient if no rule watches, and every channel if the rule names none", () => {
    const steps = [step("ops", "channel"), step("shop", "monitor")]
    assert.deepStrictEqual(toldOf({ steps })("shop"), [])
    assert.deepStrictEqual(toldOf({ steps: [...steps, step("all", "rule")] })("shop"), ["ops"])
  })

  it("says what is checked, how often, and how many monitors belong to a record", () => {
    const of = (body: Step["body"]) => step("x", "monitor", body)
    assert.strictEqual(targetIn(of({ url: "https://ada:secret@example.org/shop?key=1" })), "example.org/shop")
    assert.strictEqual(targetIn(of({ host: "db", port: 5432 })), "db:5432")
    assert.strictEqual(targetIn(of({ schedule: "30 3 * * *" })), "30 3 * * *")
    assert.isUndefined(targetIn(of({ interval: 60 })))
    assert.strictEqual(intervalIn(of({ interval: 60 })), 60)
    assert.strictEqual(monitorsIn(of({ monitorIds: ["a", "b"] })), 2)
    assert.strictEqual(monitorsIn(of({ monitors: [{}] })), 1)
  })
})
