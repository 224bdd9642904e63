/** Plans, who pays for which, and what plans changed about monitors. */
export const billing = `
CREATE TABLE plans (
  id text PRIMARY KEY,
  name text NOT NULL,
  monitors integer NOT NULL,
  check_interval integer NOT NULL,
  regions integer,
  custom_domain boolean NOT NULL DEFAULT false,
  unlimited_team_members boolean NOT NULL DEFAULT false,
  sso boolean NOT NULL DEFAULT false,
  price_minor integer NOT NULL,
  currency text NOT NULL,
  -- The plan as the payment provider sells it: the product stays, a new price takes the place of an old one.
  product_id text UNIQUE,
  offer jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Subscriptions that have ended, and checkouts that have begun, still name it.
  deleted_at timestamptz
);
INSERT INTO plans (id, name, monitors, check_interval, custom_domain, unlimited_team_members, sso, price_minor, currency,
  created_at, updated_at)
VALUES
  ('plan_free', 'Free', 50, 60, true, false, false, 0, 'EUR', now(), now()),
  ('plan_pro', 'Pro', 100, 30, false, false, false, 990, 'EUR', now(), now()),
  ('plan_team', 'Team', 500, 30, false, true, false, 3900, 'EUR', now(), now()),
  ('plan_enterprise', 'Enterprise', -1, 10, false, false, true, 9900, 'EUR', now(), now());

-- An account as the payment provider knows it.
CREATE TABLE payment_customers (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  customer_id text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);

-- The one checkout of an account that may be open.
CREATE TABLE checkouts (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  session_id text NOT NULL,
  price_id text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE subscriptions (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  subscription_id text NOT NULL UNIQUE,
  item_id text NOT NULL,
  plan_id text NOT NULL REFERENCES plans,
  status text NOT NULL,
  current_period_start timestamptz NOT NULL,
  current_period_end timestamptz NOT NULL,
  cancel_at timestamptz,
  past_due_since timestamptz,
  -- When it began, as the payment provider has it.
  began_at timestamptz NOT NULL,
  -- Grows with everything that is heard of it.
  version integer NOT NULL DEFAULT 1,
  -- When the account's monitors are to be brought in line with the plan in force; null when they are, for good.
  fit_at timestamptz,
  updated_at timestamptz NOT NULL
);
CREATE INDEX subscriptions_fit ON subscriptions (fit_at) WHERE fit_at IS NOT NULL;
CREATE INDEX subscriptions_plan ON subscriptions (plan_id);

-- What the payment provider has told and was acted on: it tells everything at least once.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX payment_events_age ON payment_events (received_at);

ALTER TABLE monitors ADD COLUMN paused_by_plan boolean NOT NULL DEFAULT false;
-- The interval that its owner chose, where the plan raised it.
ALTER TABLE monitors ADD COLUMN wanted_interval integer;
`
