import { assert, describe, it } from "@effect/vitest"
import { type EvaluatedMonitor, evaluateBatch } from "../src/BatchEvaluation.ts"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { initial } from "../src/StatusEvaluation.ts"
import type { Observation } from "../src/Observation.ts"
import type { RegionStatus } from "../src/Status.ts"

const id = MonitorId.make("mon_1")
const projectId = ProjectId.make("prj_1")

const shop: EvaluatedMonitor = {
  id,
  projectId,
  name: "Shop",
  type: "http",
  interval: 60,
  regions: [],
  passive: false,
  state: initial(0)
}

const monitor = (regions: ReadonlyArray<string> = []): ReadonlyMap<MonitorId, EvaluatedMonitor> =>
  new Map([[id, { ...shop, regions }]])

const observed = (slot: number, status: RegionStatus, region = "eu-west"): Observation => ({
  monitorId: id,
  projectId,
  region,
  slot,
  scheduledAt: slot * 60_000,
  checkedAt: slot * 60_000 + 5,
  status,
  responseTime: status === "up" ? 12 : null,
  timing: {},
  failure: status === "up" ? null : { code: "connect_refused", message: "shop.example:443 refused the connection" },
  facts: {}
})

describe("evaluateBatch", () => {
  it("turns the first result into an event", () => {
    const { entries, events, states } = evaluateBatch(monitor(), [observed(1, "up")])
    assert.deepStrictEqual(
      entries.map(({ change }) => change.status),
      ["up"]
    )
    assert.deepStrictEqual(
      events.map(({ subject }) => subject),
      ["kanmon.events.prj_1.monitor.mon_1.up"]
    )
    assert.strictEqual(states.get(id)?.status, "up")
  })

  it("evaluates several observations of one monitor in order", () => {
    const { events } = evaluateBatch(monitor(), [
      observed(1, "up"),
      observed(2, "down"),
      observed(3, "down"),
      observed(4, "up")
    ])
    assert.deepStrictEqual(
      events.map(({ headers }) => headers["ce-type"]),
      ["kanmon.monitor.up", "kanmon.monitor.down", "kanmon.monitor.up"]
    )
    assert.include(JSON.parse(events[1]!.payload), {
      status: "down",
      previousStatus: "up",
      at: "1970-01-01T00:02:00.005Z"
    })
  })

  it("gives the same event the same id in every run", () => {
    const batch = [observed(1, "up"), observed(2, "down")]
    assert.deepStrictEqual(evaluateBatch(monitor(), batch).events, evaluateBatch(monitor(), batch).events)
  })

  it("records a gap without results in the status history, and publishes no event for it", () => {
    const { entries, events } = evaluateBatch(monitor(), [observed(1, "up"), observed(10, "up")])
    assert.deepStrictEqual(
      entries.map(({ change }) => change.status),
      ["up", "unknown", "up"]
    )
    assert.strictEqual(events.length, 1)
  })

  it("ignores monitors it was not given", () => {
    const { entries, events, states } = evaluateBatch(new Map(), [observed(1, "down")])
    assert.deepStrictEqual([entries.length, events.length, states.size], [0, 0, 0])
  })
})
