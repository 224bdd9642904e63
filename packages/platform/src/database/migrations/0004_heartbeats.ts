/** Passive monitors: their tokens, what is remembered between signals, and the signals. */
export const heartbeats = `
ALTER TABLE monitors ADD COLUMN passive boolean NOT NULL DEFAULT false;
-- For how long a result speaks: of a passive monitor until the next one, whenever that comes.
ALTER TABLE monitors ADD COLUMN vote_seconds bigint NOT NULL
  GENERATED ALWAYS AS (CASE WHEN passive THEN 3155760000 ELSE interval_seconds END) STORED;

CREATE TABLE heartbeats (
  monitor_id text PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  token_encrypted text NOT NULL,
  state jsonb NOT NULL,
  -- When it counts as missed; null while it is paused.
  overdue_at timestamptz,
  -- The monitor was made, changed or resumed since: overdue_at has to be reckoned anew.
  stale boolean NOT NULL DEFAULT true
);
CREATE INDEX heartbeats_overdue ON heartbeats (overdue_at) WHERE overdue_at IS NOT NULL;
CREATE INDEX heartbeats_stale ON heartbeats (monitor_id) WHERE stale;

CREATE TABLE heartbeat_signals (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  rid text NOT NULL,
  exit_code integer,
  message text,
  metrics jsonb,
  duration double precision
);
CREATE INDEX heartbeat_signals_monitor ON heartbeat_signals (monitor_id, at);
CREATE INDEX heartbeat_signals_age ON heartbeat_signals USING brin (at);

-- When an engine last looked for missed heartbeats: what fell into a time when nobody listened was not missed by the job.
CREATE TABLE heartbeat_watch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seen_at timestamptz NOT NULL
);
`
