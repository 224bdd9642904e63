/** The retry interval that a user chose is kept while a plan has raised it. */
export const wantedRetryInterval = `
ALTER TABLE monitors ADD COLUMN wanted_retry_interval integer;
`
