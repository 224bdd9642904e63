/** Contact methods of people, the codes that confirm them, and messages that go to them. */
export const contactMethods = `
CREATE TABLE contact_methods (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- Null: the e-mail address of the account, which is stored with the account alone.
  type text,
  config_encrypted text,
  -- A keyed hash of where it leads: messages there are counted over all accounts.
  destination text,
  confirmed_at timestamptz,
  -- Why nothing is sent there any more.
  disabled_reason text,
  last_delivery jsonb,
  failures integer NOT NULL DEFAULT 0,
  resting_until timestamptz,
  leased_until timestamptz,
  leased_by text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((type IS NULL) = (config_encrypted IS NULL) AND (type IS NULL) = (destination IS NULL))
);
CREATE INDEX contact_methods_user ON contact_methods (user_id, id);
CREATE UNIQUE INDEX contact_methods_account ON contact_methods (user_id) WHERE type IS NULL;
CREATE INDEX contact_methods_leased ON contact_methods (leased_by) WHERE leased_by IS NOT NULL;

CREATE TABLE contact_method_codes (
  contact_method_id text PRIMARY KEY REFERENCES contact_methods ON DELETE CASCADE,
  code text NOT NULL,
  attempts integer NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Which methods a person is notified by, in order, per severity; a severity that is not there has the default.
CREATE TABLE notification_rules (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  rules jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);

-- A message goes to a channel or to a contact method; whichever it is, the target is what deliveries are found by.
ALTER TABLE deliveries
  ALTER COLUMN channel_id DROP NOT NULL,
  ADD COLUMN contact_method_id text REFERENCES contact_methods ON DELETE CASCADE,
  ADD COLUMN target_id text GENERATED ALWAYS AS (COALESCE(channel_id, contact_method_id)) STORED,
  ADD CHECK ((channel_id IS NULL) <> (contact_method_id IS NULL));

DROP INDEX deliveries_pending;
CREATE INDEX deliveries_pending ON deliveries (target_id, id) WHERE status = 'pending';
DROP INDEX deliveries_openings;
CREATE INDEX deliveries_openings ON deliveries (target_id, topic) WHERE purpose = 'open';
DROP INDEX deliveries_reminders;
CREATE INDEX deliveries_reminders ON deliveries (target_id, topic, finished_at)
  WHERE purpose = 'repeat' AND status = 'delivered' AND shared_with IS NULL;
CREATE INDEX deliveries_contact_method ON deliveries (contact_method_id) WHERE contact_method_id IS NOT NULL;
`
