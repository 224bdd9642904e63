/**
 * Moves ownership from accounts to organizations. Every account gets and owns an organization with its name and an id
 * of the same body, and the account's records belong to that organization from then on.
 */

/** Tables whose rows follow their organization, with their owner's column as it was. */
const owned = ["projects", "payment_customers", "checkouts", "subscriptions", "confirmed_recipients", "payment_turns"]

const toOrganization = (table: string): string => `
ALTER TABLE ${table} DROP CONSTRAINT ${table}_user_id_fkey;
UPDATE ${table} SET user_id = 'org_' || substr(user_id, 5);
ALTER TABLE ${table} RENAME COLUMN user_id TO organization_id;
ALTER TABLE ${table} ADD CONSTRAINT ${table}_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations ON DELETE CASCADE;
`

export const organizations = `
CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Set by the operator of the installation.
  disabled_at timestamptz
);

CREATE TABLE organization_members (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL,
  -- How the account became a member: founder, invitation, sso or scim.
  source text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_members_user ON organization_members (user_id);

INSERT INTO organizations (id, name, created_at, updated_at)
  SELECT 'org_' || substr(id, 5), name, created_at, updated_at FROM users;
INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
  SELECT 'org_' || substr(id, 5), id, 'owner', 'founder', created_at FROM users;

${owned.map((table) => toOrganization(table)).join("")}
ALTER INDEX projects_user RENAME TO projects_organization;

UPDATE certificate_orders SET user_id = 'org_' || substr(user_id, 5);
ALTER TABLE certificate_orders RENAME COLUMN user_id TO organization_id;

-- A role in one project, above the one in the organization.
CREATE TABLE project_members (
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id);

CREATE TABLE teams (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX teams_name ON teams (organization_id, lower(name));

CREATE TABLE team_members (
  team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX team_members_user ON team_members (user_id);

-- Invitations that are open. The token itself is only in the mail.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  invited_by text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_email ON invitations (organization_id, lower(email));
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- The organization that an entry belongs to, beside the account whose personal matter it is.
ALTER TABLE audit_log ADD COLUMN organization_id text;
DROP RULE audit_log_is_append_only ON audit_log;
UPDATE audit_log SET organization_id = 'org_' || substr(account_id, 5) WHERE account_id IS NOT NULL;
CREATE RULE audit_log_is_append_only AS ON UPDATE TO audit_log DO INSTEAD NOTHING;
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
`
