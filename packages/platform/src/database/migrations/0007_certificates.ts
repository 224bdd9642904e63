/** Pages' own domains: the work on each, its certificate, the challenges that prove it, and the account that orders it. */
export const certificates = `
-- A domain that a page has or had. It outlives the page until its certificate ends: whoever sets it again gets that one.
CREATE TABLE custom_domains (
  name text PRIMARY KEY,
  -- PEM, the domain's own certificate first.
  chain text,
  key_encrypted text,
  not_before timestamptz,
  not_after timestamptz,
  issued_at timestamptz,
  looked_at timestamptz,
  next_look_at timestamptz NOT NULL,
  -- Looks in a row that found the DNS record wanting.
  misses integer NOT NULL DEFAULT 0,
  -- Orders in a row that failed, and when validations did.
  attempts integer NOT NULL DEFAULT 0,
  refused_at timestamptz[] NOT NULL DEFAULT '{}',
  -- The certificate authority is not to be asked for this name before.
  ask_after timestamptz,
  last_error text,
  -- One engine at a time works on a domain.
  leased_until timestamptz,
  leased_by text
);
CREATE INDEX custom_domains_due ON custom_domains (next_look_at);

-- Tokens that the certificate authority asks for on port 80, of whichever server it reaches.
CREATE TABLE acme_challenges (
  token text PRIMARY KEY,
  domain text NOT NULL,
  key_authorization text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- One account with each certificate authority, shared by all servers.
CREATE TABLE acme_accounts (
  directory text PRIMARY KEY,
  key_encrypted text NOT NULL,
  -- Null until it is registered.
  url text,
  -- The authority is left alone until then: it does not answer, or wants it so.
  resting_until timestamptz,
  created_at timestamptz NOT NULL
);
`
