/** What is said once of an installation. */
export const installation = `
CREATE TABLE installation (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Something encrypted under the installation's secret: whoever cannot read it has another secret.
  secret_check text NOT NULL
);
`
