/** Deliveries have in their own rows what is decided by, so that any feature can send: until now they were looked up in alerts. */
export const messagesOfAnySender = `
ALTER TABLE deliveries
  -- What the message is about: the kind names the sender.
  ADD COLUMN subject_kind text,
  ADD COLUMN subject_id text,
  -- Messages with the same topic, purpose and channel are one message.
  ADD COLUMN topic text,
  -- Minutes for which a repetition waits after the last message of its topic.
  ADD COLUMN resend_every integer NOT NULL DEFAULT 0;

UPDATE deliveries d SET subject_kind = 'alert', subject_id = h.alert_id,
  topic = h.monitor_id || ' ' || h.type || ' ' || COALESCE(d.notice->>'startedAt', ''),
  resend_every = CASE WHEN (d.notice->>'reminder')::boolean
    THEN COALESCE((SELECT r.resend_every FROM alert_rules r WHERE r.id = h.rule_id), 0) ELSE 0 END
FROM alert_history h WHERE h.id = d.entry_id;

ALTER TABLE deliveries ALTER COLUMN subject_kind SET NOT NULL, ALTER COLUMN subject_id SET NOT NULL,
  ALTER COLUMN topic SET NOT NULL, ALTER COLUMN resend_every DROP DEFAULT;

-- Entries are records of the sender, which also deletes its messages.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_entry_id_fkey;

DROP INDEX deliveries_openings;
CREATE INDEX deliveries_openings ON deliveries (channel_id, topic) WHERE purpose = 'open';
DROP INDEX deliveries_reminders;
CREATE INDEX deliveries_reminders ON deliveries (channel_id, topic, finished_at)
  WHERE purpose = 'repeat' AND status = 'delivered' AND shared_with IS NULL;
CREATE INDEX deliveries_subject ON deliveries (subject_id);
`
