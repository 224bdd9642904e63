/**
 * Decides what a request of an integration changes about its open alerts. Pure: takes the alerts of the request and those that are
 * open; returns decisions. At most one alert is open per key, so a request that is sent again changes nothing. An alert that the request
 * does not name stays as it is: absence never resolves.
 */
import type { InboundAlert } from "./InboundAlerts.ts"
import { isBelow, type Severity } from "./Severity.ts"

/** An open alert of the integration. */
export interface OpenExternal {
  readonly key: string
  readonly severity: Severity
}

export type ExternalDecision<Open extends OpenExternal> =
  | { readonly _tag: "Open"; readonly alert: InboundAlert; readonly severity: Severity }
  /** It still fires: that is noted, and nothing is sent. */
  | { readonly _tag: "Refresh"; readonly alert: InboundAlert; readonly open: Open }
  /** It is more urgent than before: an acknowledgement does not hold any more. */
  | { readonly _tag: "Raise"; readonly alert: InboundAlert; readonly open: Open; readonly severity: Severity }
  | { readonly _tag: "Resolve"; readonly alert: InboundAlert; readonly open: Open }

/** The last statement about each key, in the order of the first ones. */
const lastOfEach = (alerts: ReadonlyArray<InboundAlert>): ReadonlyArray<InboundAlert> => [
  ...new Map(alerts.map((alert) => [alert.key, alert])).values()
]

/** `severity` is that of the rule, for alerts that state none. A severity that falls leaves the alert as urgent as it was. */
export const decideExternal = <Open extends OpenExternal>(
  alerts: ReadonlyArray<InboundAlert>,
  open: ReadonlyArray<Open>,
  severity: Severity
): ReadonlyArray<ExternalDecision<Open>> => {
  const byKey = new Map(open.map((one) => [one.key, one]))
  return lastOfEach(alerts).flatMap((alert): ReadonlyArray<ExternalDecision<Open>> => {
    const found = byKey.get(alert.key)
    if (alert.status === "resolved") return found === undefined ? [] : [{ _tag: "Resolve", alert, open: found }]
    const stated = alert.severity ?? severity
    if (found === undefined) return [{ _tag: "Open", alert, severity: stated }]
    return isBelow(found.severity, stated)
      ? [{ _tag: "Raise", alert, open: found, severity: stated }]
      : [{ _tag: "Refresh", alert, open: found }]
  })
}
