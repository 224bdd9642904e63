/** Escalation policies of organizations: the order in which people are paged. */
export const escalationPolicies = `
CREATE TABLE escalation_policies (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key text,
  name text NOT NULL,
  plan jsonb NOT NULL,
  -- The schedules, people, teams and channels that the plan names.
  named text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT escalation_policies_key UNIQUE (organization_id, key)
);
CREATE INDEX escalation_policies_named ON escalation_policies USING gin (named);
`
