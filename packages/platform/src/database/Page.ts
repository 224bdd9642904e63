/** One page of a list, newest first, and where the next one begins. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Opaque; absent on the last page. */
  readonly next: string | undefined
}

export interface PageOptions {
  /** 1 to 1000. */
  readonly limit: number
  /** A cursor from an earlier page; an unknown one begins at the beginning. */
  readonly cursor: string | undefined
}

/** Options for a list of records that may have keys. */
export interface KeyedPageOptions extends PageOptions {
  readonly key?: string | undefined
}
