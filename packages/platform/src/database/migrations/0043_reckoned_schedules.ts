/** Cron deadlines are computed again. Owners of schedules that can no longer be parsed are notified. */
export const reckonedSchedules = `
UPDATE heartbeats h SET stale = true FROM monitors m WHERE m.id = h.monitor_id AND m.config->>'schedule' IS NOT NULL;
`
