/** The check log: answers of failing targets, an index of failing checks, and response times by phase as sketches. */
export const explain = `
-- Only for partitions that are attached from now on: building it for all stored observations would delay the start.
CREATE INDEX observations_failing ON ONLY observations (monitor_id, scheduled_at, region) WHERE status <> 'up';

CREATE TABLE captures (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  region text NOT NULL,
  scheduled_at timestamptz NOT NULL,
  id text NOT NULL DEFAULT 'cap_' || replace(gen_random_uuid()::text, '-', ''),
  captured_at timestamptz NOT NULL,
  content jsonb NOT NULL,
  PRIMARY KEY (monitor_id, scheduled_at, region)
);
CREATE INDEX captures_age ON captures (captured_at);

CREATE INDEX alerts_monitor ON alerts (monitor_id, opened_at);

-- Each column is a sketch: an integer for each bucket, with the number of checks in its lower 16 bits.
CREATE TABLE timing_hour (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  region text NOT NULL,
  hour timestamptz NOT NULL,
  response_time integer[],
  dns integer[],
  connect integer[],
  tls integer[],
  first_byte integer[],
  download integer[],
  PRIMARY KEY (monitor_id, hour, region)
);
CREATE INDEX timing_hour_age ON timing_hour (hour);

CREATE TABLE timing_day (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  region text NOT NULL,
  day timestamptz NOT NULL,
  response_time integer[],
  dns integer[],
  connect integer[],
  tls integer[],
  first_byte integer[],
  download integer[],
  PRIMARY KEY (monitor_id, day, region)
);
CREATE INDEX timing_day_age ON timing_day (day);
`
