/** Pages that people answer from their devices, and the answers that have counted. */
export const pageReplies = `
CREATE TABLE page_replies (
  delivery_id text PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
  contact_method_id text NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  type text NOT NULL,
  -- A keyed hash of where it leads.
  destination text,
  rings boolean NOT NULL,
  -- Whether the provider can tell how it ended.
  is_heard boolean NOT NULL,
  -- Whether it repeats a call that no one answered.
  is_repetition boolean NOT NULL DEFAULT false,
  notice jsonb NOT NULL,
  -- The next step of each alert when the page was sent, which an answer may ask for.
  seen jsonb NOT NULL,
  -- The provider's name of the call or message.
  reference text,
  taken_at timestamptz,
  state text,
  detail text,
  answered_at timestamptz,
  ended_at timestamptz,
  repeat_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX page_replies_destination ON page_replies (destination, created_at);
CREATE INDEX page_replies_user ON page_replies (user_id);
CREATE INDEX page_replies_repeat ON page_replies (repeat_at) WHERE repeat_at IS NOT NULL;
CREATE INDEX page_replies_ringing ON page_replies (taken_at)
  WHERE rings AND reference IS NOT NULL AND ended_at IS NULL AND answered_at IS NULL;
CREATE INDEX page_replies_repetition ON page_replies (delivery_id) WHERE is_repetition AND taken_at IS NULL AND ended_at IS NULL;

-- Texts and calls to one number keep one pace, and answers come from it.
CREATE INDEX contact_methods_destination ON contact_methods (destination) WHERE destination IS NOT NULL;

CREATE TABLE reply_receipts (
  id text PRIMARY KEY,
  destination text NOT NULL,
  -- acted, wrong, idle, silent.
  kind text NOT NULL,
  response text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX reply_receipts_destination ON reply_receipts (destination, at);
CREATE INDEX reply_receipts_at ON reply_receipts (at)
`
