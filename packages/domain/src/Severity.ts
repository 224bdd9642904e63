/** The urgency of an alert, which decides who may be woken and the level that providers show. */
import { Schema } from "effect"
import type { Trigger } from "./Trigger.ts"

/** From the most urgent on. */
export const severities = ["critical", "warning", "info"] as const
export const Severity = Schema.Literals(severities)
export type Severity = typeof Severity.Type

const urgent: ReadonlySet<Trigger> = new Set(["monitor_down", "ssl_expired", "ssl_invalid", "domain_expired"])

/** The severity of a rule that names none: that of its most urgent trigger. */
export const defaultSeverity = (triggers: ReadonlyArray<Trigger>): Severity =>
  triggers.some((trigger) => urgent.has(trigger)) ? "critical" : "warning"

/** The most urgent of at least one. */
export const mostUrgent = (all: readonly [Severity, ...ReadonlyArray<Severity>]): Severity =>
  severities.find((one) => all.includes(one)) ?? all[0]

/** Whether the first is less urgent than the second. */
export const isBelow = (one: Severity, other: Severity): boolean => severities.indexOf(one) > severities.indexOf(other)

/** The severity on each provider's own scale. */
export const scales = {
  pagerduty: { critical: "critical", warning: "warning", info: "info" },
  opsgenie: { critical: "P1", warning: "P3", info: "P5" },
  pushover: { critical: 1, warning: 0, info: -1 },
  ntfy: { critical: 5, warning: 3, info: 2 }
} as const satisfies Record<string, Record<Severity, string | number>>
