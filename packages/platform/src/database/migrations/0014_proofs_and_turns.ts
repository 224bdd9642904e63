/**
 * Whether the owner of a custom domain has shown that the page's project may use it, who had certificates ordered, and who
 * is asking the payment provider about an account.
 */
export const proofsAndTurns = `
ALTER TABLE status_pages ADD COLUMN custom_domain_proven boolean NOT NULL DEFAULT false;
-- What is served already goes on being served.
UPDATE status_pages SET custom_domain_proven = true WHERE custom_domain_status = 'active';

-- Orders of the last hours: they are limited for each account and each registered domain, and outlive both.
CREATE TABLE certificate_orders (
  domain text NOT NULL,
  registrable text NOT NULL,
  user_id text NOT NULL,
  ordered_at timestamptz NOT NULL
);
CREATE INDEX certificate_orders_time ON certificate_orders (ordered_at);

-- One process at a time asks about an account and writes the answer down.
CREATE TABLE payment_turns (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  held_until timestamptz NOT NULL
);
`
