/** Public status pages and what they show. */
export const statusPages = `
CREATE TABLE status_pages (
  id text PRIMARY KEY,
  project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  custom_domain text UNIQUE,
  custom_domain_status text NOT NULL DEFAULT 'none',
  custom_domain_error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX status_pages_project ON status_pages (project_id, id);

CREATE TABLE status_page_monitors (
  page_id text NOT NULL REFERENCES status_pages ON DELETE CASCADE,
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  position integer NOT NULL,
  display_group text,
  PRIMARY KEY (page_id, monitor_id)
);
CREATE INDEX status_page_monitors_order ON status_page_monitors (page_id, position);
CREATE INDEX status_page_monitors_monitor ON status_page_monitors (monitor_id);
`
