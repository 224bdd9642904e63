/** The organizations that one account founded share the plan of those without a subscription. */
export const sharedFreePlans = `
-- No reference: an account that is gone counts for nobody.
ALTER TABLE organizations ADD COLUMN founded_by text, ADD COLUMN founder_left_at timestamptz;
UPDATE organizations o SET founded_by = (SELECT m.user_id FROM organization_members m
  WHERE m.organization_id = o.id AND (m.source = 'founder' OR m.role = 'owner')
  ORDER BY (m.source = 'founder') DESC, m.created_at, m.user_id LIMIT 1);
CREATE INDEX organizations_founded_by ON organizations (founded_by)
`
