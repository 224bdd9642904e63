/** What accounts need to be secure and at home: the language of their mail. */
export const accountSecurity = `
ALTER TABLE users ADD COLUMN locale text;
`
