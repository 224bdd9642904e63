/** Why each page was sent to its person, with the names as they were then. Null for channels, and in earlier rows. */
export const pageReasons = `
ALTER TABLE escalation_pages ADD COLUMN reason jsonb;
`
