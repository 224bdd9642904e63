/** Failed attempts to sign in that are counted until the audit log gets one entry for them. */
export const failedSignIns = `
CREATE TABLE failed_sign_ins (
  account_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  network text NOT NULL,
  factor text NOT NULL,
  attempts integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, network, factor)
);
CREATE INDEX failed_sign_ins_first_at ON failed_sign_ins (first_at);
`
