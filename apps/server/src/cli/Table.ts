/** Output of commands about many records, in aligned columns. */

/** Names were chosen by users: without what would move the cursor or colour the terminal. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "?")

/** Lines with a heading; the last column is as long as its text. */
export const lines = (heading: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [heading, ...rows].map((row) => row.map(plain))
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Lines with a name and a value. */
export const fields = (rows: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join("\n")
}
