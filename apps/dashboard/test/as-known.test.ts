/** What was known at an instant of the past: nothing of it changes with what happened later. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { alertAt, allAt, incidentAt, outageAt } from "../src/live/asKnown.ts"

const iso = (at: number): string => new Date(at).toISOString()
const after = (at: number) => fc.option(fc.integer({ min: at, max: at + 1000 }), { nil: null })

const alerts = fc.integer({ min: 0, max: 1000 }).chain((openedAt) =>
  fc.record({ acknowledgedAt: after(openedAt), resolvedAt: after(openedAt) }).map((times) => {
    const by = times.acknowledgedAt === null ? null : { kind: "user" as const, name: "Ada" }
    const alert: Parameters<typeof alertAt>[0] = {
      id: "alt_1",
      projectId: "prj_1",
      ruleId: "rul_1",
      source: null,
      drillId: null,
      resolvedBy: null,
      monitorId: "mon_1",
      trigger: "monitor_down",
      severity: "critical",
      explanation: null,
      reason: "It answered 503",
      state: times.resolvedAt !== null ? "resolved" : by === null ? "open" : "acknowledged",
      startedAt: iso(openedAt),
      openedAt: iso(openedAt),
      resolvedAt: times.resolvedAt === null ? null : iso(times.resolvedAt),
      acknowledgedAt: times.acknowledgedAt === null ? null : iso(times.acknowledgedAt),
      acknowledgedBy: by,
      note: null,
      snoozedUntil: null,
      snoozedBy: null,
      silenced: false,
      escalation: null,
      entries: []
    }
    return { openedAt, ...times, alert }
  })
)

describe("what was known", () => {
  it("is the state of an alert at that instant", () => {
    fc.assert(
      fc.property(alerts, fc.integer({ min: 0, max: 2500 }), ({ acknowledgedAt, alert, openedAt, resolvedAt }, at) => {
        const state =
          at < openedAt
            ? undefined
            : resolvedAt !== null && resolvedAt <= at
              ? "resolved"
              : acknowledgedAt !== null && acknowledgedAt <= at
                ? "acknowledged"
                : "open"
        const known = alertAt(alert, at)
        assert.strictEqual(known?.state, state)
        if (state === "open") assert.isNull(known!.acknowledgedBy)
      })
    )
  })

  it("is an outage that lasts, until its end", () => {
    const outage: Parameters<typeof outageAt>[0] = {
      startedAt: iso(1000),
      endedAt: iso(61_000),
      durationSeconds: 60,
      status: "down",
      reason: null,
      regions: [],
      alertIds: ["alt_1"],
      incidentIds: [],
      acknowledgedBy: "Ada"
    }
    assert.isUndefined(outageAt(outage, 999))
    assert.deepInclude(outageAt(outage, 31_000), {
      endedAt: null,
      durationSeconds: 30,
      alertIds: [],
      acknowledgedBy: null
    })
    assert.strictEqual(outageAt(outage, 61_000), outage)
  })

  it("is the timeline of an incident that was written by then", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ max: 1200 }),
        (times, at) => {
          const newestFirst = times.toSorted((one, other) => other - one)
          const statuses = ["resolved", "monitoring", "identified"] as const
          const updates = newestFirst.map((createdAt, index) => ({
            id: `upd_${createdAt}`,
            status: statuses[index] ?? ("investigating" as const),
            message: `At ${createdAt}`,
            createdAt: iso(createdAt)
          }))
          const incident = {
            id: "inc_1",
            projectId: "prj_1",
            key: null,
            title: "Checkout",
            status: "resolved" as const,
            monitorIds: [],
            tags: [],
            maintenance: false,
            scheduledStart: null,
            scheduledEnd: null,
            recurrence: null,
            timezone: null,
            series: null,
            startedAt: iso(newestFirst.at(-1)!),
            resolvedAt: iso(newestFirst[0]!),
            createdAt: iso(newestFirst.at(-1)!),
            updatedAt: iso(newestFirst[0]!),
            updates
          }
          const [known] = allAt([incident], incidentAt, at)
          if (at < newestFirst.at(-1)!) return assert.isUndefined(known)
          assert.deepStrictEqual(
            known!.updates.map(({ createdAt }) => createdAt),
            newestFirst.filter((each) => each <= at).map(iso)
          )
          assert.strictEqual(known!.status, known!.updates[0]!.status)
          return assert.strictEqual(known!.resolvedAt === null, at < newestFirst[0]!)
        }
      )
    )
  })
})
