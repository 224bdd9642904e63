/** Tables that separate processes use to know of each other. */
export const roles = `
-- Why the bus does not take this message; such messages wait without blocking those behind them.
ALTER TABLE outbox ADD COLUMN refusal text;
CREATE INDEX outbox_ready ON outbox (sequence) WHERE refusal IS NULL;
CREATE INDEX outbox_refused ON outbox (refusal, sequence) WHERE refusal IS NOT NULL;

CREATE TABLE probe_regions (
  label text PRIMARY KEY,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);

-- Before the first signal nothing is missed any more: the deadlines of monitors that had none are reckoned again.
UPDATE heartbeats h SET overdue_at = NULL, stale = true, state = jsonb_set(state, '{lastSignal}', 'null')
WHERE state->>'lastSuccess' IS NULL AND state->'started' = '{}'
  AND NOT EXISTS (SELECT FROM heartbeat_signals s WHERE s.monitor_id = h.monitor_id AND s.kind <> 'log');
`
