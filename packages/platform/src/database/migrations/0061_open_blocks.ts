/** Blocks of hours, which are written again when their day is closed. */
export const openBlocks = `
-- Written while results of its day were still expected.
ALTER TABLE result_blocks ADD COLUMN open boolean NOT NULL DEFAULT false;
CREATE INDEX result_blocks_open ON result_blocks (monitor_id, first_at) WHERE open;
-- As many rows go as come: room is given back before a fifth of a long past is deleted.
ALTER TABLE result_blocks SET (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
`
