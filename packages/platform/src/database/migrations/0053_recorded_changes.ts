/**
 * When changes of statuses, and beginnings and ends of alerts, were recorded: they are dated by what checks prove, which is
 * earlier. What was known at an instant follows from it. Absent where they are recorded as they happen, and from earlier rows.
 */
export const recordedChanges = `
ALTER TABLE status_changes ADD COLUMN recorded_at timestamptz;
ALTER TABLE alerts ADD COLUMN recorded_at timestamptz;
ALTER TABLE alerts ADD COLUMN closed_at timestamptz;
`
