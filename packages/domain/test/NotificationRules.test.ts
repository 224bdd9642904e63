/** Lists of contact methods: the person's choice is sent, and no one is left out by accident. */
import { assert, describe, it } from "@effect/vitest"
import { ContactMethodId } from "../src/Ids.ts"
import {
  defaultList,
  entriesFor,
  type MethodOfPerson,
  type NotificationLists,
  reachableBy,
  usesOf
} from "../src/NotificationRules.ts"
import { severities } from "../src/Severity.ts"
import * as fc from "fast-check"

const ids = ["ctm_0", "ctm_1", "ctm_2", "ctm_3"].map((id) => ContactMethodId.make(id))

const method = (id: ContactMethodId, index: number) =>
  fc
    .record({ isReady: fc.boolean(), isMail: fc.boolean() })
    .map(({ isMail, isReady }) => ({ id, isReady, isAccount: index === 0, isMail: isMail || index === 0 }))

const methods = fc.tuple(...ids.map(method))
const entries = fc
  .array(fc.record({ afterMinutes: fc.integer({ min: 0, max: 1440 }), contactMethodId: fc.constantFrom(...ids) }), {
    maxLength: 6
  })
  .map((all) => all.toSorted((one, other) => one.afterMinutes - other.afterMinutes))
const lists = fc.record({ critical: entries, warning: entries, info: entries }, { requiredKeys: [] })
const severity = fc.constantFrom(...severities)

const isReady = (all: ReadonlyArray<MethodOfPerson>, id: string) => all.find((one) => one.id === id)!.isReady

describe("the entries by which a person is notified", () => {
  it("are ready, in their order, and of their own list or of the default", () => {
    fc.assert(
      fc.property(lists, severity, methods, (own, level, all) => {
        const given = entriesFor(own as NotificationLists, level, all)
        for (const { contactMethodId } of given) assert.isTrue(isReady(all, contactMethodId))
        const wanted = (own[level] ?? []).filter(({ contactMethodId }) => isReady(all, contactMethodId))
        if (wanted.length > 0) assert.deepStrictEqual(given, wanted)
        else
          assert.isTrue(
            given.every((entry) => defaultList(all).some((one) => one.contactMethodId === entry.contactMethodId))
          )
      })
    )
  })

  it("are none only where the person wants none, or not even the account's address is ready", () => {
    fc.assert(
      fc.property(lists, severity, methods, (own, level, all) => {
        if (entriesFor(own as NotificationLists, level, all).length > 0) return
        const wantsNone = own[level]?.length === 0
        assert.isTrue(wantsNone || !all[0]!.isReady)
      })
    )
  })
})

describe("whether somebody is reachable", () => {
  it("is decided by the critical list alone", () => {
    fc.assert(
      fc.property(lists, methods, (own, all) => {
        const reached = reachableBy(own as NotificationLists, all)
        const given = entriesFor(own as NotificationLists, "critical", all)
        const others = given.filter(({ contactMethodId }) => !all.find(({ id }) => id === contactMethodId)!.isMail)
        assert.strictEqual(reached, given.length === 0 ? "no" : others.length === 0 ? "emailOnly" : "yes")
        const { critical } = own
        assert.strictEqual(reachableBy(critical === undefined ? {} : { critical }, all), reached)
      })
    )
  })
})

describe("the uses of a method", () => {
  it("are the severities with a list that names it", () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(...ids), (own, id) => {
        const uses = usesOf(own as NotificationLists, id)
        for (const level of severities)
          assert.strictEqual(
            uses.includes(level),
            (own[level] ?? []).some(({ contactMethodId }) => contactMethodId === id)
          )
      })
    )
  })
})
