/** Positions in files, for error messages. */

export interface Place {
  readonly file: string
  /** 1-based, as in editors. */
  readonly line: number
  readonly column: number
}

/** An error in a file, at a path such as `monitors.shop.interval`. */
export interface Mistake {
  readonly place: Place
  readonly path: string
  readonly message: string
}

export const shown = ({ column, file, line }: Place): string => `${file}:${line}:${column}`

/** Sorted by file and position. */
export const inOrder = (mistakes: ReadonlyArray<Mistake>): ReadonlyArray<Mistake> =>
  mistakes.toSorted(
    (one, other) =>
      one.place.file.localeCompare(other.place.file) ||
      one.place.line - other.place.line ||
      one.place.column - other.place.column
  )

export const line = ({ message, path, place }: Mistake): string =>
  `${shown(place)}  ${path === "" ? "" : `${path}: `}${message}`
