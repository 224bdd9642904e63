/** When the person behind a session last gave the password again. */
export const sessionProofs = `
ALTER TABLE sessions ADD COLUMN proven_at timestamptz;
`
