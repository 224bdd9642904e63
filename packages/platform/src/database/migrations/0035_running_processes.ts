/** The processes that share this database, each with fingerprints of the settings on which all must agree. */
export const runningProcesses = `
CREATE TABLE running_processes (
  id text PRIMARY KEY,
  roles text[] NOT NULL,
  settings jsonb NOT NULL,
  seen_at timestamptz NOT NULL
);
`
