import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { AlertRule } from "../src/AlertRule.ts"
import {
  conditionsOf,
  decide,
  type Decision,
  domainConditions,
  isQuiet,
  notifying,
  type OpenAlert
} from "../src/Alerting.ts"
import { ChannelId, EscalationPolicyId, MonitorId, ProjectId } from "../src/Ids.ts"
import { initial, evaluate } from "../src/StatusEvaluation.ts"
import type { MonitorState } from "../src/MonitorState.ts"
import { markStale } from "../src/Staleness.ts"
import type { Observation } from "../src/Observation.ts"
import type { RegionStatus } from "../src/Status.ts"
import { dayMillis } from "../src/Timestamp.ts"
import { rule } from "./SampleRule.ts"

const monitorId = MonitorId.make("mon_1")
const settings = { intervalMillis: 60_000, regions: [] }

const observation = (slot: number, status: RegionStatus, region = "eu-west", certificate?: object): Observation => ({
  monitorId,
  projectId: ProjectId.make("prj_1"),
  region,
  slot,
  scheduledAt: slot * 60_000,
  checkedAt: slot * 60_000,
  status,
  responseTime: 1,
  timing: {},
  failure: status === "up" ? null : { code: status, message: status },
  facts: certificate === undefined ? {} : { certificate: certificate as never }
})

/** A monitor and its alerts: applies observations one after the other, as the engine does. */
const story = () => {
  let state: MonitorState = initial(0)
  let open: Array<OpenAlert> = []
  let slot = 0
  let next = 0
  const apply = (decisions: ReadonlyArray<Decision>) => {
    for (const decision of decisions) {
      if (decision._tag === "Open") {
        const { about, since, step, trigger } = decision.condition
        const key = `${decision.rule.id} ${trigger}`
        assert.isFalse(
          open.some((alert) => `${alert.ruleId} ${alert.trigger}` === key),
          `one alert at a time: ${key}`
        )
        const { channelIds } = decision
        open.push({ id: `alt_${next++}`, ruleId: decision.rule.id, trigger, about, step, startedAt: since, channelIds })
      } else if (decision._tag === "Extend") {
        const { alert, channelIds } = decision
        open = open.map((one) =>
          one.id === alert.id ? { ...one, channelIds: [...one.channelIds, ...channelIds] } : one
        )
      } else if (decision._tag === "Repeat") {
        const { about, step } = decision.condition
        open = open.map((alert) => (alert.id === decision.alert.id ? { ...alert, about, step } : alert))
      } else open = open.filter(({ id }) => id !== decision.alert.id)
    }
    return decisions
  }
  return {
    /** As when the monitor is changed: its checks begin again, its alerts stay. */
    restart: () => {
      state = initial(slot * 60_000)
    },
    open: () => open,
    state: () => state,
    see: (status: RegionStatus, rules: ReadonlyArray<AlertRule>, certificate?: object, region = "eu-west") => {
      state = evaluate(state, observation(++slot, status, region, certificate), settings).state
      return apply(decide(monitorId, conditionsOf(state, settings), rules, open, []))
    },
    /** Passes this many intervals without an observation. */
    wait: (intervals: number, rules: ReadonlyArray<AlertRule>) => {
      slot += intervals
      state = markStale(state, { ...settings, timeoutMillis: 30_000, countsFrom: 0 }, slot * 60_000).state
      return apply(decide(monitorId, conditionsOf(state, settings), rules, open, []))
    },
    again: (rules: ReadonlyArray<AlertRule>, channels: ReadonlyArray<ChannelId> = []) =>
      apply(decide(monitorId, conditionsOf(state, settings), rules, open, channels))
  }
}

const tags = (decisions: ReadonlyArray<Decision>) => decisions.map(({ _tag }) => _tag)

const statuses = fc.array(fc.constantFrom<RegionStatus>("up", "down", "degraded", "unknown"), { maxLength: 60 })

describe("alerts of one rule", () => {
  it("opens one alert for each outage that lasts long enough, and closes it afterwards", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), (ups, failures) => {
        const told = story()
        let opened = 0
        let closed = 0
        let run = 0
        let expected = 0
        for (const up of [true, ...ups, true]) {
          run = up ? 0 : run + 1
          if (run === failures) expected++
          for (const tag of tags(told.see(up ? "up" : "down", [rule("a", failures)]))) {
            if (tag === "Open") opened++
            if (tag === "Close") closed++
          }
        }
        assert.deepStrictEqual([opened, closed], [expected, expected])
      })
    )
  })

  it("changes nothing when the same decision is made again", () => {
    fc.assert(
      fc.property(statuses, (seen) => {
        const told = story()
        const rules = [rule("a"), rule("b", 3), rule("c", 2, ["monitor_degraded", "monitor_down"])]
        for (const status of seen) {
          told.see(status, rules)
          assert.deepStrictEqual(told.again(rules), [])
        }
      })
    )
  })

  it("opens no alert for a healthy monitor", () => {
    fc.assert(
      fc.property(statuses, (seen) => {
        const told = story()
        for (const status of seen) {
          told.see(status, [rule("a"), rule("b", 2, ["monitor_degraded"])])
          if (isQuiet(told.state())) assert.deepStrictEqual(told.open(), [])
        }
      })
    )
  })

  it("keeps the alert open without results, and when the failure threshold is raised", () => {
    const told = story()
    told.see("up", [rule("a")])
    assert.deepStrictEqual(tags(told.see("down", [rule("a")])), ["Open"])
    assert.deepStrictEqual(told.see("unknown", [rule("a")]), [])
    assert.deepStrictEqual(told.see("down", [rule("a", 50)]), [])
    assert.deepStrictEqual(tags(told.see("up", [rule("a", 50)])), ["Close"])
  })

  it("dates the alert from the first failure to the first pass", () => {
    const told = story()
    told.see("up", [])
    told.see("down", [rule("a", 3)])
    told.see("down", [rule("a", 3)])
    const [opened] = told.see("down", [rule("a", 3)])
    assert.strictEqual(opened?._tag === "Open" ? opened.condition.since : 0, 2 * 60_000)
    const [closed] = told.see("up", [rule("a", 3)])
    assert.strictEqual(closed?._tag === "Close" ? closed.at : 0, 5 * 60_000)
  })
})

describe("several rules", () => {
  it("counts failures separately for each rule", () => {
    const told = story()
    const rules = [rule("quick"), rule("slow", 3)]
    told.see("up", rules)
    assert.deepStrictEqual(
      [1, 2, 3].map(() => tags(told.see("down", rules))),
      [["Open"], [], ["Open"]]
    )
    assert.deepStrictEqual(tags(told.see("up", rules)), ["Close", "Close"])
  })

  it("drops an alert that its rule no longer covers, without a notification", () => {
    const told = story()
    told.see("up", [])
    told.see("down", [rule("a"), rule("b")])
    const elsewhere = { ...rule("a"), monitorIds: [MonitorId.make("mon_2")] }
    assert.deepStrictEqual(tags(told.see("down", [elsewhere])), ["Drop", "Drop"])
    assert.deepStrictEqual(told.see("up", [elsewhere]), [])
  })

  it("alerts for a rule that is created while the monitor is down", () => {
    const told = story()
    told.see("up", [])
    told.see("down", [])
    told.see("down", [])
    assert.deepStrictEqual(tags(told.see("down", [rule("late", 2)])), ["Open"])
  })
})

describe("alerts of several rules about one outage", () => {
  const triggers = ["monitor_down", "monitor_degraded", "monitor_stale", "ssl_expiring"] as const
  const certificate = (days: number) => ({
    fingerprint256: String(days),
    validTo: new Date(days * dayMillis).toISOString(),
    problem: null,
    nameMatches: true
  })
  const step = fc.oneof(
    fc.record({
      see: fc.constantFrom<RegionStatus>("up", "down", "degraded", "unknown"),
      days: fc.constantFrom(5, 9, 90)
    }),
    fc.constantFrom("rule", "restart", "wait", "review")
  )

  it("have one start, whenever each of the rules was created", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const told = story()
        const rules: Array<AlertRule> = []
        for (const one of steps) {
          if (one === "rule") rules.push(rule(String(rules.length), 1 + (rules.length % 3), triggers))
          else if (one === "restart") told.restart()
          else if (one === "wait") told.wait(4, rules)
          else if (one === "review") told.again(rules)
          else told.see(one.see, rules, certificate(one.days))
          for (const trigger of triggers) {
            const starts = told.open().filter((alert) => alert.trigger === trigger)
            assert.isAtMost(new Set(starts.map(({ startedAt }) => startedAt)).size, 1)
          }
        }
      }),
      { numRuns: 500 }
    )
  })
})

describe("the recipients of a preview", () => {
  it("is whom an outage notifies", () => {
    const channels = ["ch_1", "ch_2", "ch_3"].map((id) => ChannelId.make(id))
    const some = fc.record({
      channelIds: fc.subarray(channels),
      monitorIds: fc.subarray([monitorId, MonitorId.make("mon_2")]),
      tags: fc.subarray(["prod", "eu"])
    })
    const subject = fc.tuple(fc.array(some, { maxLength: 5 }), fc.subarray(["prod", "test"]), fc.subarray(channels))
    fc.assert(
      fc.property(subject, ([drafts, tags, existing]) => {
        const rules = drafts.map((draft, index) => ({ ...rule(String(index)), ...draft }))
        const [down] = conditionsOf(
          [1, 2].reduce((state, slot) => evaluate(state, observation(slot, "down"), settings).state, initial(0)),
          settings
        )
        const opened = decide(monitorId, [down!], rules, [], existing, tags).flatMap((decision) =>
          decision._tag === "Open" ? [{ rule: decision.rule, channelIds: decision.channelIds }] : []
        )
        assert.deepStrictEqual(notifying(monitorId, tags, rules, existing), opened)
      })
    )
  })
})

describe("channels of an open alert", () => {
  const [one, other] = [ChannelId.make("ch_1"), ChannelId.make("ch_2")]
  const extended = (decisions: ReadonlyArray<Decision>) =>
    decisions.flatMap((decision) => (decision._tag === "Extend" ? decision.channelIds : []))

  it("notifies a channel that is added to the rule, once", () => {
    const told = story()
    told.see("up", [])
    const own = { ...rule("a"), channelIds: [one] }
    told.see("down", [own])
    assert.deepStrictEqual(extended(told.again([own], [one, other])), [one])
    const both = { ...rule("a"), channelIds: [one, other] }
    assert.deepStrictEqual(extended(told.again([both], [one, other])), [other])
    assert.deepStrictEqual(told.again([both], [one, other]), [])
  })

  it("notifies a new channel of the project when the rule uses all channels", () => {
    const told = story()
    told.see("up", [])
    told.see("down", [rule("a")])
    assert.deepStrictEqual(extended(told.again([rule("a")], [one])), [one])
    assert.deepStrictEqual(extended(told.again([rule("a")], [one, other])), [other])
  })

  it("keeps the notified channels when the rule loses one", () => {
    const told = story()
    told.see("up", [])
    told.see("down", [rule("a")])
    told.again([rule("a")], [one, other])
    assert.deepStrictEqual(told.again([{ ...rule("a"), channelIds: [other] }], [one, other]), [])
    assert.sameMembers([...told.open()[0]!.channelIds], [one, other])
  })
})

describe("staleness", () => {
  const rules = [rule("stale", 5, ["monitor_stale"])]

  it("opens one alert and closes it with the first result", () => {
    const told = story()
    told.see("up", rules)
    assert.deepStrictEqual(told.wait(2, rules), [])
    assert.deepStrictEqual(tags(told.wait(2, rules)), ["Open"])
    assert.deepStrictEqual(told.wait(1, rules), [])
    assert.deepStrictEqual(told.see("unknown", rules), [])
    assert.deepStrictEqual(tags(told.see("down", rules)), ["Close"])
  })

  it("opens an alert for a monitor that never had a result", () => {
    const told = story()
    assert.deepStrictEqual(tags(told.wait(4, rules)), ["Open"])
    assert.deepStrictEqual(tags(told.see("up", rules)), ["Close"])
  })

  it("keeps an outage's alert open", () => {
    const told = story()
    const down = [rule("down")]
    told.see("up", down)
    told.see("down", down)
    assert.deepStrictEqual(told.wait(5, down), [])
    assert.deepStrictEqual(tags(told.see("up", down)), ["Close"])
  })
})

describe("degradation", () => {
  it("alerts separately, and does not recover when it turns into an outage", () => {
    const told = story()
    const rules = [rule("d", 2, ["monitor_degraded"])]
    told.see("up", rules)
    assert.deepStrictEqual(told.see("degraded", rules), [])
    assert.deepStrictEqual(tags(told.see("degraded", rules)), ["Open"])
    assert.deepStrictEqual(told.see("down", rules), [])
    assert.deepStrictEqual(tags(told.see("up", rules)), ["Close"])
  })
})

describe("certificates", () => {
  const rules = [rule("ssl", 7, ["ssl_expiring", "ssl_expired", "ssl_invalid"])]
  const shown = (fingerprint256: string, days: number, problem: string | null = null) => ({
    fingerprint256,
    validTo: new Date(Math.round(days * dayMillis)).toISOString(),
    problem,
    nameMatches: problem === null
  })

  it("alerts once for each certificate and recovers with a good one", () => {
    const told = story()
    assert.deepStrictEqual(told.see("up", rules, shown("one", 20)), [])
    assert.deepStrictEqual(tags(told.see("up", rules, shown("one", 10))), ["Open"])
    assert.deepStrictEqual(told.see("up", rules, shown("one", 10)), [])
    // A different certificate that is no better repeats the notification.
    assert.deepStrictEqual(tags(told.see("up", rules, shown("two", 9))), ["Repeat"])
    // A check that failed before TLS says nothing about the certificate.
    assert.deepStrictEqual(told.see("down", rules), [])
    assert.deepStrictEqual(tags(told.see("up", rules, shown("three", 90))), ["Close"])
  })

  it("reports expired and invalid certificates, whether or not time is left", () => {
    const told = story()
    told.see("up", rules, shown("one", 90))
    const [invalid] = told.see("up", rules, shown("one", 90, "DEPTH_ZERO_SELF_SIGNED_CERT"))
    assert.strictEqual(invalid?._tag === "Open" ? invalid.condition.trigger : "", "ssl_invalid")
    const [expired] = told.see("up", rules, shown("two", -1, "CERT_HAS_EXPIRED"))
    assert.strictEqual(expired?._tag === "Open" ? expired.condition.trigger : "", "ssl_expired")
    assert.deepStrictEqual(tags(told.see("up", rules, shown("three", 90))), ["Close", "Close"])
  })

  it("uses the worst certificate of all regions", () => {
    const told = story()
    told.see("up", rules, shown("one", 90), "eu-west")
    assert.deepStrictEqual(tags(told.see("up", rules, shown("old", 3), "us-east")), ["Open"])
    assert.deepStrictEqual(told.see("up", rules, shown("one", 90), "eu-west"), [])
    assert.deepStrictEqual(tags(told.see("up", rules, shown("one", 90), "us-east")), ["Close"])
  })
})

describe("domains", () => {
  const rules = [rule("domain", 1, ["domain_expiring", "domain_expired"])]

  /** Decisions as the days pass; `days` are days before expiry. */
  const countdown = (days: ReadonlyArray<number>, threshold = 30) => {
    let open: Array<OpenAlert> = []
    return days.map((left) => {
      const conditions = domainConditions(
        { domain: "example.org", expiresAt: 1000 * dayMillis },
        threshold,
        (1000 - left) * dayMillis
      )
      const decisions = decide(monitorId, conditions, rules, open, [])
      for (const decision of decisions) {
        if (decision._tag === "Open") {
          const { about, since, step, trigger } = decision.condition
          const startedAt = since
          open.push({ id: trigger, ruleId: decision.rule.id, trigger, about, step, startedAt, channelIds: [] })
        }
        if (decision._tag === "Repeat") open = open.map((alert) => ({ ...alert, step: decision.condition.step }))
      }
      return tags(decisions).join(" ")
    })
  }

  it("notifies at the threshold, at seven days, at one day and at expiry", () =>
    assert.deepStrictEqual(countdown([31, 30, 29, 7, 6.5, 1, 0.5, 0, -3]), [
      "",
      "Open",
      "",
      "Repeat",
      "",
      "Repeat",
      "",
      "Open",
      ""
    ]))

  it("notifies once when the expiry is discovered late", () => {
    assert.deepStrictEqual(countdown([5, 4, 1]), ["Open", "", "Repeat"])
    assert.deepStrictEqual(countdown([0.5]), ["Open"])
    assert.deepStrictEqual(countdown([6, 5, 1], 5), ["", "Open", "Repeat"])
  })
})

describe("a rule with an escalation policy", () => {
  it("notifies the channels that it names, and none where it names none", () => {
    const channels = ["ch_1", "ch_2"].map((id) => ChannelId.make(id))
    const escalationPolicyId = EscalationPolicyId.make("pol_1")
    const [down] = conditionsOf(evaluate(initial(0), observation(1, "down"), settings).state, settings)
    const opened = (changes: Partial<AlertRule>) =>
      decide(monitorId, [down!], [{ ...rule("a"), escalationPolicyId, ...changes }], [], channels).flatMap(
        (decision) => (decision._tag === "Open" ? [decision.channelIds] : [])
      )
    assert.deepStrictEqual(opened({}), [[]])
    assert.deepStrictEqual(opened({ channelIds: [channels[1]!] }), [[channels[1]!]])
    assert.deepStrictEqual(opened({ escalationPolicyId: null }), [channels])
  })
})
