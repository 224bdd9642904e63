/** Sessions that an organization's identity provider began, and logins that were approved with one, reach that organization alone. */
export const confinedSessions = `
ALTER TABLE sessions ADD COLUMN organization_id text REFERENCES organizations ON DELETE CASCADE;
CREATE INDEX sessions_organization ON sessions (organization_id) WHERE organization_id IS NOT NULL;
ALTER TABLE device_codes ADD COLUMN organization_id text REFERENCES organizations ON DELETE CASCADE;
`
