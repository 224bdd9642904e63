/** Integrations, the bodies that they did not understand, and alerts without a monitor. */
export const integrations = `
CREATE TABLE integrations (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  key text,
  name text NOT NULL,
  type text NOT NULL,
  -- A rule that an integration has cannot be deleted, except with its project.
  rule_id text NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
  mapping jsonb,
  resolve_after_minutes integer,
  quiet_after_minutes integer,
  token_hash text NOT NULL UNIQUE,
  last_received_at timestamptz,
  -- When its silence opens an alert; null: not at all, or it has.
  quiet_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT integrations_key UNIQUE (project_id, key)
);
CREATE INDEX integrations_project ON integrations (project_id, id);
CREATE INDEX integrations_rule ON integrations (rule_id);
CREATE INDEX integrations_quiet ON integrations (quiet_at) WHERE quiet_at IS NOT NULL;

CREATE TABLE inbound_bodies (
  id text PRIMARY KEY,
  integration_id text NOT NULL REFERENCES integrations ON DELETE CASCADE,
  at timestamptz NOT NULL,
  refused boolean NOT NULL,
  errors jsonb NOT NULL,
  body text NOT NULL,
  truncated boolean NOT NULL
);
CREATE INDEX inbound_bodies_integration ON inbound_bodies (integration_id, id);

ALTER TABLE alerts
  ALTER COLUMN monitor_id DROP NOT NULL,
  -- Without a reference: past alerts stay when the integration is deleted.
  ADD COLUMN integration_id text,
  ADD COLUMN source_key text,
  ADD COLUMN source jsonb,
  ADD COLUMN resolve_at timestamptz,
  ADD COLUMN resolved_by text,
  ADD COLUMN resolved_by_kind text,
  ADD CONSTRAINT alerts_origin CHECK ((monitor_id IS NULL) = (integration_id IS NOT NULL));
CREATE UNIQUE INDEX alerts_source_open ON alerts (integration_id, source_key) WHERE resolved_at IS NULL;
CREATE INDEX alerts_resolve ON alerts (resolve_at) WHERE resolved_at IS NULL AND resolve_at IS NOT NULL;
ALTER TABLE alert_history ALTER COLUMN monitor_id DROP NOT NULL
`
