/** The first schema. */
export const initial = `
CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  is_admin boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX accounts_user ON accounts (user_id);

CREATE TABLE verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX verifications_identifier ON verifications (identifier);

CREATE TABLE projects (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  api_key_hash text NOT NULL UNIQUE,
  api_key_encrypted text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX projects_user ON projects (user_id, id);

CREATE TABLE monitors (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  interval_seconds integer NOT NULL,
  timeout_seconds double precision NOT NULL,
  regions text[] NOT NULL,
  paused boolean NOT NULL,
  config jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX monitors_project ON monitors (project_id, id);

-- What the judge remembers. Rewritten with every check: room on the page keeps the rewrites off the indexes.
CREATE TABLE monitor_states (
  monitor_id text PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  status text NOT NULL,
  last_checked_at timestamptz,
  state jsonb NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The time line: from "at" until the next entry the monitor stood so.
CREATE TABLE status_changes (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  status text NOT NULL,
  failure jsonb,
  PRIMARY KEY (monitor_id, at, sequence)
);

-- No foreign key: an observation is written a thousand times a second, and one whose monitor is gone is never accepted.
CREATE TABLE observations (
  monitor_id text NOT NULL,
  region text NOT NULL,
  scheduled_at timestamptz NOT NULL,
  slot bigint NOT NULL,
  checked_at timestamptz NOT NULL,
  status text NOT NULL,
  response_time double precision,
  timing jsonb,
  failure jsonb,
  facts jsonb,
  PRIMARY KEY (monitor_id, scheduled_at, region)
) PARTITION BY RANGE (scheduled_at);
CREATE TABLE observations_default PARTITION OF observations DEFAULT;

CREATE TABLE rollup_hour (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  region text NOT NULL,
  hour timestamptz NOT NULL,
  checks integer NOT NULL,
  response_time_count integer NOT NULL,
  response_time_sum double precision NOT NULL,
  PRIMARY KEY (monitor_id, hour, region)
);

CREATE TABLE rollup_day (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  day date NOT NULL,
  up_millis bigint NOT NULL,
  down_millis bigint NOT NULL,
  PRIMARY KEY (monitor_id, day)
);

-- How far the rollups of all monitors have come.
CREATE TABLE rollup_progress (
  name text PRIMARY KEY,
  closed_until timestamptz NOT NULL
);

-- Monitors whose days from "since" on must be rolled up again: something was dated into a closed day.
CREATE TABLE rollup_dirty (
  monitor_id text PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  since date NOT NULL
);

CREATE TABLE outbox (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  monitor_id text,
  event jsonb,
  created_at timestamptz NOT NULL
);

CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  claimed_at timestamptz NOT NULL,
  status integer,
  body text,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (claimed_at);
`
