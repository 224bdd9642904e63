/**
 * The last 30 days of each project, and which monitor was down last: sums of what is known of its monitors, kept so that the overview reads
 * a row instead of their histories.
 */
export const projectSummaries = `
CREATE TABLE project_summaries (
  project_id text PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  known_since timestamptz NOT NULL,
  up_millis bigint NOT NULL,
  down_millis bigint NOT NULL,
  outage_monitor text REFERENCES monitors ON DELETE SET NULL,
  measured_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX project_summaries_outage ON project_summaries (outage_monitor);
`
