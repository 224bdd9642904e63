/** Reads what a person typed to say what should be watched. Pure. */

/** What a person may have typed to say what should be watched, as a type and its fields. */
export const guess = (
  text: string
): { readonly type: string; readonly fields: Readonly<Record<string, string>> } | undefined => {
  const typed = text.trim()
  if (/^https?:\/\/[^\s/]+/i.test(typed)) return { type: "http", fields: { url: typed, name: new URL(typed).host } }
  const port = /^([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(typed)
  if (port !== null) return { type: "tcp", fields: { host: port[1]!, port: port[2]!, name: typed } }
  if (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(typed))
    return { type: "http", fields: { url: `https://${typed}`, name: typed } }
  return undefined
}
