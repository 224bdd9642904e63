import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { initial } from "@kanmon/domain/Judge"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { JudgedMonitor } from "@kanmon/store/history/Judging"
import { decide } from "../src/judging/Verdict.ts"

const id = MonitorId.make("mon_1")
const projectId = ProjectId.make("prj_1")

const shop: JudgedMonitor = {
  id,
  projectId,
  name: "Shop",
  type: "http",
  interval: 60,
  timeout: 30,
  regions: [],
  passive: false,
  changedAt: 0,
  state: initial(0)
}

const monitor = (regions: ReadonlyArray<string> = []): ReadonlyMap<MonitorId, JudgedMonitor> =>
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

describe("decide", () => {
  it("turns the first result into an event", () => {
    const { changes, events, states } = decide(monitor(), [observed(1, "up")])
    assert.deepStrictEqual(
      changes.map(({ change }) => change.status),
      ["up"]
    )
    assert.deepStrictEqual(
      events.map(({ subject }) => subject),
      ["kanmon.events.prj_1.monitor.mon_1.up"]
    )
    assert.strictEqual(states.get(id)?.status, "up")
  })

  it("judges several observations of one monitor in order", () => {
    const { events } = decide(monitor(), [
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
    assert.deepStrictEqual(decide(monitor(), batch).events, decide(monitor(), batch).events)
  })

  it("keeps a gap nobody looked through out of the public events, but in the time line", () => {
    const { changes, events } = decide(monitor(), [observed(1, "up"), observed(10, "up")])
    assert.deepStrictEqual(
      changes.map(({ change }) => change.status),
      ["up", "unknown", "up"]
    )
    assert.strictEqual(events.length, 1)
  })

  it("ignores monitors it was not given", () => {
    const { changes, events, states } = decide(new Map(), [observed(1, "down")])
    assert.deepStrictEqual([changes.length, events.length, states.size], [0, 0, 0])
  })
})
