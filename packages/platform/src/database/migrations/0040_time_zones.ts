/** Messages carry times in their reader's zone: that of the project, or of the account that is written to. */
export const timeZones = `
ALTER TABLE projects ADD COLUMN timezone text NOT NULL DEFAULT 'UTC';
-- Null: none was chosen.
ALTER TABLE users ADD COLUMN timezone text;
`
