/** Channels, alert rules, alerts, their history and their deliveries. */
export const alerts = `
CREATE TABLE channels (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  config_encrypted text NOT NULL,
  -- Why nothing is sent there any more: the destination said that it is gone.
  disabled_reason text,
  last_delivery jsonb,
  -- The circuit breaker: failures in a row, and until when the channel rests.
  failures integer NOT NULL DEFAULT 0,
  resting_until timestamptz,
  -- One engine at a time delivers through a channel.
  leased_until timestamptz,
  leased_by text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX channels_project ON channels (project_id, id);

CREATE TABLE alert_rules (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  monitor_ids text[] NOT NULL,
  channel_ids text[] NOT NULL,
  triggers text[] NOT NULL,
  consecutive_failures integer NOT NULL,
  resend_every integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX alert_rules_project ON alert_rules (project_id, id);

-- An alert: one rule, one monitor, one trigger, from its opening to its end.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  rule_id text NOT NULL,
  monitor_id text NOT NULL,
  trigger text NOT NULL,
  about text NOT NULL,
  step integer NOT NULL,
  started_at timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  notified_at timestamptz NOT NULL,
  resolved_at timestamptz,
  notice jsonb NOT NULL
);
CREATE UNIQUE INDEX alerts_open ON alerts (monitor_id, rule_id, trigger) WHERE resolved_at IS NULL;
CREATE INDEX alerts_rule_open ON alerts (rule_id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_resolved ON alerts (resolved_at) WHERE resolved_at IS NOT NULL;

-- What the user reads: the alert as one channel is told of it.
CREATE TABLE alert_history (
  id text PRIMARY KEY,
  alert_id text NOT NULL REFERENCES alerts ON DELETE CASCADE,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  rule_id text NOT NULL,
  monitor_id text NOT NULL,
  channel_id text,
  type text NOT NULL,
  triggered_at timestamptz NOT NULL,
  resolved_at timestamptz,
  status text NOT NULL,
  error text
);
CREATE INDEX alert_history_project ON alert_history (project_id, triggered_at, id);
CREATE INDEX alert_history_alert ON alert_history (alert_id);

CREATE TABLE deliveries (
  id text PRIMARY KEY,
  entry_id text NOT NULL REFERENCES alert_history ON DELETE CASCADE,
  channel_id text NOT NULL REFERENCES channels ON DELETE CASCADE,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  purpose text NOT NULL,
  notice jsonb NOT NULL,
  -- pending, delivered, failed, or merged: said by a later one of the same entry.
  status text NOT NULL,
  error text,
  attempts jsonb NOT NULL DEFAULT '[]',
  next_attempt_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX deliveries_pending ON deliveries (channel_id, id) WHERE status = 'pending';
CREATE INDEX deliveries_entry ON deliveries (entry_id, id);

INSERT INTO alert_rules
  (id, project_id, name, monitor_ids, channel_ids, triggers, consecutive_failures, resend_every, created_at, updated_at)
SELECT 'rul_' || substr(p.id, 5), p.id, 'Certificates and domains', '{}', '{}',
  '{ssl_expiring,ssl_expired,ssl_invalid,domain_expiring,domain_expired}', 1, 0, p.created_at, p.created_at
FROM projects p;
`
