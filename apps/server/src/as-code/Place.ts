/** Places in files, so that whatever is wrong is said where it stands. */

export interface Place {
  readonly file: string
  /** From 1, as editors count. */
  readonly line: number
  readonly column: number
}

/** Something that is wrong in a file, at a path such as `monitors.shop.interval`. */
export interface Mistake {
  readonly place: Place
  readonly path: string
  readonly message: string
}

export const shown = ({ column, file, line }: Place): string => `${file}:${line}:${column}`

/** In the order of files and lines. */
export const inOrder = (mistakes: ReadonlyArray<Mistake>): ReadonlyArray<Mistake> =>
  mistakes.toSorted(
    (one, other) =>
      one.place.file.localeCompare(other.place.file) ||
      one.place.line - other.place.line ||
      one.place.column - other.place.column
  )

export const line = ({ message, path, place }: Mistake): string =>
  `${shown(place)}  ${path === "" ? "" : `${path}: `}${message}`
