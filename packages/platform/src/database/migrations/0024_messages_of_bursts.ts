/** Finds the deliveries of a message by the message, because a burst lists other outages than its opening does. */
export const messagesOfBursts = `
DROP INDEX deliveries_carried;
CREATE INDEX deliveries_carried ON deliveries ((COALESCE(grouped_with, shared_with)))
  WHERE shared_with IS NOT NULL OR grouped_with IS NOT NULL;
`
