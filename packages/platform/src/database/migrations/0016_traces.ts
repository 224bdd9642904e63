/** Deliveries continue the trace that queued them. */
export const traces = `
-- W3C trace context (traceparent) of the transaction that queued the delivery.
ALTER TABLE deliveries ADD COLUMN trace text;
`
