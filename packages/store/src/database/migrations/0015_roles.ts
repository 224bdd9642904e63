/** What processes that run apart from each other have to know of each other. */
export const roles = `
-- Why the bus does not take this message; such messages wait without blocking those behind them.
ALTER TABLE outbox ADD COLUMN refusal text;
CREATE INDEX outbox_ready ON outbox (sequence) WHERE refusal IS NULL;
CREATE INDEX outbox_refused ON outbox (refusal, sequence) WHERE refusal IS NOT NULL;
`
