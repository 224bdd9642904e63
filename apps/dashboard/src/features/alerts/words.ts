/** Alerts in words. */
import { reasonText } from "../../locales/reasons.ts"
import { t, type Text } from "../../locales/text.ts"
import type { Tone } from "../../ui/Status.tsx"
import type { AlertFilter, AlertRecord } from "./queries.ts"

const triggers: Readonly<Record<AlertRecord["trigger"], { readonly text: Text; readonly tone: Tone }>> = {
  monitor_down: { text: "Down", tone: "down" },
  monitor_degraded: { text: "Degraded", tone: "degraded" },
  monitor_stale: { text: "Results are overdue", tone: "degraded" },
  ssl_expiring: { text: "Certificate expires soon", tone: "degraded" },
  ssl_expired: { text: "Certificate has expired", tone: "down" },
  ssl_invalid: { text: "Certificate is invalid", tone: "down" },
  domain_expiring: { text: "Domain expires soon", tone: "degraded" },
  domain_expired: { text: "Domain has expired", tone: "down" },
  external: { text: "Alert", tone: "down" }
}

export const triggerOf = ({ trigger }: AlertRecord): string => t(triggers[trigger].text)

/** How bad the subject of an alert is, whether or not somebody handles it. */
export const toneOfTrigger = ({ trigger }: AlertRecord): Tone => triggers[trigger].tone

/** What the reason says; empty where its sender says nothing. */
export const givenReason = ({ explanation, reason }: AlertRecord): string =>
  reasonText({ message: reason, explanation })

/** What the reason says, or the kind of alert where its sender says nothing. */
export const reasonOf = (alert: AlertRecord): string => givenReason(alert) || triggerOf(alert)

/** A resolved alert is good news, and one that somebody handles is not urgent. */
export const toneOfAlert = ({ state, trigger }: AlertRecord): Tone =>
  state === "resolved" ? "up" : state === "open" ? triggers[trigger].tone : "quiet"

const filters: Readonly<Record<AlertFilter, Text>> = {
  active: "Active",
  open: "Open",
  acknowledged: "Acknowledged",
  snoozed: "Snoozed",
  resolved: "Resolved"
}

export const alertFilters: ReadonlyArray<AlertFilter> = ["active", "open", "acknowledged", "snoozed", "resolved"]

export const filterWord = (filter: AlertFilter): string => t(filters[filter])
