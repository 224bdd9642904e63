/** Tags, groups, notes and dependencies of monitors, what follows tags, and the figures that lists are sorted by. */
const combining = String.raw`[\u0300-\u036F]`
const upper = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"

/**
 * Text as the application folds it for search (domain/SearchText), near enough until the monitor is next changed. The embedded
 * database has no locale, so that lower() only knows ASCII.
 */
const folded = (text: string): string =>
  `translate(lower(regexp_replace(CASE WHEN getdatabaseencoding() = 'UTF8' THEN normalize(${text}, NFKD) ELSE ${text} END,
    '${combining}', '', 'g')), '${upper}', '${upper.toLowerCase()}')`

export const organize = `
ALTER TABLE monitors
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN group_path text,
  ADD COLUMN description text,
  ADD COLUMN links jsonb NOT NULL DEFAULT '[]',
  -- When a user last changed what probes check; until it is set that is "updated_at".
  ADD COLUMN spec_changed_at timestamptz,
  -- The name, and the name with target and tags, as searches and sorting compare them.
  ADD COLUMN name_folded text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN search text NOT NULL DEFAULT '';
UPDATE monitors SET spec_changed_at = updated_at, name_folded = ${folded("name")},
  search = ${folded("concat_ws(chr(10), name, config->>'url', config->>'host', config->>'domain')")};
CREATE INDEX monitors_project_name ON monitors (project_id, name_folded, id);

CREATE TABLE monitor_dependencies (
  monitor_id text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  depends_on text NOT NULL REFERENCES monitors ON DELETE CASCADE,
  position integer NOT NULL,
  PRIMARY KEY (monitor_id, depends_on)
);
CREATE INDEX monitor_dependencies_parent ON monitor_dependencies (depends_on);

-- The last 24 hours of each monitor, measured by a job every few minutes, so that lists can be sorted by them.
CREATE TABLE monitor_summaries (
  monitor_id text PRIMARY KEY REFERENCES monitors ON DELETE CASCADE,
  uptime_24h double precision,
  response_time_24h double precision,
  measured_at timestamptz NOT NULL
) WITH (fillfactor = 70);

ALTER TABLE alert_rules ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE incidents ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE status_pages ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
CREATE INDEX incidents_following ON incidents (project_id) WHERE maintenance AND resolved_at IS NULL AND tags <> '{}';
`
