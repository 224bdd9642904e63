/** Tests of people's chains of pages. Their messages belong to no project: a person pages themselves. */
export const pageTests = `
ALTER TABLE deliveries ALTER COLUMN project_id DROP NOT NULL,
  ADD CHECK (project_id IS NOT NULL OR contact_method_id IS NOT NULL);

CREATE TABLE page_tests (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  severity text NOT NULL,
  state text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Until when it can be acknowledged.
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When the next page is due, or the end; null after it.
  look_at timestamptz
);
CREATE INDEX page_tests_user ON page_tests (user_id, started_at);
-- One at a time for each person.
CREATE UNIQUE INDEX page_tests_running ON page_tests (user_id) WHERE ended_at IS NULL;

CREATE TABLE page_test_pages (
  id text PRIMARY KEY,
  test_id text NOT NULL REFERENCES page_tests ON DELETE CASCADE,
  contact_method_id text NOT NULL,
  position integer NOT NULL,
  due_at timestamptz NOT NULL,
  status text NOT NULL,
  detail text,
  held_until timestamptz,
  finished_at timestamptz,
  answered_at timestamptz,
  UNIQUE (test_id, position)
);
`
