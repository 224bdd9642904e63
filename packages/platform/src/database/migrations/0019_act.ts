/** Acknowledged, snoozed, silenced, held and grouped alerts. */
export const act = `
ALTER TABLE alerts
  ADD COLUMN acknowledged_at timestamptz,
  ADD COLUMN acknowledged_by text,
  -- user, key or link.
  ADD COLUMN acknowledged_by_kind text,
  ADD COLUMN note text,
  ADD COLUMN snoozed_until timestamptz,
  ADD COLUMN snoozed_by text,
  ADD COLUMN snoozed_by_kind text,
  -- Whether a silence keeps back its opening.
  ADD COLUMN silenced boolean NOT NULL DEFAULT false;
CREATE INDEX alerts_project ON alerts (project_id, id);
CREATE INDEX alerts_snoozed ON alerts (snoozed_until) WHERE resolved_at IS NULL AND snoozed_until IS NOT NULL;
CREATE INDEX alerts_silenced ON alerts (id) WHERE resolved_at IS NULL AND silenced;

CREATE TABLE silences (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  monitor_ids text[] NOT NULL,
  tags text[] NOT NULL,
  until timestamptz NOT NULL,
  reason text NOT NULL,
  created_by text NOT NULL,
  created_by_kind text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX silences_project ON silences (project_id, until);
CREATE INDEX silences_until ON silences (until);

-- What is remembered of an outage whose alerts are held, because a monitor that it depends on is down: see domain/DependencyHold.
CREATE TABLE alert_holds (
  monitor_id text PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  streak integer NOT NULL,
  unwell integer NOT NULL,
  waits_from timestamptz,
  waits_until timestamptz
);
CREATE INDEX alert_holds_waiting ON alert_holds (waits_until) WHERE waits_until IS NOT NULL;

-- The delivery whose message listed this one among others; and when the acknowledge link of its message was used.
ALTER TABLE deliveries ADD COLUMN grouped_with text, ADD COLUMN link_used_at timestamptz;
CREATE INDEX deliveries_carried ON deliveries ((COALESCE(shared_with, grouped_with)))
  WHERE shared_with IS NOT NULL OR grouped_with IS NOT NULL;
`
