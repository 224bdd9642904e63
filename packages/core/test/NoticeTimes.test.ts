import { assert, describe, it } from "@effect/vitest"
import type { Notice } from "../src/Notice.ts"
import { localReason } from "../src/NoticeTimes.ts"
import * as NoticeText from "../src/NoticeText.ts"

const notice: Notice = {
  id: "dlv_1",
  alertId: "alt_1",
  event: "monitor_down",
  severity: "critical",
  at: 0,
  zone: "Europe/Berlin",
  project: { id: "prj_1", name: "Shop" },
  rule: null,
  monitor: { id: "mon_1", name: "Backup", type: "heartbeat", target: "" },
  reason: "No signal arrived by 2026-10-25 00:30:00 UTC. The last one arrived at 2026-10-24 21:00:00 UTC",
  startedAt: Date.parse("2026-10-25T00:30:00Z"),
  durationSeconds: null,
  regions: [],
  region: null,
  statusCode: null,
  responseTime: null,
  timing: {},
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: "https://kanmon.example" }
}

describe("a notice with a zone", () => {
  it("shows all its times there", () => {
    const text = NoticeText.plain(notice)
    assert.include(text, "No signal arrived by 2026-10-25 02:30:00 CEST (UTC+02:00)")
    assert.include(text, "The last one arrived at 2026-10-24 23:00:00 CEST")
    assert.include(text, "Since: 2026-10-25 02:30:00 CEST (UTC+02:00)")
    assert.notInclude(text, "UTC.")
  })

  it("names the day on which a certificate expires as the reader's calendar does", () => {
    const expiresAt = Date.parse("2026-11-30T23:30:00Z")
    const reason = "The certificate of shop.example expires in 3 days, on 2026-11-30"
    const text = NoticeText.plain({ ...notice, event: "ssl_expiring", reason, expiresAt })
    assert.include(text, "on 2026-12-01")
    assert.include(text, "Expires: 2026-12-01 00:30:00 CET")
    const group = [
      {
        alertId: "alt_1",
        event: "ssl_expiring" as const,
        severity: "warning" as const,
        monitor: notice.monitor,
        reason,
        startedAt: 0,
        expiresAt
      }
    ]
    assert.include(NoticeText.summary({ ...notice, group }), "on 2026-12-01")
  })

  it.each(["http", "heartbeat"])("leaves what the target of a monitor of type %s answered as it is", (type) => {
    const reason = 'The job reported a failure: "backup of 2026-11-20 21:00:00 UTC failed"'
    assert.strictEqual(localReason({ ...notice, monitor: { type }, reason }, "Europe/Berlin"), reason)
  })

  it("shows UTC without a zone, and with one that this version does not know", () => {
    const { zone: _, ...none } = notice
    assert.strictEqual(NoticeText.plain({ ...notice, zone: "Europe/Atlantis" }), NoticeText.plain(none))
    assert.include(NoticeText.plain(none), "Since: 2026-10-25 00:30:00 UTC")
  })
})
