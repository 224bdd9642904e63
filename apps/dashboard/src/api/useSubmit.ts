/** Sends a form: whether it is on its way, and what was wrong with it. */
import { useState } from "react"
import { type FormErrors, formErrors, noErrors } from "./problem.ts"

export interface Submit {
  readonly errors: FormErrors
  readonly isBusy: boolean
  readonly setErrors: (errors: FormErrors) => void
  /** Runs the work; true when it succeeded. */
  readonly submit: (work: () => Promise<unknown>) => Promise<boolean>
}

/** `names` are the fields of the form. Errors of other fields are shown above it. */
export const useSubmit = (names: ReadonlyArray<string> = []): Submit => {
  const [errors, setErrors] = useState<FormErrors>(noErrors)
  const [isBusy, setBusy] = useState(false)
  return {
    errors,
    isBusy,
    setErrors,
    submit: async (work) => {
      setBusy(true)
      setErrors(noErrors)
      try {
        await work()
        return true
      } catch (error) {
        setErrors(formErrors(error, names))
        return false
      } finally {
        setBusy(false)
      }
    }
  }
}
