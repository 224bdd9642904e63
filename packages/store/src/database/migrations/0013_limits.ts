/**
 * Answers that are kept for an Idempotency-Key, encrypted: they may hold API keys and heartbeat tokens. And how much room the
 * signals of a heartbeat take.
 */
export const limits = `
-- Takes the place of "body", which holds answers from before this migration in clear until their day is over.
ALTER TABLE idempotency_keys ADD COLUMN body_encrypted text;

-- Grows with every signal, and is counted anew when it is over the limit: what retention has deleted since still counts.
ALTER TABLE heartbeats ADD COLUMN signal_bytes bigint NOT NULL DEFAULT 0;
`
