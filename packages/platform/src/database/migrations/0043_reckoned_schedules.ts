/** Deadlines by cron are reckoned again: of a schedule that cannot be read any more, the owner is told. */
export const reckonedSchedules = `
UPDATE heartbeats h SET stale = true FROM monitors m WHERE m.id = h.monitor_id AND m.config->>'schedule' IS NOT NULL;
`
