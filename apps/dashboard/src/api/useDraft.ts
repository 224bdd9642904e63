/** The draft of a form that has a page: what is typed, whether that is saved, and what was wrong with it. */
import { type FetchQueryOptions, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { Sorting } from "./problem.ts"
import { useSorted } from "./useSubmit.ts"

/** A record that a form changes. */
interface Changed<Kept> {
  readonly record: Kept | undefined
  /** Asks for it, alone or in its list. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the query of any record
  readonly query: FetchQueryOptions<any, Error, any, any>
}

/** Other people changed what the form changes, after it was opened. */
interface Conflict {
  /** Drops what was typed for what is there now. */
  readonly loadTheirs: () => void
  /** Goes on with what was typed; saving it replaces what is there now. */
  readonly keepMine: () => void
}

/** `sent` is what decides whether something has changed: what is typed, unless it is said. */
export const useDraft = <Fields extends object, Errors, Kept extends { readonly id: string } = never>(
  begin: (record: Kept | undefined) => Fields,
  sorting: Sorting<Errors>,
  sent: (fields: Fields) => unknown = (fields) => fields,
  { query, record }: Partial<Changed<Kept>> = {}
) => {
  const client = useQueryClient()
  const [initial, setInitial] = useState(() => begin(record))
  const [fields, setFields] = useState(initial)
  const [theirs, setTheirs] = useState<Fields | undefined>(undefined)
  const { errors, isBusy, setErrors, submit } = useSorted(sorting)
  const isSaved = useRef(false)
  const differs = (one: Fields, other: Fields) => JSON.stringify(sent(one)) !== JSON.stringify(sent(other))
  /** What other people made of it since the form was opened. */
  const changed = async (): Promise<Fields | undefined> => {
    if (record === undefined || query === undefined) return undefined
    const answer: unknown = await client.fetchQuery({ ...query, staleTime: 0 })
    const now = ([answer].flat() as ReadonlyArray<Kept>).find(({ id }) => id === record.id)
    return now !== undefined && differs(begin(now), initial) ? begin(now) : undefined
  }
  const goOn = (known: Fields) => {
    setInitial(known)
    setTheirs(undefined)
  }
  const conflict: Conflict | undefined = theirs && {
    loadTheirs: () => {
      goOn(theirs)
      setFields(theirs)
    },
    keepMine: () => goOn(theirs)
  }
  return {
    initial,
    fields,
    change: (part: Partial<Fields>) => setFields((known) => ({ ...known, ...part })),
    reset: () => {
      setFields(initial)
      setErrors(sorting.none)
    },
    /** Whether leaving loses something. */
    isChanged: () => !isSaved.current && differs(fields, initial),
    errors,
    setErrors,
    isBusy,
    conflict,
    /** Sends the draft, unless other people changed the record, and then leads on. A refusal is shown. */
    save: async <A>(send: () => Promise<A>, leadOn: (answer: A) => unknown): Promise<void> => {
      await submit(async () => {
        const now = await changed()
        setTheirs(now)
        if (now !== undefined) return
        const answer = await send()
        isSaved.current = true
        await leadOn(answer)
      })
      // Where the form stays, it goes on from here.
      isSaved.current = false
    }
  }
}
