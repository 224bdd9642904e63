/**
 * Answers that are kept for an Idempotency-Key, encrypted: they may hold API keys and heartbeat tokens. And how much room the
 * signals of a heartbeat take. And deliveries that stand for those of other rules.
 */
export const limits = `
-- Takes the place of "body", which holds answers from before this migration in clear until their day is over.
ALTER TABLE idempotency_keys ADD COLUMN body_encrypted text;

-- Grows with every signal, and is recounted when it exceeds the limit: rows that retention deleted still count until then.
ALTER TABLE heartbeats ADD COLUMN signal_bytes bigint NOT NULL DEFAULT 0;

-- The delivery whose message also covered this one; null when it was sent itself.
ALTER TABLE deliveries ADD COLUMN shared_with text;
CREATE INDEX deliveries_openings ON deliveries (channel_id, (notice->>'startedAt')) WHERE purpose = 'open';
CREATE INDEX deliveries_reminders ON deliveries (channel_id, (notice->>'startedAt'), finished_at)
  WHERE purpose = 'repeat' AND status = 'delivered' AND shared_with IS NULL;
`
