/** Quiet hours of channels and people, and until when they hold messages and pages. */
export const quietHours = `
ALTER TABLE channels ADD COLUMN quiet_hours jsonb;
CREATE TABLE personal_quiet_hours (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  quiet_hours jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);
ALTER TABLE deliveries ADD COLUMN held_until timestamptz;
-- A page with the outcome 'held' has one already: it counts as reached.
ALTER TABLE escalation_pages ADD COLUMN held_until timestamptz;
`
