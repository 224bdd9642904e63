/** Examples of contact methods. */
import type { Schema } from "effect"
import type { ContactMethod } from "../ContactMethodBody.ts"
import type { PersonalQuietHours } from "../QuietHoursBody.ts"
import type { NotificationRules } from "../NotificationRulesBody.ts"
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
