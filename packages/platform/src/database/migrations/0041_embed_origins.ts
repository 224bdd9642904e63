/** Status pages in frames: the sites that may show their compact form. */
export const embedOrigins = `
ALTER TABLE status_pages ADD COLUMN embed_origins text[] NOT NULL DEFAULT '{}';
`
