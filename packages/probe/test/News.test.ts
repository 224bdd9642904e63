import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { MonitorId } from "@kanmon/domain/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as News from "../src/News.ts"

const id = MonitorId.make("mon_a")
const spec = { id } as MonitorSpec
const statuses = fc.array(fc.constantFrom<Observation["status"]>("up", "degraded", "down", "unknown"), {
  maxLength: 30
})

describe("News", () => {
  it("holds for news everything but an up that follows an up", () => {
    fc.assert(
      fc.property(statuses, (all) => {
        const news = News.make()
        all.forEach((status, index) => {
          const repeats = status === "up" && all[index - 1] === "up"
          assert.strictEqual(news.isNew({ monitorId: id, status }, spec), !repeats)
        })
      })
    )
  })

  it("holds the first result under other settings for news", () => {
    const news = News.make()
    news.isNew({ monitorId: id, status: "up" }, spec)
    assert.isTrue(news.isNew({ monitorId: id, status: "up" }, { ...spec }))
  })

  it("holds the first result after a pause for news", () => {
    const news = News.make()
    news.isNew({ monitorId: id, status: "up" }, spec)
    news.forget(id)
    assert.isTrue(news.isNew({ monitorId: id, status: "up" }, spec))
  })
})
