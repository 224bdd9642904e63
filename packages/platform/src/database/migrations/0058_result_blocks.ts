/** Results of closed days as blocks: those of one monitor in one region, as columns in one value. */
export const resultBlocks = `
CREATE TABLE result_blocks (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  region text NOT NULL,
  -- When its results were due: all of them within one day.
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  results integer NOT NULL,
  -- The statuses that it has, so that others are not looked for in it, and how many are not up.
  statuses text[] NOT NULL,
  failing integer NOT NULL,
  -- How many have a response time, the hours of the day in which some have as bits, and when the first of them was due.
  measured integer NOT NULL,
  measured_hours integer NOT NULL,
  first_measured_at timestamptz,
  data bytea NOT NULL,
  PRIMARY KEY (monitor_id, first_at, region)
);
-- The data is compressed already.
ALTER TABLE result_blocks ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX result_blocks_age ON result_blocks (first_at);
`
