/** Examples of figures about on-call duty. */
import type { OnCallAnalytics } from "../AnalyticsBody.ts"

export const onCall: typeof OnCallAnalytics.Encoded = {
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-30T23:59:59.999Z",
  people: [
    { userId: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd", name: "Ada", onCallSeconds: 604800, pages: 9, interruptedNights: 2 }
  ],
  timeToAcknowledge: { alerts: 8, p50: 95, p90: 410 },
  timeToResolve: { alerts: 9, p50: 840, p90: 5400 },
  noisiestMonitors: [{ monitorId: "mon_01m7xqz3c5v8b1n4k7j0h6g9fd", name: "Shop", alerts: 6, pages: 7 }]
}

export const csv =
  "userId,name,onCallHours,pages,interruptedNights\r\nusr_01kxy7v0n1w3e5r7t9y2u4i6pd,Ada,168.00,9,2\r\n"
