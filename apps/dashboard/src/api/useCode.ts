/** Enters the code that a recipient got, or sends another one. */
import { type SyntheticEvent, useState } from "react"
import { useSubmit } from "./useSubmit.ts"

export const useCode = (enter: (code: string) => Promise<unknown>, send: () => Promise<unknown>) => {
  const [code, setCode] = useState("")
  const [isSent, setSent] = useState(false)
  const {
    errors: { fields, general },
    isBusy,
    submit
  } = useSubmit(["code", "recipient"])
  const attempt = async (work: () => Promise<unknown>, isAnother: boolean) => {
    setSent(false)
    if (await submit(work)) setSent(isAnother)
  }
  return {
    code,
    setCode,
    error: fields["code"] ?? fields["recipient"] ?? general,
    isBusy,
    /** Whether another one was sent, as the last thing that was asked for. */
    isSent,
    onSubmit: (event: SyntheticEvent) => {
      event.preventDefault()
      void attempt(() => enter(code.trim()), false)
    },
    onSend: () => void attempt(send, true)
  }
}
