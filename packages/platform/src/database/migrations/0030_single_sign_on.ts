/** Single sign-on through identity providers of organizations, and provisioning by SCIM. */
export const singleSignOn = `
-- One identity provider for each organization. The settings have no secrets.
CREATE TABLE sign_on_settings (
  organization_id text PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  settings jsonb NOT NULL,
  secret_encrypted text,
  version text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Several organizations may claim a domain; one at most has proven it.
CREATE TABLE sign_on_domains (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  domain text NOT NULL,
  proof text NOT NULL,
  verified_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, domain)
);
CREATE UNIQUE INDEX sign_on_domains_verified ON sign_on_domains (domain) WHERE verified_at IS NOT NULL;

-- Sign-ins on their way: found by digests, and deleted when they are taken.
CREATE TABLE sign_on_pending (
  state_hash text PRIMARY KEY,
  browser_hash text,
  connection text NOT NULL,
  payload_encrypted text NOT NULL,
  callback_path text NOT NULL,
  test_id text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_on_pending_expiry ON sign_on_pending (expires_at);

-- Assertions that were used.
CREATE TABLE sign_on_assertions (
  assertion_hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_on_assertions_expiry ON sign_on_assertions (expires_at);

-- Test sign-ins. What they showed is kept for an hour, encrypted.
CREATE TABLE sign_on_tests (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  ticket_hash text NOT NULL UNIQUE,
  ticket_used boolean NOT NULL DEFAULT false,
  outcome_encrypted text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_on_tests_expiry ON sign_on_tests (expires_at);

-- Whom an identity provider signs in: provider_id is sso:<connection>, account_id the subject.
CREATE UNIQUE INDEX accounts_of_sign_on ON accounts (provider_id, account_id) WHERE provider_id LIKE 'sso:%';

CREATE TABLE scim_tokens (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  created_by text NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX scim_tokens_organization ON scim_tokens (organization_id);

-- The people whom an organization's identity provider provisions. An inactive one is no member.
CREATE TABLE scim_users (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  user_name text NOT NULL,
  external_id text,
  active boolean NOT NULL,
  attributes jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE UNIQUE INDEX scim_users_user_name ON scim_users (organization_id, lower(user_name));
CREATE INDEX scim_users_user ON scim_users (user_id);

CREATE TABLE scim_groups (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  display_name text NOT NULL,
  external_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX scim_groups_display_name ON scim_groups (organization_id, lower(display_name));

CREATE TABLE scim_group_members (
  group_id text NOT NULL REFERENCES scim_groups ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX scim_group_members_user ON scim_group_members (user_id);
`
