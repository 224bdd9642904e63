/** The audit log. It outlives what it is about, so it refers to nothing. */
export const auditLog = `
CREATE TABLE audit_log (
  id text PRIMARY KEY,
  at timestamptz NOT NULL,
  -- The project that the change belongs to, and the account that owned it; null for what belongs to the installation.
  project_id text,
  account_id text,
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text NOT NULL,
  address text,
  action text NOT NULL,
  target_id text NOT NULL,
  target_name text NOT NULL,
  -- The fields before and after, without secrets.
  change jsonb NOT NULL
);
CREATE INDEX audit_log_of_project ON audit_log (project_id, id);
CREATE INDEX audit_log_of_account ON audit_log (account_id, id);
CREATE INDEX audit_log_at ON audit_log (at);
-- Entries are only added; retention deletes old ones.
CREATE RULE audit_log_is_append_only AS ON UPDATE TO audit_log DO INSTEAD NOTHING;
`
