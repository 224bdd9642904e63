/** The description of a record in the preview of an import. */
import { assert, describe, it } from "@effect/vitest"
import { intervalIn, monitorsIn, targetIn, toldOf } from "../src/features/imports/preview.ts"

type Steps = Parameters<typeof toldOf>[0]["steps"]
type Step = Steps[number]

const step = (ref: string, kind: Step["kind"], body: Step["body"] = {}): Step => ({
  ref,
  kind,
  name: ref,
  path: "",
  body
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
