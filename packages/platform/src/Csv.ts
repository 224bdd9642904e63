/** Tables as CSV (RFC 4180), for spreadsheets. */

/** Spreadsheets run a cell that begins like a formula, so it gets an apostrophe; users choose names. */
const cell = (value: string | null): string => {
  const text = value ?? ""
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record with its line break; null is an empty cell. */
export const record = (cells: ReadonlyArray<string | null>): string => `${cells.map(cell).join(",")}\r\n`

/** Whether a request asks for a table instead of JSON. */
export const isAsked = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /\btext\/csv\b/i.test(headers["accept"] ?? "")

export const contentType = "text/csv; charset=utf-8"
