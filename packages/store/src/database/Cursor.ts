/** Cursors of lists that are sorted by id: opaque for clients, the last id of a page inside. */

export const encode = (id: string): string => Buffer.from(id).toString("base64url")

/** The id a cursor stands for; none for text that is no cursor. */
export const decode = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, "base64url").toString("utf8")
  return /^[a-z]+_[0-9A-Za-z]+$/.test(id) ? id : undefined
}

/** Cuts a page out of one row more than was asked for. */
export const page = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  limit: number
): { readonly items: ReadonlyArray<A>; readonly next: string | undefined } => {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? encode(items.at(-1)!.id) : undefined }
}
