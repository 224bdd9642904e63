/** Every reason that an alert has is said in the language of its reader. */
import { assert, describe, it } from "@effect/vitest"
import { reasonText } from "@kanmon/core/NoticeReasons"
import { Trigger } from "@kanmon/domain/AlertRule"
import type { Condition } from "@kanmon/domain/Alerting"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as NoticeBody from "../../src/alerts/NoticeBody.ts"

const now: EpochMillis = Date.parse("2026-11-28T12:00:00.000Z")
const day = 86_400_000

const subject: NoticeBody.Subject = {
  project: { id: "prj_1", name: "Acme" },
  monitor: { id: "mon_1", name: "Shop", type: "http", target: "https://shop.example/" },
  link: "https://kanmon.example"
}

const problems = ["ERR_TLS_CERT_ALTNAME_INVALID", "DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_REVOKED", "SOMETHING_NEW"]

/** The evidence of a condition in every form that its reason depends on. */
const evidences: ReadonlyArray<NoticeBody.Evidence> = [
  {},
  ...[-3, -1.5, -0.5, 0.5, 1.5, 3].flatMap((days) =>
    problems.map((problem) => ({
      certificate: { fingerprint: "f", stage: "invalid" as const, validTo: now + days * day, problem },
      domain: { name: "shop.example", expiresAt: now + days * day }
    }))
  )
]

const about = { alertId: "alt_1", rule: null, severity: "critical", at: now } as const

describe("a reason of a notice", () => {
  it.each(Trigger.literals)("is said in every language for %s", (trigger) => {
    const condition: Condition = { trigger, state: "holds", streak: 1, since: now, about: "", step: 0 }
    for (const evidence of evidences) {
      const opening = NoticeBody.opening(subject, about, condition, evidence)
      const open = { id: "a", ruleId: "r", trigger, about: "", step: 0, startedAt: now, channelIds: [] } as never
      const closing = NoticeBody.closing(opening, open, now, { at: now, evidence })
      for (const notice of [opening, closing]) {
        if (notice.reason === "") continue
        const said = (["en", "de", "ja"] as const).map((locale) =>
          reasonText(notice, { language: locale, zone: "Asia/Tokyo" })
        )
        assert.lengthOf(new Set(said), 3, notice.reason)
      }
    }
  })
})
