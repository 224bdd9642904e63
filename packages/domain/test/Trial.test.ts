import { assert, describe, it } from "@effect/vitest"
import { standing, type Found } from "../src/Trial.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const day = 86_400_000
const settings = { intervalMillis: 10_000, regions: [] }

const row = (region: string, status: Found["status"], more: Partial<Found> = {}): Found => ({
  region,
  status,
  responseTime: 20,
  timing: {},
  failure: status === "up" ? null : { code: "refused", message: `refused in ${region}` },
  facts: {},
  checkedAt: noon,
  ...more
})

const certificate = (fingerprint: string, days: number) => ({
  certificate: {
    fingerprint256: fingerprint,
    issuer: "An authority",
    subject: "shop.example",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: new Date(noon + days * day).toISOString(),
    problem: null,
    nameMatches: true
  }
})

describe("standing", () => {
  it("is what a strict majority of the regions that could look found, whichever answered first", () => {
    const rows = [row("eu-west", "down"), row("us-east", "up", { checkedAt: noon + 30_000 }), row("ap-south", "down")]
    for (const order of [rows, rows.toReversed()]) {
      const { status, triggers } = standing(order, settings)
      assert.deepStrictEqual({ status, triggers }, { status: "down", triggers: ["monitor_down"] })
    }
    assert.deepStrictEqual(standing(rows.slice(0, 2), settings), {
      status: "up",
      failure: null,
      triggers: [],
      certificate: null
    })
    assert.strictEqual(standing([row("eu-west", "down"), row("us-east", "unknown")], settings).status, "down")
  })

  it("says why, and that nobody knows when nobody could look", () => {
    assert.strictEqual(standing([row("eu-west", "degraded")], settings).failure?.message, "refused in eu-west")
    assert.deepInclude(standing([row("eu-west", "unknown")], settings), {
      status: "unknown",
      failure: { code: "refused", message: "refused in eu-west" },
      triggers: []
    })
  })

  it("shows the worst certificate by the monitor's own threshold", () => {
    const rows = [
      row("eu-west", "up", { facts: certificate("good", 200) }),
      row("us-east", "up", { facts: certificate("old", 20) })
    ]
    const strict = standing(rows, { ...settings, sslExpiryThreshold: 30 })
    assert.deepStrictEqual(strict.triggers, ["ssl_expiring"])
    assert.deepInclude(strict.certificate!, { daysLeft: 20, valid: true })
    assert.deepStrictEqual(standing(rows, { ...settings, sslExpiryThreshold: 7 }).triggers, [])
  })
})
