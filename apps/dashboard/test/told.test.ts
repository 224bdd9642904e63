/** The recipients of an outage without a rule of the new monitor's own. */
import { assert, describe, it } from "@effect/vitest"
import { toldOfEveryMonitor } from "../src/features/rules/everyMonitor.ts"

type Rules = Parameters<typeof toldOfEveryMonitor>[0]
type Rule = Rules[number]

const rule = (fields: Partial<Rule>): Rule => ({
  monitorIds: [],
  tags: [],
  channelIds: [],
  escalationPolicyId: null,
  triggers: ["monitor_down"],
  ...fields
})

const told = (...rules: Rules) => toldOfEveryMonitor(rules, ["a", "b"])

describe("recipients for every monitor", () => {
  it("is every channel with a rule that names none", () =>
    assert.deepStrictEqual(told(rule({})), { channelIds: ["a", "b"], isEscalated: false }))

  it("is the channels and the policy that rules name", () =>
    assert.deepStrictEqual(told(rule({ channelIds: ["b", "gone"] }), rule({ escalationPolicyId: "esc" })), {
      channelIds: ["b"],
      isEscalated: true
    }))

  it("are none with rules for some monitors, some tags or other triggers", () =>
    assert.deepStrictEqual(
      told(rule({ monitorIds: ["m"] }), rule({ tags: ["prod"] }), rule({ triggers: ["ssl_expiring"] })),
      { channelIds: [], isEscalated: false }
    ))
})
