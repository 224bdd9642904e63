/** Sends a form: whether it is on its way, and what was wrong with it. */
import { type Dispatch, type SetStateAction, useState } from "react"
import { byField, type FormErrors, type Sorting } from "./problem.ts"

export interface Submit<Errors = FormErrors> {
  readonly errors: Errors
  readonly isBusy: boolean
  readonly setErrors: Dispatch<SetStateAction<Errors>>
  /** Runs the work; true when it succeeded. */
  readonly submit: (work: () => Promise<unknown>) => Promise<boolean>
}

/** For a form with its own places for errors. */
export const useSorted = <Errors>({ errorsOf, none }: Sorting<Errors>): Submit<Errors> => {
  const [errors, setErrors] = useState(none)
  const [isBusy, setBusy] = useState(false)
  return {
    errors,
    isBusy,
    setErrors,
    submit: async (work) => {
      setBusy(true)
      setErrors(none)
      try {
        await work()
        return true
      } catch (error) {
        setErrors(errorsOf(error))
        return false
      } finally {
        setBusy(false)
      }
    }
  }
}

/** `names` are the fields of the form. Errors of other fields are shown above it. */
export const useSubmit = (names: ReadonlyArray<string> = []): Submit => useSorted(byField(names))
