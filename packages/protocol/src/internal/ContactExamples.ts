/** Examples of contact methods. */
import type { Schema } from "effect"
import type { ContactMethod } from "../ContactMethodBody.ts"
import type { PersonalQuietHours } from "../QuietHoursBody.ts"
import type { NotificationRules } from "../NotificationRulesBody.ts"
import type { PageTest } from "@kanmon/domain/PageTest"
import { user } from "./AccountExamples.ts"

export const request = {
  name: "My phone",
  type: "sms",
  config: { phoneNumber: "+4915112345678" }
} as const satisfies Schema.Json

export const account: typeof ContactMethod.Encoded = {
  id: "ctm_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: "Account",
  type: "email",
  config: { address: user.email },
  isAccount: true,
  confirmedAt: "2026-11-20T08:30:00.000Z",
  disabledReason: null,
  lastDelivery: null,
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

export const method: typeof ContactMethod.Encoded = {
  ...account,
  ...request,
  id: "ctm_01m7xwc3k9p5r1t7v2x4z6b8dq",
  isAccount: false,
  confirmedAt: null
}

export const confirmed: typeof ContactMethod.Encoded = { ...method, confirmedAt: "2026-11-20T08:32:10.512Z" }

export const rulesRequest = {
  critical: [
    { afterMinutes: 0, contactMethodId: method.id },
    { afterMinutes: 5, contactMethodId: account.id }
  ],
  info: []
} as const satisfies Schema.Json

export const rules: typeof NotificationRules.Encoded = {
  ...rulesRequest,
  warning: [{ afterMinutes: 0, contactMethodId: account.id }],
  reachable: "yes"
}

export const quietHours = {
  quietHours: {
    timezone: "Europe/Berlin",
    windows: [{ weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "22:00", to: "07:00" }],
    holdBelow: "critical"
  }
} as const satisfies typeof PersonalQuietHours.Encoded

export const pageTestRequest = { severity: "critical" } as const satisfies Schema.Json

export const pageTest: typeof PageTest.Encoded = {
  id: "pgt_01m7xz5d8q2s4u6w8y0a1c3e5g",
  severity: "critical",
  state: "running",
  startedAt: "2026-11-20T09:15:00.000Z",
  endsAt: "2026-11-20T09:50:00.000Z",
  endedAt: null,
  pages: [
    {
      contactMethodId: method.id,
      dueAt: "2026-11-20T09:15:00.000Z",
      status: "delivered",
      detail: "HTTP 201",
      heldUntil: null,
      finishedAt: "2026-11-20T09:15:00.812Z",
      isAnswered: false
    },
    {
      contactMethodId: account.id,
      dueAt: "2026-11-20T09:20:00.000Z",
      status: "waiting",
      detail: null,
      heldUntil: null,
      finishedAt: null,
      isAnswered: false
    }
  ]
}

export const acknowledgedPageTest: typeof PageTest.Encoded = {
  ...pageTest,
  state: "acknowledged",
  endedAt: "2026-11-20T09:16:04.120Z",
  pages: pageTest.pages.map((page, index) =>
    index === 0 ? { ...page, isAnswered: true } : { ...page, status: "dropped" }
  )
}
