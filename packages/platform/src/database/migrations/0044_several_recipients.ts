/** Channels with several recipients: each confirms by itself, and a delivery knows which of them are settled. */
export const severalRecipients = `
-- By keyed hashes, whether each recipient has confirmed, and when. One that is not listed is as the channel is.
ALTER TABLE channels ADD COLUMN recipients jsonb NOT NULL DEFAULT '{}';

-- A code for each recipient, by the same hashes. Codes from before are for the only recipient of their channel.
ALTER TABLE confirmation_codes ADD COLUMN recipient text NOT NULL DEFAULT '';
ALTER TABLE confirmation_codes ALTER COLUMN recipient DROP DEFAULT;
ALTER TABLE confirmation_codes DROP CONSTRAINT confirmation_codes_pkey;
ALTER TABLE confirmation_codes ADD PRIMARY KEY (channel_id, recipient);

-- How far a delivery has come with each recipient that was tried.
ALTER TABLE deliveries ADD COLUMN progress jsonb NOT NULL DEFAULT '[]';
`
