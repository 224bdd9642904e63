/** Drills, and the alerts that they open. */
export const drills = `
CREATE TABLE drills (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Without references: the reports of past drills stay.
  policy_id text,
  rule_id text,
  monitor_id text,
  name text NOT NULL,
  status text NOT NULL,
  detail text,
  starts_at timestamptz NOT NULL,
  every text,
  timezone text NOT NULL,
  -- The beginning of the first one, from which repetitions are counted.
  first_at timestamptz NOT NULL,
  created_by text NOT NULL,
  created_by_kind text NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_by_kind text
);
CREATE INDEX drills_project ON drills (project_id, id);
CREATE INDEX drills_scheduled ON drills (starts_at) WHERE status = 'scheduled';
CREATE INDEX drills_running ON drills (id) WHERE status = 'running';
ALTER TABLE alerts
  ALTER COLUMN rule_id DROP NOT NULL,
  ADD COLUMN drill_id text,
  DROP CONSTRAINT alerts_origin,
  ADD CONSTRAINT alerts_origin CHECK (num_nonnulls(monitor_id, integration_id, drill_id) = 1),
  ADD CONSTRAINT alerts_rule CHECK (rule_id IS NOT NULL OR drill_id IS NOT NULL);
CREATE INDEX alerts_drill ON alerts (drill_id) WHERE drill_id IS NOT NULL
`
