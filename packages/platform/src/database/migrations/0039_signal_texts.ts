/** Readable output of jobs: signals have ids, and keep their bodies besides the parsed fields. */
export const signalTexts = `
ALTER TABLE heartbeat_signals
  ADD COLUMN id text NOT NULL DEFAULT 'sig_' || replace(gen_random_uuid()::text, '-', ''),
  -- The body as it was sent, if it is not the message.
  ADD COLUMN body text,
  -- Bytes of the body as it was sent.
  ADD COLUMN size bigint NOT NULL DEFAULT 0,
  ADD COLUMN truncated boolean NOT NULL DEFAULT false,
  -- Stays when message and body have expired.
  ADD COLUMN first_line text,
  ADD COLUMN address text;
UPDATE heartbeat_signals SET size = octet_length(message),
  first_line = left(split_part(ltrim(message, E' \\t\\r\\n'), E'\\n', 1), 200) WHERE message IS NOT NULL;
CREATE UNIQUE INDEX heartbeat_signals_id ON heartbeat_signals (id);
DROP INDEX heartbeat_signals_monitor;
CREATE INDEX heartbeat_signals_monitor ON heartbeat_signals (monitor_id, at, id);
`
