/** Administration of accounts: administrators can disable them, and act as them. */
export const operator = `
ALTER TABLE users ADD COLUMN disabled_at timestamptz;
ALTER TABLE users ADD COLUMN last_signed_in_at timestamptz;
UPDATE users u SET last_signed_in_at = (SELECT max(created_at) FROM sessions s WHERE s.user_id = u.id);

-- The administrator who acts as the account.
ALTER TABLE sessions ADD COLUMN impersonated_by text REFERENCES users ON DELETE CASCADE;
CREATE INDEX sessions_impersonated_by ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;

-- The account as which the actor acted; null when it acted as itself.
ALTER TABLE audit_log ADD COLUMN on_behalf_of_id text;
ALTER TABLE audit_log ADD COLUMN on_behalf_of_name text;
`
