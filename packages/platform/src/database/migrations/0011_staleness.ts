/** Monitors without results, and rules that have yet to be held against the monitors as they are. */
export const staleness = `
-- Whether results are overdue, and when to look next whether they are: a monitor that is paused, passive or stale already is not
-- looked at. Neither changes with a check, which keeps those updates off the indexes.
ALTER TABLE monitor_states ADD COLUMN stale boolean NOT NULL DEFAULT false;
ALTER TABLE monitor_states ADD COLUMN look_at timestamptz;
UPDATE monitor_states SET look_at = now() WHERE status <> 'paused';
CREATE INDEX monitor_states_look ON monitor_states (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX monitor_states_stale ON monitor_states (monitor_id) WHERE stale;

-- Since when an engine has been watching for silence without a break: what was silent before may have been us.
CREATE TABLE staleness_watch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seen_at timestamptz NOT NULL,
  since timestamptz NOT NULL
);

-- A rule that was made or changed is held against its monitors, page by page: the last monitor of the page before, '' to begin with.
ALTER TABLE alert_rules ADD COLUMN review_after text;
CREATE INDEX alert_rules_review ON alert_rules (id) WHERE review_after IS NOT NULL;
`
