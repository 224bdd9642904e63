/** Keys: the names by which files find what they once made. */
export const keys = `
ALTER TABLE monitors ADD COLUMN key text;
CREATE UNIQUE INDEX monitors_key ON monitors (project_id, key) WHERE key IS NOT NULL;

ALTER TABLE channels ADD COLUMN key text;
CREATE UNIQUE INDEX channels_key ON channels (project_id, key) WHERE key IS NOT NULL;

ALTER TABLE alert_rules ADD COLUMN key text;
CREATE UNIQUE INDEX alert_rules_key ON alert_rules (project_id, key) WHERE key IS NOT NULL;

ALTER TABLE status_pages ADD COLUMN key text;
CREATE UNIQUE INDEX status_pages_key ON status_pages (project_id, key) WHERE key IS NOT NULL;
`
