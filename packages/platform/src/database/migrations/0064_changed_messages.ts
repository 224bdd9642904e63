/** Messages that can be changed afterwards, besides calls that can be ended. */
export const changedMessages = `
ALTER TABLE page_replies ADD COLUMN calls_off boolean NOT NULL DEFAULT false;
UPDATE page_replies SET calls_off = rings;
DROP INDEX page_replies_ringing;
CREATE INDEX page_replies_open ON page_replies (taken_at)
  WHERE calls_off AND reference IS NOT NULL AND ended_at IS NULL AND answered_at IS NULL
`
