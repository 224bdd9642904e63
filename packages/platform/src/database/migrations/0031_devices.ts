/** Signing in from programs: device authorization, and sessions that a program holds. */
export const devices = `
-- What a program asked for and a person has not answered, or the program not fetched. Codes are kept as keyed hashes.
CREATE TABLE device_codes (
  id text PRIMARY KEY,
  device_code_hash text NOT NULL UNIQUE,
  user_code_hash text NOT NULL UNIQUE,
  client_id text NOT NULL,
  name text,
  ip_address text,
  user_agent text,
  status text NOT NULL,
  -- Who approved it.
  user_id text REFERENCES users ON DELETE CASCADE,
  polling_interval integer NOT NULL,
  last_polled_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_codes_expiry ON device_codes (expires_at);
CREATE INDEX device_codes_user ON device_codes (user_id);
-- What a session is called that is not a browser's.
ALTER TABLE sessions ADD COLUMN name text;
`
