/** Answers that are kept for an Idempotency-Key, encrypted: they may hold API keys and heartbeat tokens. */
export const limits = `
-- Takes the place of "body", which holds answers from before this migration in clear until their day is over.
ALTER TABLE idempotency_keys ADD COLUMN body_encrypted text;
`
