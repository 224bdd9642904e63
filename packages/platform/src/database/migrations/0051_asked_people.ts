/** People who are asked for: also for alerts without a policy, with the name of who was asked in the time line. */
export const askedPeople = `
ALTER TABLE escalations ALTER COLUMN policy_id DROP NOT NULL;
ALTER TABLE alert_timeline ADD COLUMN target text;
`
