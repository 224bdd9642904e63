/** Finds the monitors of a project that check the same target, which every created monitor asks for. */
export const monitorTargets = `
-- Hashed: a URL can be longer than an index entry.
CREATE INDEX monitors_project_target ON monitors
  (project_id, type, md5(coalesce(config->>'url', config->>'host', config->>'domain', '')));
`
