/** Retries of failed checks, and secret fields of monitors. */
export const checkMore = `
-- Seconds from a failed check to the next one; NULL: the interval.
ALTER TABLE monitors ADD COLUMN retry_interval integer;
-- The write-only fields of the configuration as JSON, encrypted; NULL without any.
ALTER TABLE monitors ADD COLUMN config_encrypted text;
`
