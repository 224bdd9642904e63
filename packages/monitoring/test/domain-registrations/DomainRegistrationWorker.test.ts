import { assert, describe, it } from "@effect/vitest"
import { learned } from "../../src/domain-registrations/DomainRegistrationWorker.ts"
import { Failed, NotRegistered, Throttled, Unsupported } from "../../src/domain-registrations/Rdap.ts"

const now = Date.UTC(2026, 10, 20, 12)
const hour = 3_600_000
const hours = (answer: Parameters<typeof learned>[0]): number => (learned(answer, now, 0.5).nextCheckAt - now) / hour

describe("the response of a registry", () => {
  it("is known for a day", () => {
    const registration = { expiresAt: now + 400 * 24 * hour, registrar: "Example" }
    assert.deepStrictEqual(learned(registration, now, 0.5), {
      registration,
      problem: null,
      nextCheckAt: now + 24 * hour
    })
    assert.include(learned({ expiresAt: null, registrar: null }, now, 0.5).problem!, "does not publish")
  })

  it("is asked for again later, and politely", () => {
    assert.strictEqual(hours(new Unsupported({ domain: "x.de" })), 7 * 24)
    assert.strictEqual(hours(new NotRegistered({ domain: "x.com" })), 24)
    assert.strictEqual(hours(new Throttled({ retryAfter: 1800 })), 0.5)
    assert.strictEqual(hours(new Failed({ detail: "no answer" })), 1)
  })

  it("keeps what was known when there is none", () => {
    assert.notProperty(learned(new Failed({ detail: "no answer" }), now, 0.5), "registration")
    assert.notProperty(learned(new Throttled({ retryAfter: 10 }), now, 0.5), "registration")
    assert.deepStrictEqual(learned(new NotRegistered({ domain: "x.com" }), now, 0.5).registration, {
      expiresAt: null,
      registrar: null
    })
  })
})
