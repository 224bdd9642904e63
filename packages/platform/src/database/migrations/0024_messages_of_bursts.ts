/** Finds the deliveries of a message: what a burst lists by the message, and not by the opening that told of the same outage. */
export const messagesOfBursts = `
DROP INDEX deliveries_carried;
CREATE INDEX deliveries_carried ON deliveries ((COALESCE(grouped_with, shared_with)))
  WHERE shared_with IS NOT NULL OR grouped_with IS NOT NULL;
`
