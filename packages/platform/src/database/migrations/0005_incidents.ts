/** Incidents, maintenance windows, and the time that windows take out of monitors' time lines. */
export const incidents = `
CREATE TABLE incidents (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  title text NOT NULL,
  status text NOT NULL,
  monitor_ids text[] NOT NULL,
  maintenance boolean NOT NULL,
  scheduled_start timestamptz,
  scheduled_end timestamptz,
  recurrence text,
  timezone text,
  -- The first beginning of the series, which the recurrence counts from, and how long each of its windows is.
  series_start timestamptz,
  series_millis bigint,
  -- Where in the series this window stands, wherever it was moved to.
  series_at timestamptz,
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  -- The beginning of the window has been announced.
  begun boolean NOT NULL DEFAULT false,
  -- The next window of the series has been scheduled.
  continued boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX incidents_project ON incidents (project_id, id);
CREATE INDEX incidents_windows ON incidents (scheduled_start, scheduled_end) WHERE maintenance AND resolved_at IS NULL;
CREATE INDEX incidents_series ON incidents (id) WHERE recurrence IS NOT NULL AND resolved_at IS NOT NULL AND NOT continued;

CREATE TABLE incident_updates (
  id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incidents ON DELETE CASCADE,
  status text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX incident_updates_incident ON incident_updates (incident_id, id);

-- What a window means for one monitor. It stays when the incident is deleted: what has been suppressed was suppressed.
CREATE TABLE maintenance_windows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  incident_id text REFERENCES incidents ON DELETE SET NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The monitor's alerts have been decided about since the window ended.
  settled boolean NOT NULL DEFAULT false
);
CREATE INDEX maintenance_windows_monitor ON maintenance_windows (monitor_id, ends_at);
CREATE INDEX maintenance_windows_incident ON maintenance_windows (incident_id);
CREATE INDEX maintenance_windows_unsettled ON maintenance_windows (ends_at) WHERE NOT settled;
`
