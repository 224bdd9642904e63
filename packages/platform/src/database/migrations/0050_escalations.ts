/** Escalations of alerts: their state, the pages that they send, and the time line of alerts. */
export const escalations = `
ALTER TABLE alert_rules ADD COLUMN escalation_policy_id text REFERENCES escalation_policies;
CREATE INDEX alert_rules_escalation_policy ON alert_rules (escalation_policy_id);

CREATE TABLE escalations (
  alert_id text PRIMARY KEY REFERENCES alerts ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  policy_id text NOT NULL,
  -- The policy as it was when the alert opened.
  plan jsonb NOT NULL,
  state jsonb NOT NULL,
  is_held boolean NOT NULL,
  status text NOT NULL,
  -- The number of the step that runs next, over all rounds.
  next_step integer NOT NULL,
  -- When something happens next; null while nothing does.
  due_at timestamptz
);
CREATE INDEX escalations_due ON escalations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX escalations_running ON escalations (alert_id) WHERE status <> 'ended';
CREATE INDEX escalations_organization ON escalations (organization_id);

-- One row for each page: of a round and step, or of the end of the policy, to a method of a person or to a channel.
CREATE TABLE escalation_pages (
  id text PRIMARY KEY,
  alert_id text NOT NULL REFERENCES escalations ON DELETE CASCADE,
  cause text NOT NULL,
  round integer NOT NULL,
  step integer,
  user_id text,
  method_id text,
  channel_id text,
  -- Pages of one outage to one target that have the same ordinal are one message, whichever rules cause them.
  topic text NOT NULL,
  ordinal integer NOT NULL,
  shared_with text,
  created_at timestamptz NOT NULL,
  outcome text NOT NULL,
  detail text,
  finished_at timestamptz,
  -- Whether the escalation has taken the outcome into account.
  is_settled boolean NOT NULL
);
CREATE UNIQUE INDEX escalation_pages_one ON escalation_pages (alert_id, cause, round, coalesce(step, -1),
  coalesce(user_id, ''), coalesce(method_id, ''), coalesce(channel_id, ''));
CREATE UNIQUE INDEX escalation_pages_carriers ON escalation_pages (topic, coalesce(method_id, channel_id), ordinal)
  WHERE shared_with IS NULL;
CREATE INDEX escalation_pages_carrier ON escalation_pages (shared_with) WHERE shared_with IS NOT NULL;
CREATE INDEX escalation_pages_unsettled ON escalation_pages (alert_id) WHERE outcome <> 'pending' AND NOT is_settled;

CREATE TABLE alert_timeline (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id text NOT NULL REFERENCES alerts ON DELETE CASCADE,
  at timestamptz NOT NULL,
  type text NOT NULL,
  round integer,
  step integer,
  actor text,
  actor_kind text,
  note text,
  until timestamptz
);
CREATE INDEX alert_timeline_alert ON alert_timeline (alert_id, sequence);
`
