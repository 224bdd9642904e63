/** The draft of a form that has a page: what is typed, whether that is saved, and what was wrong with it. */
import { useRef, useState } from "react"
import type { Sorting } from "./problem.ts"
import { useSorted } from "./useSubmit.ts"

/** `sent` is what decides whether something has changed: what is typed, unless it is said. */
export const useDraft = <Fields extends object, Errors>(
  begin: () => Fields,
  sorting: Sorting<Errors>,
  sent: (fields: Fields) => unknown = (fields) => fields
) => {
  const [initial] = useState(begin)
  const [fields, setFields] = useState(initial)
  const { errors, isBusy, setErrors, submit } = useSorted(sorting)
  const isSaved = useRef(false)
  return {
    initial,
    fields,
    change: (part: Partial<Fields>) => setFields((known) => ({ ...known, ...part })),
    reset: () => {
      setFields(initial)
      setErrors(sorting.none)
    },
    /** Whether leaving loses something. */
    isChanged: () => !isSaved.current && JSON.stringify(sent(fields)) !== JSON.stringify(sent(initial)),
    errors,
    setErrors,
    isBusy,
    /** Sends the draft, and then leads on. A refusal is shown. */
    save: async <A>(send: () => Promise<A>, leadOn: (answer: A) => unknown): Promise<void> => {
      await submit(async () => {
        const answer = await send()
        isSaved.current = true
        await leadOn(answer)
      })
      // Where the form stays, it goes on from here.
      isSaved.current = false
    }
  }
}
