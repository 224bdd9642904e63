/**
 * Security and language of accounts: the language of their mail, second factors, passkeys, and hashed tokens. Sessions
 * continue: their cookies hold the tokens, and the digests are stored.
 */
export const accountSecurity = `
ALTER TABLE users ADD COLUMN locale text;
ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);

-- The counter is an unsigned number of 32 bits.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  counter double precision NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

UPDATE sessions SET token = 'sha256:' || encode(sha256(convert_to(token, 'UTF8')), 'hex');
`
