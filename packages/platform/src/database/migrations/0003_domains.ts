/** Registrations of the domains behind monitors, shared between them. */
export const domains = `
CREATE TABLE domains (
  name text PRIMARY KEY,
  expires_at timestamptz,
  registrar text,
  -- When the registry last answered.
  checked_at timestamptz,
  -- Why nothing is known, in words.
  problem text,
  next_check_at timestamptz NOT NULL
);
CREATE INDEX domains_due ON domains (next_check_at);

ALTER TABLE monitors ADD COLUMN domain text;
-- The revision of the monitor that the domain was read from.
ALTER TABLE monitors ADD COLUMN domain_revision integer;
CREATE INDEX monitors_domain ON monitors (domain) WHERE domain IS NOT NULL;
CREATE INDEX monitors_domain_unread ON monitors (id) WHERE domain_revision IS DISTINCT FROM revision;
`
