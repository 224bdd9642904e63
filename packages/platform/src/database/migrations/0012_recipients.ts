/** Confirmed recipients, allowances, and what slows down guesses at passwords. */
export const recipients = `
-- not_needed, pending or confirmed. What was there before goes on as it was.
ALTER TABLE channels ADD COLUMN confirmation text NOT NULL DEFAULT 'not_needed';
ALTER TABLE channels ADD COLUMN confirmed_at timestamptz;
UPDATE channels SET confirmation = 'confirmed', confirmed_at = created_at WHERE type IN ('email', 'sms', 'phone');

-- The code that was sent last: a keyed hash of it, until when it holds, and how often it was guessed at.
CREATE TABLE confirmation_codes (
  channel_id text PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  code text NOT NULL,
  attempts integer NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Recipients that agreed to get an account's notifications, by a keyed hash of the address or number.
CREATE TABLE confirmed_recipients (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  recipient text NOT NULL,
  confirmed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, recipient)
);

-- How far each allowance is used up: see domain/Allowance.
CREATE TABLE allowances (
  key text PRIMARY KEY,
  used_up_to timestamptz NOT NULL
);

-- By keyed hashes of e-mail addresses, whether there is an account or not. The network is empty but for those known to the account.
CREATE TABLE sign_in_failures (
  account text NOT NULL,
  network text NOT NULL,
  count integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account, network)
);

-- No two accounts differ by case alone.
CREATE UNIQUE INDEX users_email_lower ON users (lower(email));
`
