/** Further API keys of projects, each with a role. Only the hash of a key is stored. */
export const apiKeys = `
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  role text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  expires_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  -- The actor, kept as it was.
  created_by_kind text NOT NULL,
  created_by_id text,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX api_keys_of_project ON api_keys (project_id, id);
`
