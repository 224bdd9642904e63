/** The median response time of the last day, kept beside the mean: computed for all monitors at once, a list waits a second. */
export const summaryMedians = `
ALTER TABLE monitor_summaries ADD COLUMN median_24h double precision;
`
