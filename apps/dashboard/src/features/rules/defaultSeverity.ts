/** The severity that the server gives a rule that names none. A test holds it to the server's own. */
import type { AlertRule } from "@kanmon/domain/AlertRule"

type Rule = typeof AlertRule.Encoded

const urgent: ReadonlySet<Rule["trigger"]> = new Set(["monitor_down", "ssl_expired", "ssl_invalid", "domain_expired"])

export const defaultSeverity = (triggers: ReadonlyArray<Rule["trigger"]>): Rule["severity"] =>
  triggers.some((trigger) => urgent.has(trigger)) ? "critical" : "warning"
