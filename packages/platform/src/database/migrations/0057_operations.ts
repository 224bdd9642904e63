/** Long work on many monitors: which, how far it is, who asked for it, and until when a process has it. */
export const operations = `
CREATE TABLE operations (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  action text NOT NULL,
  change jsonb NOT NULL,
  -- In the order in which they are done; the first \`position\` of them are.
  ids text[] NOT NULL,
  position integer NOT NULL,
  done integer NOT NULL,
  failed integer NOT NULL,
  failures jsonb NOT NULL,
  status text NOT NULL,
  created_by text NOT NULL,
  created_by_kind text NOT NULL,
  acting jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  leased_until timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX operations_project ON operations (project_id, id DESC);
CREATE INDEX operations_running ON operations (leased_until) WHERE status = 'running';
`
