import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { Observation } from "../src/Observation.ts"
import { phase, slotStart } from "../src/Slots.ts"
import { RegionStatus } from "../src/Status.ts"
import { Schema } from "effect"
import * as fc from "fast-check"
import { message } from "../src/ObservationMessage.ts"

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const id = fc.stringMatching(/^[0-9a-z]{1,26}$/)

const dated: fc.Arbitrary<Observation> = fc.record({
  monitorId: id.map((own) => MonitorId.make(`mon_${own}`)),
  projectId: id.map((own) => ProjectId.make(`prj_${own}`)),
  region: fc.constantFrom("eu-west", "us-east"),
  slot: fc.nat(),
  scheduledAt: instant,
  checkedAt: instant,
  status: fc.constantFrom(...RegionStatus.literals),
  responseTime: fc.option(finite),
  timing: fc.record({ dns: finite, connect: finite, firstByte: finite }, { requiredKeys: [] }),
  failure: fc.option(fc.record({ code: fc.string(), message: fc.string({ unit: "binary" }) })),
  facts: fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    fc.oneof(fc.string(), finite, fc.boolean(), fc.constant(null), fc.array(fc.string()))
  )
})

/** Those of before do not say when they were finished. */
const observation = fc
  .tuple(dated, fc.option(instant))
  .map(([own, finishedAt]): Observation => (finishedAt === null ? own : { ...own, finishedAt }))

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Observation), { onExcessProperty: "error" })

describe("an observation as a message", () => {
  it("reads back as the observation it was", () => {
    fc.assert(
      fc.property(observation, (own) => {
        assert.deepStrictEqual(decode(message(own, 60_000).payload), { ...own, facts: { ...own.facts } })
      })
    )
  })

  it("has the id of its slot, the same however late the check began, and another one when asked for by hand", () => {
    fc.assert(
      fc.property(observation, fc.nat(20_000_000), fc.integer({ min: 10, max: 86_400 }), (any, slot, seconds) => {
        const interval = seconds * 1000
        const due = slotStart(slot, phase(any.monitorId, interval), interval)
        const regular = message({ ...any, slot, scheduledAt: due }, interval)
        assert.strictEqual(regular.id, `${any.monitorId}:${any.region}:${slot}`)
        assert.notStrictEqual(message({ ...any, slot, scheduledAt: due + 1 }, interval).id, regular.id)
      })
    )
  })

  it("is a CloudEvent on the subject of its monitor", () => {
    const [own] = fc.sample(observation, { numRuns: 1, seed: 1 })
    const { headers, id: own_id, subject } = message(own!, 60_000)
    assert.isTrue(subject.endsWith(`.${own!.region}.${own!.projectId}.${own!.monitorId}`))
    assert.deepInclude(headers, {
      "ce-specversion": "1.0",
      "ce-id": own_id,
      "ce-type": "kanmon.check.observed",
      "ce-subject": own!.monitorId,
      "ce-time": new Date(own!.checkedAt).toISOString()
    })
  })
})
