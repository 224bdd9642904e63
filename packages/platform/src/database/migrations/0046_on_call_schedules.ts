/** On-call schedules of organizations: their overrides, who was on call when, when people are away, and addresses of calendars. */
export const onCallSchedules = `
CREATE TABLE schedules (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key text,
  name text NOT NULL,
  timezone text NOT NULL,
  coverage jsonb,
  layers jsonb NOT NULL,
  -- Everybody whom the layers name.
  people text[] NOT NULL,
  -- Handoffs are recorded until here: what is before is read, what is after is reckoned.
  recorded_until timestamptz NOT NULL,
  -- When the next handoff is recorded, or looked for.
  next_handoff_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT schedules_key UNIQUE (organization_id, key)
);
CREATE INDEX schedules_due ON schedules (next_handoff_at);
CREATE INDEX schedules_people ON schedules USING gin (people);

CREATE TABLE schedule_overrides (
  id text PRIMARY KEY,
  -- Overrides apply in the order of their creation.
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  schedule_id text NOT NULL REFERENCES schedules ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  user_id text,
  replaces text,
  created_by text REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX schedule_overrides_schedule ON schedule_overrides (schedule_id, ends_at);
CREATE INDEX schedule_overrides_user ON schedule_overrides (user_id, ends_at);
CREATE INDEX schedule_overrides_created_by ON schedule_overrides (created_by);

-- A row for each change of who is on call, appended when it happens and never changed.
CREATE TABLE schedule_handoffs (
  schedule_id text NOT NULL REFERENCES schedules ON DELETE CASCADE,
  at timestamptz NOT NULL,
  user_id text,
  layer text,
  override_id text,
  PRIMARY KEY (schedule_id, at)
);

CREATE TABLE away_periods (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, starts_at)
);

-- Of a schedule, or of a person.
CREATE TABLE calendar_tokens (
  token_hash text PRIMARY KEY,
  schedule_id text UNIQUE REFERENCES schedules ON DELETE CASCADE,
  user_id text UNIQUE REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CHECK ((schedule_id IS NULL) <> (user_id IS NULL))
);
`
