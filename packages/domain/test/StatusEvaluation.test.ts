import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { healed, initial, evaluate, majority, type StatusChange } from "../src/StatusEvaluation.ts"
import type { MonitorState } from "../src/MonitorState.ts"
import { aheadMillis, type Observation } from "../src/Observation.ts"
import type { RegionStatus } from "../src/Status.ts"

const interval = 60_000
const regions = ["ap-south", "eu-west", "us-east"] as const

const observed = (slot: number, status: RegionStatus, region: string = "eu-west", late = 0): Observation => ({
  monitorId: MonitorId.make("mon_1"),
  projectId: ProjectId.make("prj_1"),
  region,
  slot,
  scheduledAt: slot * interval,
  checkedAt: slot * interval + late,
  status,
  responseTime: null,
  timing: {},
  failure: status === "up" ? null : { code: "x", message: "y" },
  facts: {}
})

const play = (
  observations: ReadonlyArray<Observation>,
  own: ReadonlyArray<string> = [],
  liveRegions: ReadonlyArray<string> = []
) => {
  let state: MonitorState = initial(0)
  const changes: Array<StatusChange> = []
  for (const observation of observations) {
    const evaluation = evaluate(state, observation, { intervalMillis: interval, regions: own, liveRegions })
    state = evaluation.state
    changes.push(...evaluation.changes)
  }
  return { state, changes }
}

const status = fc.constantFrom<RegionStatus>("up", "degraded", "down", "unknown")

/** Several regions observe; the slots of one region never go back, and some are skipped. */
const history = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 4 }), region: fc.constantFrom(...regions), status }), {
    maxLength: 60
  })
  .map((steps) => {
    let slot = 1
    return steps.map((step) => observed((slot += step.gap), step.status, step.region, regions.indexOf(step.region)))
  })

describe("evaluate", () => {
  it("ignores repeated and late observations", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const once = play(observations)
        const twice = play(observations.flatMap((observation) => [observation, observation]))
        assert.deepStrictEqual(twice, once)
        const again = observations.reduce(
          (state, observation) => evaluate(state, observation, { intervalMillis: interval, regions: [] }).state,
          once.state
        )
        assert.deepStrictEqual(again, once.state)
      })
    )
  })

  it("keeps the status history in order, and links each entry to the one before", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const { changes } = play(observations)
        for (let index = 1; index < changes.length; index++) {
          assert.isAtLeast(changes[index]!.at, changes[index - 1]!.at)
          assert.notStrictEqual(changes[index]!.status, changes[index - 1]!.status)
          assert.strictEqual(changes[index]!.previous, changes[index - 1]!.status)
        }
      })
    )
  })

  it("never dates a change after the observation that caused it", () => {
    fc.assert(
      fc.property(history, (observations) => {
        let state = initial(0)
        for (const observation of observations) {
          const evaluation = evaluate(state, observation, { intervalMillis: interval, regions: [] })
          for (const { at } of evaluation.changes) assert.isAtMost(at, Math.max(observation.checkedAt, state.judgedAt))
          state = evaluation.state
        }
      })
    )
  })

  it("is down exactly when a strict majority of the voting regions fails", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<RegionStatus>("up", "down"), { minLength: 1, maxLength: 7 }), (votes) => {
        const { state } = play(votes.map((vote, index) => observed(1, vote, `r${"abcdefg"[index]}-west`)))
        const failing = votes.filter((vote) => vote === "down").length
        assert.strictEqual(state.status, failing >= majority(votes.length) ? "down" : "up")
      })
    )
  })

  it("needs both of two regions, and two of three", () => {
    assert.strictEqual(play([observed(1, "up", "eu-west"), observed(1, "down", "us-east")]).state.status, "up")
    assert.strictEqual(play([observed(1, "down", "eu-west"), observed(1, "down", "us-east")]).state.status, "down")
    assert.strictEqual(
      play(regions.map((region, index) => observed(1, index === 0 ? "up" : "down", region))).state.status,
      "down"
    )
  })

  it("dates an outage from its first failing check to its first passing one", () => {
    const { changes, state } = play([
      observed(1, "up"),
      observed(2, "down", "eu-west", 7),
      observed(3, "down"),
      observed(4, "up", "eu-west", 3)
    ])
    assert.deepStrictEqual(
      changes.map(({ at, status: to }) => [to, at]),
      [
        ["up", interval],
        ["down", 2 * interval + 7],
        ["up", 4 * interval + 3]
      ]
    )
    assert.strictEqual(state.since, 4 * interval + 3)
  })

  it("counts the streak of the majority", () => {
    assert.strictEqual(play([1, 2, 3].map((slot) => observed(slot, "down"))).state.streak, 3)
    assert.strictEqual(play([observed(1, "down"), observed(2, "unknown"), observed(3, "down")]).state.streak, 2)
    assert.strictEqual(play([observed(1, "down"), observed(2, "up")]).state.streak, 0)
  })

  it("keeps the status without votes, and adds unknown to the status history", () => {
    const { changes, state } = play([observed(1, "up"), observed(2, "unknown")])
    assert.strictEqual(state.status, "up")
    assert.deepStrictEqual(
      changes.map(({ status: to }) => to),
      ["up", "unknown"]
    )
  })

  it("leaves out a gap from two intervals after the last vote", () => {
    const { changes } = play([observed(1, "up"), observed(10, "up")])
    assert.deepStrictEqual(
      changes.map(({ at, status: to }) => [to, at]),
      [
        ["up", interval],
        ["unknown", 3 * interval],
        ["up", 10 * interval]
      ]
    )
  })

  it("ignores the vote of a stale region", () => {
    const { state } = play([
      observed(1, "up", "us-east"),
      observed(1, "up", "ap-south"),
      observed(2, "down"),
      observed(5, "down")
    ])
    assert.strictEqual(state.status, "down")
  })

  it("accepts a vote that is only slightly late", () => {
    for (const late of [0, 7]) {
      const { changes } = play([
        observed(1, "up", "eu-west", 1),
        observed(1, "up", "us-east"),
        observed(3, "down", "eu-west", late),
        observed(3, "up", "us-east", 0)
      ])
      assert.deepStrictEqual(
        changes.map((change) => change.status),
        ["up"],
        `${late} ms`
      )
    }
  })

  it("ignores regions that were removed, and everything while paused", () => {
    assert.strictEqual(play([observed(1, "down", "us-east")], ["eu-west"]).state.status, "pending")
    const paused = initial(0, "paused")
    assert.strictEqual(evaluate(paused, observed(1, "down"), { intervalMillis: interval, regions: [] }).state, paused)
  })

  it("reaches the same status for any order of the regions in a round", () => {
    const votes = fc.record({ "ap-south": status, "eu-west": status, "us-east": status })
    const rounds = fc.array(fc.record({ votes, order: fc.shuffledSubarray([...regions], { minLength: 3 }) }), {
      minLength: 1,
      maxLength: 12
    })
    const heard = (
      round: { readonly votes: Record<string, RegionStatus> },
      order: ReadonlyArray<string>,
      slot: number
    ) => order.map((region) => observed(slot, round.votes[region]!, region))
    fc.assert(
      fc.property(rounds, (all) => {
        const one = play(all.flatMap((round, index) => heard(round, regions, index + 1))).state
        const other = play(all.flatMap((round, index) => heard(round, round.order, index + 1))).state
        // When a monitor lost all votes depends on the order, but says nothing about its status.
        if (one.blindSince !== null) return assert.isNotNull(other.blindSince)
        assert.deepStrictEqual(
          [other.status, other.streak, other.regions, other.lastCheckedAt],
          [one.status, one.streak, one.regions, one.lastCheckedAt]
        )
      })
    )
  })

  it("ignores the buffered past of a probe that was cut off", () => {
    const now = [observed(60, "down", "us-east"), observed(60, "up", "ap-south")]
    const { changes, state } = play([
      ...regions.map((region) => observed(1, "up", region)),
      ...Array.from({ length: 58 }, (_, index) => [
        observed(index + 2, "up", "us-east"),
        observed(index + 2, "up", "ap-south")
      ]).flat(),
      ...now,
      // Its buffer: down for the first half hour.
      ...Array.from({ length: 30 }, (_, index) => observed(index + 2, "down", "eu-west"))
    ])
    assert.strictEqual(state.status, "up")
    assert.strictEqual(changes.length, 1)
    assert.strictEqual(state.regions["eu-west"]?.streak, 30)
  })

  it("ignores the last success of a region that was away when the others saw an outage begin", () => {
    const before = [observed(1, "up", "eu-west"), observed(1, "up", "us-east")]
    const alone = [2, 3].map((slot) => observed(slot, "up", "eu-west"))
    const failed = observed(4, "down", "eu-west")
    // Made before the outage, arrived after it began.
    const belated = [observed(2, "up", "us-east"), observed(3, "up", "us-east", 7)]
    const outage = play([...before, ...alone, failed, ...belated, observed(5, "down", "eu-west")])
    assert.deepStrictEqual(
      outage.changes.map(({ at, status: to }) => [to, at]),
      [
        ["up", interval],
        ["down", 4 * interval]
      ]
    )
    // Its present results count again.
    const again = (us: RegionStatus) =>
      play([...before, ...alone, failed, ...belated, observed(4, us, "us-east", 7)]).state.status
    assert.strictEqual(again("up"), "up")
    assert.strictEqual(again("down"), "down")
  })

  it("keeps its status when a region that was away reports results from before that status", () => {
    const results = fc.array(status, { minLength: 4, maxLength: 30 })
    fc.assert(
      fc.property(results, results, (seen, buffered) => {
        const live = play([observed(1, "up", "us-east"), ...seen.map((one, index) => observed(index + 1, one))])
        const past = buffered
          .map((one, index) => observed(index + 2, one, "us-east"))
          .filter(({ checkedAt }) => checkedAt < live.state.since)
        let { state } = live
        for (const observation of past) {
          const evaluation = evaluate(state, observation, { intervalMillis: interval, regions: [] })
          assert.deepStrictEqual(evaluation.changes, [])
          state = evaluation.state
        }
        assert.strictEqual(state.status, live.state.status)
      })
    )
  })

  it("reports the failure of a region that has the monitor's status", () => {
    const because = (observation: Observation, code: string): Observation => ({
      ...observation,
      failure: { code, message: code }
    })
    const { changes } = play([
      because(observed(1, "degraded", "ap-south"), "slow"),
      observed(1, "up", "eu-west"),
      because(observed(1, "down", "us-east"), "refused"),
      because(observed(2, "down", "ap-south"), "refused"),
      because(observed(4, "unknown", "eu-west"), "resolver_unavailable")
    ])
    for (const change of changes.filter(({ status: to }) => to === "down")) {
      assert.strictEqual(change.failure?.code, "refused")
    }
    fc.assert(
      fc.property(history, (observations) => {
        const told = play(observations.map((observation) => because(observation, observation.status))).changes
        for (const change of told) {
          if (change.status === "down" || change.status === "degraded") {
            assert.strictEqual(change.failure?.code, change.status)
          }
        }
      })
    )
  })

  it("keeps the status history in order when the interval and the regions change", () => {
    const settings = fc.record({
      intervalMillis: fc.constantFrom(10_000, interval, 600_000),
      regions: fc.subarray([...regions])
    })
    fc.assert(
      fc.property(history, fc.array(settings, { minLength: 1, maxLength: 5 }), (observations, phases) => {
        let state = initial(0)
        let last: StatusChange | undefined
        observations.forEach((observation, index) => {
          const evaluation = evaluate(
            state,
            observation,
            phases[Math.floor((index * phases.length) / observations.length)]!
          )
          assert.isAtLeast(evaluation.state.judgedAt, state.judgedAt)
          assert.isAtLeast(evaluation.state.lastCheckedAt ?? 0, state.lastCheckedAt ?? 0)
          for (const change of evaluation.changes) {
            assert.isAtLeast(change.at, last?.at ?? 0)
            assert.strictEqual(change.previous, last?.status ?? "pending")
            last = change
          }
          state = evaluation.state
        })
      })
    )
  })

  it("ignores unknown in votes and streaks", () => {
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 40 }), (statuses) => {
        const { state } = play(statuses.map((own, index) => observed(index + 1, own)))
        const known = statuses.filter((own) => own !== "unknown")
        const failing = known.length - 1 - known.findLastIndex((own) => own !== "down")
        assert.strictEqual(state.regions["eu-west"]?.streak, known.length === 0 ? 0 : failing)
        assert.strictEqual(state.status, known.at(-1) ?? "pending")
      })
    )
  })

  it("dates recovery to when the passing answer arrived, and an outage to when the failing check was sent", () => {
    const slow = (observation: Observation, millis: number): Observation => ({
      ...observation,
      finishedAt: observation.checkedAt + millis
    })
    const { changes, state } = play([
      slow(observed(1, "up"), 100),
      slow(observed(2, "down"), 5000),
      slow(observed(3, "up"), 2000),
      slow(observed(4, "degraded"), 3000)
    ])
    assert.deepStrictEqual(
      changes.map(({ at, status: to }) => [to, at]),
      [
        ["up", interval + 100],
        ["down", 2 * interval],
        ["up", 3 * interval + 2000],
        ["degraded", 4 * interval + 3000]
      ]
    )
    assert.strictEqual(state.lastCheckedAt, 4 * interval)
  })

  it("keeps the status history in order however long answers took", () => {
    const slow = fc
      .tuple(history, fc.array(fc.nat(40_000), { minLength: 60, maxLength: 60 }))
      .map(([all, millis]) => all.map((one, index) => ({ ...one, finishedAt: one.checkedAt + millis[index]! })))
    fc.assert(
      fc.property(slow, (observations) => {
        let last: StatusChange | undefined
        for (const change of play(observations).changes) {
          assert.isAtLeast(change.at, last?.at ?? 0)
          assert.strictEqual(change.previous, last?.status ?? "pending")
          last = change
        }
      })
    )
  })
})

describe("the quorum of a new monitor", () => {
  const birth = fc.record({
    observations: history,
    own: fc.subarray([...regions]),
    live: fc.subarray([...regions], { minLength: 1 })
  })

  it("never lets a minority of the live regions decide within two intervals", () => {
    fc.assert(
      fc.property(birth, ({ live, observations, own }) => {
        let state = initial(0)
        const heard = new Set<string>()
        for (const observation of observations) {
          if (observation.checkedAt >= 2 * interval) return
          const settings = { intervalMillis: interval, regions: own, liveRegions: live }
          state = evaluate(state, observation, settings).state
          const mayVote = own.length === 0 || own.some((one) => one === observation.region)
          if (mayVote && observation.status !== "unknown") heard.add(observation.region)
          const needed = majority(live.filter((region) => own.length === 0 || own.some((one) => one === region)).length)
          if (heard.size < needed) assert.strictEqual(state.status, "pending")
        }
      })
    )
  })

  it("has a status after two intervals when any region reports", () => {
    fc.assert(
      fc.property(birth, ({ live, observations, own }) => {
        let state = initial(0)
        for (const observation of observations) {
          const before = state
          state = evaluate(state, observation, { intervalMillis: interval, regions: own, liveRegions: live }).state
          if (state !== before && observation.status !== "unknown" && observation.checkedAt >= 2 * interval)
            assert.notStrictEqual(state.status, "pending")
        }
      })
    )
  })

  it("needs one result when the monitor has one live region", () => {
    assert.strictEqual(play([observed(1, "down")], ["eu-west"], [...regions]).state.status, "down")
    assert.strictEqual(play([observed(1, "down")], [], ["eu-west"]).state.status, "down")
  })

  it("waits for the majority, and dates the outage to the check that completed it", () => {
    const first = observed(1, "down", "eu-west", 0)
    const second = observed(1, "down", "us-east", 5)
    assert.deepStrictEqual(play([first], [], [...regions]).changes, [])
    const { changes, state } = play([first, second], [], [...regions])
    assert.deepStrictEqual([state.status, state.streak], ["down", 1])
    assert.deepStrictEqual(
      changes.map(({ at }) => at),
      [interval + 5]
    )
  })

  it("lets the regions that reported decide after two intervals, dated to their first failing check", () => {
    const { changes, state } = play(
      [1, 2].map((slot) => observed(slot, "down")),
      [],
      [...regions]
    )
    assert.deepStrictEqual([state.status, state.streak], ["down", 2])
    assert.deepStrictEqual(
      changes.map(({ at }) => at),
      [interval]
    )
  })

  it("keeps the status of a monitor that gets another region", () => {
    const known = play([observed(1, "up")], ["eu-west"], ["eu-west"]).state
    const settings = { intervalMillis: interval, regions: ["eu-west", "us-east"], liveRegions: [...regions] }
    assert.strictEqual(evaluate(known, observed(2, "up"), settings).state.status, "up")
  })
})

describe("a state dated into the future", () => {
  const poisoned = play([observed(1, "up"), { ...observed(1000, "down"), checkedAt: 1000 * interval }]).state
  const now = 3 * interval

  it("accepts present observations again", () => {
    assert.strictEqual(evaluate(poisoned, observed(3, "up"), { intervalMillis: interval, regions: [] }).state, poisoned)
    const { changes, state } = evaluate(healed(poisoned, now), observed(3, "up"), {
      intervalMillis: interval,
      regions: []
    })
    assert.deepStrictEqual([state.status, state.since, state.judgedAt], ["up", now, now])
    assert.strictEqual(changes.at(-1)?.at, now)
  })

  it("keeps nothing ahead of the present, for any earlier state", () => {
    fc.assert(
      fc.property(history, fc.nat(60 * interval), (observations, now) => {
        const { state } = play(observations)
        const left = healed(state, now)
        const latest = now + aheadMillis
        for (const at of [left.since, left.judgedAt, left.lastCheckedAt ?? 0, left.blindSince ?? 0])
          assert.isAtMost(at, latest)
        for (const region of Object.values(left.regions)) assert.isAtMost(region.scheduledAt, latest)
        assert.strictEqual(healed(left, now), left)
        assert.strictEqual(healed(state, Number.MAX_SAFE_INTEGER), state)
      })
    )
  })
})
