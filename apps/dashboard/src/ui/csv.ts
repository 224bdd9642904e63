/** Tables as files for spreadsheets: RFC 4180. */

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A text that a spreadsheet would run as a formula is kept from it. */
const safe = (text: string): string => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** One line for each row; numbers as they are, nothing for null. Pure. */
export const csvOfRows = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string =>
  rows
    .map((row) => `${row.map((cell) => (typeof cell === "string" ? safe(cell) : String(cell ?? ""))).join(",")}\r\n`)
    .join("")
