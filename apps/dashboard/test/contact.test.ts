/** Contact methods on the profile: which are passed over, where they lead, and what a change of rules sends. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { destinationOf, groupsOf, isReady, notReady, unused, withList } from "../src/features/contact/lists.ts"
import type { Entry, Method } from "../src/features/contact/types.ts"

const at = "2026-11-20T09:00:00.000Z"

const method = (id: string, fields: Partial<Method> = {}): Method => ({
  id,
  name: id,
  type: "sms",
  config: {},
  isAccount: false,
  confirmedAt: at,
  disabledReason: null,
  lastDelivery: null,
  createdAt: at,
  updatedAt: at,
  ...fields
})

const account = method("mail", { type: "email", isAccount: true })
const phone = method("phone")
const byMail: Entry = { afterMinutes: 0, contactMethodId: "mail" }
const byPhone: Entry = { afterMinutes: 5, contactMethodId: "phone" }
const usual = { critical: [byMail], warning: [byMail], info: [byMail] }

describe("a change of the rules of one severity", () => {
  it("leaves the others at their default, and sends an empty list", () => {
    assert.deepStrictEqual(withList(usual, "critical", [byMail, byPhone], [account, phone]), {
      critical: [byMail, byPhone]
    })
    assert.deepStrictEqual(withList(usual, "info", [], [account, phone]), { info: [] })
  })

  it("goes back to the default with the list of the default", () => {
    assert.deepStrictEqual(withList({ ...usual, info: [] }, "info", [byMail], [account, phone]), {})
  })

  it("keeps lists that are no default", () => {
    const later = { afterMinutes: 1, contactMethodId: "mail" }
    assert.deepStrictEqual(withList({ ...usual, warning: [later] }, "critical", [byPhone], [account, phone]), {
      critical: [byPhone],
      warning: [later]
    })
  })
})

describe("a contact method", () => {
  it("is passed over while it waits for its code, or is switched off", () => {
    const methods = [account, method("new", { confirmedAt: null }), method("off", { disabledReason: "Gone" })]
    const entries = methods.map(({ id }) => ({ afterMinutes: 0, contactMethodId: id }))
    assert.deepStrictEqual(notReady([...entries, ...entries], methods), methods.slice(1))
    assert.deepStrictEqual(methods.map(isReady), [true, false, false])
  })

  it("is named when it is confirmed and critical alerts do not use it", () => {
    const other = method("other", { type: "email" })
    const methods = [account, phone, method("new", { confirmedAt: null }), other]
    assert.deepStrictEqual(unused({ critical: [byMail], reachable: "emailOnly" }, methods), [phone])
    assert.deepStrictEqual(unused({ critical: [], reachable: "no" }, methods), [account, phone, other])
    assert.deepStrictEqual(unused({ critical: [byPhone], reachable: "yes" }, methods), [])
  })

  it("leads to the first value that is no secret", () => {
    assert.strictEqual(destinationOf(method("a", { config: { botToken: "••••abcd", chatId: "123" } })), "123")
    assert.strictEqual(destinationOf(method("a", { config: { to: ["a@example.org"] } })), "a@example.org")
    assert.isUndefined(destinationOf(method("a", { config: { on: true, none: null } })))
  })
})

it("groups entries by their minutes, and loses none", () => {
  const entry = fc.record({ afterMinutes: fc.integer({ min: 0, max: 5 }), contactMethodId: fc.string() })
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const groups = groupsOf(entries)
      const minutes = groups.map(([each]) => each)
      assert.deepStrictEqual(minutes, [...new Set(entries.map(({ afterMinutes }) => afterMinutes))])
      for (const [each, ids] of groups)
        assert.deepStrictEqual(
          ids,
          entries.filter(({ afterMinutes }) => afterMinutes === each).map(({ contactMethodId }) => contactMethodId)
        )
    })
  )
})
