/** How urgent alerts are: rules have a severity, and an alert keeps the one with which it opened. */
export const severities = `
ALTER TABLE alert_rules ADD COLUMN severity text;
UPDATE alert_rules SET severity = CASE WHEN triggers && '{monitor_down,ssl_expired,ssl_invalid,domain_expired}'
  THEN 'critical' ELSE 'warning' END;
ALTER TABLE alert_rules ALTER COLUMN severity SET NOT NULL;

-- Of alerts whose rule is gone, that of their trigger.
ALTER TABLE alerts ADD COLUMN severity text;
UPDATE alerts a SET severity = COALESCE((SELECT r.severity FROM alert_rules r WHERE r.id = a.rule_id),
  CASE WHEN a.trigger IN ('monitor_down', 'ssl_expired', 'ssl_invalid', 'domain_expired') THEN 'critical' ELSE 'warning' END);
ALTER TABLE alerts ALTER COLUMN severity SET NOT NULL;
`
