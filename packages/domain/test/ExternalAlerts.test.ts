import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decideExternal } from "../src/ExternalAlerts.ts"
import type { InboundAlert } from "../src/InboundAlerts.ts"
import { isBelow, severities, type Severity } from "../src/Severity.ts"

const severity = fc.constantFrom(...severities)
const key = fc.constantFrom("a", "b", "c")
const sent: fc.Arbitrary<InboundAlert> = fc
  .record({ key, status: fc.constantFrom("firing" as const, "resolved" as const), severity: fc.option(severity) })
  .map((fields) => ({ ...fields, title: fields.key, description: "", link: null, labels: {} }))

/** The open alerts after a request. */
const after = (open: ReadonlyMap<string, Severity>, request: ReadonlyArray<InboundAlert>, rule: Severity) => {
  const next = new Map(open)
  const rows = [...open].map(([one, level]) => ({ key: one, severity: level }))
  for (const decision of decideExternal(request, rows, rule)) {
    if (decision._tag === "Open") assert.isFalse(next.has(decision.alert.key), "opened twice")
    if (decision._tag === "Open" || decision._tag === "Raise") next.set(decision.alert.key, decision.severity)
    if (decision._tag === "Resolve") next.delete(decision.open.key)
  }
  return next
}

const run = (requests: ReadonlyArray<ReadonlyArray<InboundAlert>>, rule: Severity) => {
  let open: ReadonlyMap<string, Severity> = new Map()
  for (const request of requests) open = after(open, request, rule)
  return open
}

describe("the alerts of an integration", () => {
  it("are open exactly while the last statement about their key is that they fire", () => {
    fc.assert(
      fc.property(fc.array(fc.array(sent)), severity, (requests, rule) => {
        const last = new Map(requests.flat().map((alert) => [alert.key, alert.status]))
        const expected = [...last].flatMap(([one, status]) => (status === "firing" ? one : []))
        assert.deepStrictEqual([...run(requests, rule).keys()].toSorted(), expected.toSorted())
      })
    )
  })

  it("change nothing when a request is sent again", () => {
    fc.assert(
      fc.property(fc.array(fc.array(sent)), fc.array(sent), severity, (before, request, rule) => {
        const once = run([...before, request], rule)
        const rows = [...once].map(([one, level]) => ({ key: one, severity: level }))
        const again = decideExternal(request, rows, rule)
        assert.isTrue(again.every(({ _tag }) => _tag === "Refresh"))
      })
    )
  })

  it("are never less urgent than before while they are open", () => {
    fc.assert(
      fc.property(fc.array(fc.array(sent)), fc.array(sent), severity, (before, request, rule) => {
        const [earlier, later] = [run(before, rule), run([...before, request], rule)]
        for (const [one, level] of earlier) {
          const now = later.get(one)
          if (now !== undefined) assert.isFalse(isBelow(now, level))
        }
      })
    )
  })

  it("are left alone by requests that do not name them, and severities that are not stated are those of the rule", () => {
    const open = [{ key: "a", severity: "info" as const }]
    assert.deepStrictEqual(decideExternal([], open, "critical"), [])
    const [decision] = decideExternal(
      [{ key: "b", status: "firing", severity: null, title: "b", description: "", link: null, labels: {} }],
      open,
      "info"
    )
    assert.deepInclude(decision, { _tag: "Open", severity: "info" })
  })
})
