import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId } from "../src/Ids.ts"
import { Observation } from "../src/Observation.ts"
import { phase, slotStart } from "../src/Slots.ts"
import { RegionStatus } from "../src/Status.ts"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import { message, read } from "../src/ObservationMessage.ts"

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const id = fc.stringMatching(/^[0-9a-z]{1,26}$/)

const parameters = fc.dictionary(
  fc.string().filter((key) => key !== "__proto__"),
  fc.oneof(fc.string({ unit: "binary" }), finite)
)
const explanation = fc.record(
  { code: fc.string(), parameters, because: fc.record({ code: fc.string(), parameters }) },
  { requiredKeys: ["code", "parameters"] }
)

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
  failure: fc.option(
    fc.record(
      { code: fc.string(), message: fc.string({ unit: "binary" }), explanation },
      { requiredKeys: ["code", "message"] }
    )
  ),
  facts: fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    fc.oneof(fc.string(), finite, fc.boolean(), fc.constant(null), fc.array(fc.string()))
  )
})

const capture = fc.record({
  finalUrl: fc.webUrl(),
  statusLine: fc.option(fc.constant("503 Service Unavailable")),
  headers: fc.array(fc.record({ name: fc.constant("server"), value: fc.string({ maxLength: 100 }) }), { maxLength: 3 }),
  body: fc.option(fc.string({ unit: "binary", maxLength: 100 })),
  bodyTruncated: fc.boolean(),
  remoteAddress: fc.option(fc.ipV4())
})

/** Older observations lack `finishedAt`, and most have no capture. */
const observation = fc
  .tuple(dated, fc.option(instant), fc.option(capture))
  .map(([own, finishedAt, shown]): Observation => ({
    ...own,
    ...(finishedAt === null ? {} : { finishedAt }),
    ...(shown === null ? {} : { capture: shown })
  }))

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Observation), { onExcessProperty: "error" })

describe("an observation as a message", () => {
  it("round-trips", () => {
    fc.assert(
      fc.property(observation, (own) => {
        assert.deepStrictEqual(decode(message(own, 60_000).payload), { ...own, facts: { ...own.facts } })
      })
    )
  })

  it("reads what the schema decodes, and nothing else", () => {
    const decoded = Schema.decodeUnknownOption(Schema.fromJsonString(Observation))
    const replacement = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("2026-02-30T00:00:00Z", "2026-11-20T08:30:00+01:00", "0000-01-01T00:00:00+14:00", undefined)
    )
    const key = fc.constantFrom(...Object.keys(Observation.fields), "other")
    fc.assert(
      fc.property(observation, fc.dictionary(key, replacement, { maxKeys: 2 }), (own, changes) => {
        const payload = JSON.stringify({ ...JSON.parse(message(own, 60_000).payload), ...changes })
        assert.deepStrictEqual(read(payload), Option.getOrUndefined(decoded(payload)))
      })
    )
    assert.isUndefined(read("{"))
  })

  it("has the id of its slot, however late the check began, and a different one when on demand", () => {
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
