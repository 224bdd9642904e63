import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { initial, judge, type JudgeState, majority, type StatusChange } from "../src/Judge.ts"
import type { Observation } from "../src/Observation.ts"
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

const play = (observations: ReadonlyArray<Observation>, own: ReadonlyArray<string> = []) => {
  let state: JudgeState = initial(0)
  const changes: Array<StatusChange> = []
  for (const observation of observations) {
    const judgement = judge(state, observation, { intervalMillis: interval, regions: own })
    state = judgement.state
    changes.push(...judgement.changes)
  }
  return { state, changes }
}

const status = fc.constantFrom<RegionStatus>("up", "degraded", "down", "unknown")

/** Several regions observe, in slots that never go back for one region; some slots are skipped. */
const history = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 4 }), region: fc.constantFrom(...regions), status }), {
    maxLength: 60
  })
  .map((steps) => {
    let slot = 1
    return steps.map((step) => observed((slot += step.gap), step.status, step.region, regions.indexOf(step.region)))
  })

describe("judge", () => {
  it("changes nothing on repeats and on late observations", () => {
    fc.assert(
      fc.property(history, (observations) => {
        const once = play(observations)
        const twice = play(observations.flatMap((observation) => [observation, observation]))
        assert.deepStrictEqual(twice, once)
        const again = observations.reduce(
          (state, observation) => judge(state, observation, { intervalMillis: interval, regions: [] }).state,
          once.state
        )
        assert.deepStrictEqual(again, once.state)
      })
    )
  })

  it("keeps the time line in order, each entry following from the one before", () => {
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

  it("never dates a change after the observation that brought it", () => {
    fc.assert(
      fc.property(history, (observations) => {
        let state = initial(0)
        for (const observation of observations) {
          const judgement = judge(state, observation, { intervalMillis: interval, regions: [] })
          for (const { at } of judgement.changes) assert.isAtMost(at, Math.max(observation.checkedAt, state.judgedAt))
          state = judgement.state
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

  it("dates an outage to its first failing check and its end to the first passing one", () => {
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

  it("keeps the status when nobody could look, and says so in the time line", () => {
    const { changes, state } = play([observed(1, "up"), observed(2, "unknown")])
    assert.strictEqual(state.status, "up")
    assert.deepStrictEqual(
      changes.map(({ status: to }) => to),
      ["up", "unknown"]
    )
  })

  it("leaves a gap out from two intervals after the last vote", () => {
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

  it("lets a stale region not vote", () => {
    const { state } = play([
      observed(1, "up", "us-east"),
      observed(1, "up", "ap-south"),
      observed(2, "down"),
      observed(5, "down")
    ])
    assert.strictEqual(state.status, "down")
  })

  it("does not let a moment's lateness decide whether a region that missed a slot votes", () => {
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

  it("ignores regions the monitor no longer has, and everything while it is paused", () => {
    assert.strictEqual(play([observed(1, "down", "us-east")], ["eu-west"]).state.status, "pending")
    const paused = initial(0, "paused")
    assert.strictEqual(judge(paused, observed(1, "down"), { intervalMillis: interval, regions: [] }).state, paused)
  })

  it("comes to the same status in whatever order the regions of one round are heard", () => {
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
        // In which order a monitor nobody sees was given up says nothing of how it stands.
        if (one.blindSince !== null) return assert.isNotNull(other.blindSince)
        assert.deepStrictEqual(
          [other.status, other.streak, other.regions, other.lastCheckedAt],
          [one.status, one.streak, one.regions, one.lastCheckedAt]
        )
      })
    )
  })

  it("does not let a probe that was cut off vote with its past", () => {
    const now = [observed(60, "down", "us-east"), observed(60, "up", "ap-south")]
    const { changes, state } = play([
      ...regions.map((region) => observed(1, "up", region)),
      ...Array.from({ length: 58 }, (_, index) => [
        observed(index + 2, "up", "us-east"),
        observed(index + 2, "up", "ap-south")
      ]).flat(),
      ...now,
      // Its buffer: it was down for the first half hour.
      ...Array.from({ length: 30 }, (_, index) => observed(index + 2, "down", "eu-west"))
    ])
    assert.strictEqual(state.status, "up")
    assert.strictEqual(changes.length, 1)
    assert.strictEqual(state.regions["eu-west"]?.streak, 30)
  })

  it("gives the reason of a region that stands as the monitor does", () => {
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

  it("keeps the time line in order when the interval and the regions change, too", () => {
    const settings = fc.record({
      intervalMillis: fc.constantFrom(10_000, interval, 600_000),
      regions: fc.subarray([...regions])
    })
    fc.assert(
      fc.property(history, fc.array(settings, { minLength: 1, maxLength: 5 }), (observations, phases) => {
        let state = initial(0)
        let last: StatusChange | undefined
        observations.forEach((observation, index) => {
          const judgement = judge(
            state,
            observation,
            phases[Math.floor((index * phases.length) / observations.length)]!
          )
          assert.isAtLeast(judgement.state.judgedAt, state.judgedAt)
          assert.isAtLeast(judgement.state.lastCheckedAt ?? 0, state.lastCheckedAt ?? 0)
          for (const change of judgement.changes) {
            assert.isAtLeast(change.at, last?.at ?? 0)
            assert.strictEqual(change.previous, last?.status ?? "pending")
            last = change
          }
          state = judgement.state
        })
      })
    )
  })

  it("lets unknown neither vote nor count", () => {
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
})
