import { assert, describe, it } from "@effect/vitest"
import { previewStatus, type TrialOutcome } from "../src/Trial.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const day = 86_400_000
const settings = { intervalMillis: 10_000, regions: [] }

const row = (region: string, status: TrialOutcome["status"], more: Partial<TrialOutcome> = {}): TrialOutcome => ({
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

describe("previewStatus", () => {
  it("follows a strict majority of the regions with a result, in any order", () => {
    const rows = [row("eu-west", "down"), row("us-east", "up", { checkedAt: noon + 30_000 }), row("ap-south", "down")]
    for (const order of [rows, rows.toReversed()]) {
      const { status, triggers } = previewStatus(order, settings)
      assert.deepStrictEqual({ status, triggers }, { status: "down", triggers: ["monitor_down"] })
    }
    assert.deepStrictEqual(previewStatus(rows.slice(0, 2), settings), {
      status: "up",
      failure: null,
      triggers: [],
      certificate: null
    })
    assert.strictEqual(previewStatus([row("eu-west", "down"), row("us-east", "unknown")], settings).status, "down")
  })

  it("includes the failure, and is unknown without results", () => {
    assert.strictEqual(previewStatus([row("eu-west", "degraded")], settings).failure?.message, "refused in eu-west")
    assert.deepInclude(previewStatus([row("eu-west", "unknown")], settings), {
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
    const strict = previewStatus(rows, { ...settings, sslExpiryThreshold: 30 })
    assert.deepStrictEqual(strict.triggers, ["ssl_expiring"])
    assert.deepInclude(strict.certificate!, { daysLeft: 20, valid: true })
    assert.deepStrictEqual(previewStatus(rows, { ...settings, sslExpiryThreshold: 7 }).triggers, [])
  })
})
