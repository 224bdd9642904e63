/** API keys of organizations, in the table of those of projects. A key belongs to exactly one of the two. */
export const organizationKeys = `
ALTER TABLE api_keys ALTER COLUMN project_id DROP NOT NULL;
ALTER TABLE api_keys ADD COLUMN organization_id text REFERENCES organizations (id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_owner CHECK ((project_id IS NULL) <> (organization_id IS NULL));
CREATE INDEX api_keys_of_organization ON api_keys (organization_id, id) WHERE organization_id IS NOT NULL;
`
