/** The draft of a form that has a page: what is typed, whether that is saved, and what was wrong with it. */
import { useRef, useState } from "react"
import { type FormErrors, formErrors, noErrors } from "./problem.ts"

interface Sorting<Errors> {
  /** Sorts a refusal to the places where the form shows it. */
  readonly errorsOf: (error: unknown) => Errors
  readonly none: Errors
}

/** Sorts errors to these fields; `prefix` is that of fields which have their own names. */
export const byField = (names: ReadonlyArray<string>, prefix = ""): Sorting<FormErrors> => ({
  errorsOf: (error) => formErrors(error, names, prefix),
  none: noErrors
})

/** `sent` is what decides whether something has changed: what is typed, unless it is said. */
export const useDraft = <Fields extends object, Errors>(
  begin: () => Fields,
  { errorsOf, none }: Sorting<Errors>,
  sent: (fields: Fields) => unknown = (fields) => fields
) => {
  const [initial] = useState(begin)
  const [fields, setFields] = useState(initial)
  const [errors, setErrors] = useState(none)
  const [isBusy, setBusy] = useState(false)
  const isSaved = useRef(false)
  return {
    initial,
    fields,
    change: (part: Partial<Fields>) => setFields((known) => ({ ...known, ...part })),
    reset: () => {
      setFields(initial)
      setErrors(none)
    },
    /** Whether leaving loses something. */
    isChanged: () => !isSaved.current && JSON.stringify(sent(fields)) !== JSON.stringify(sent(initial)),
    errors,
    setErrors,
    isBusy,
    /** Sends the draft, and then leads on. A refusal is shown. */
    save: async <A>(send: () => Promise<A>, leadOn: (answer: A) => unknown): Promise<void> => {
      setBusy(true)
      setErrors(none)
      try {
        const answer = await send()
        isSaved.current = true
        await leadOn(answer)
      } catch (error) {
        setErrors(errorsOf(error))
      }
      setBusy(false)
      // Where the form stays, it goes on from here.
      isSaved.current = false
    }
  }
}
