/** Identities of rows, by which React keeps what is typed when others are removed. Pure. */

/** A key that none of the rows has. */
export const nextKey = (rows: ReadonlyArray<{ readonly key: number }>): number =>
  Math.max(-1, ...rows.map(({ key }) => key)) + 1
