/** Provisioning by SCIM: tokens end, and what identity providers call people and groups is unique in an organization. */
export const provisioning = `
-- No release could create any.
DELETE FROM scim_tokens;
ALTER TABLE scim_tokens ADD COLUMN expires_at timestamptz;
ALTER TABLE scim_tokens DROP COLUMN created_by;
ALTER TABLE scim_tokens ADD COLUMN created_by_kind text NOT NULL;
ALTER TABLE scim_tokens ADD COLUMN created_by_id text;
ALTER TABLE scim_tokens ADD COLUMN created_by_name text NOT NULL;

CREATE UNIQUE INDEX scim_users_external_id ON scim_users (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX scim_groups_external_id ON scim_groups (organization_id, external_id) WHERE external_id IS NOT NULL;
`
