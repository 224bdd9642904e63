/** Maintenance windows get keys, by which configuration files manage them. */
export const maintenanceKeys = `
ALTER TABLE incidents ADD COLUMN key text;
CREATE UNIQUE INDEX incidents_key ON incidents (project_id, key) WHERE key IS NOT NULL;
`
