/** Asks for the code that a contact method got. */
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { formErrors } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { type Method, refreshContact } from "./queries.ts"

export const CodeForm = ({ method }: { readonly method: Method }) => {
  const client = useQueryClient()
  const [code, setCode] = useState("")
  const [error, setError] = useState<string | undefined>(undefined)
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const params = { contactMethodId: method.id }

  const attempt = async (work: () => Promise<unknown>, isAnother = false) => {
    setBusy(true)
    setError(undefined)
    setSent(false)
    try {
      await work()
      setSent(isAnother)
      await refreshContact(client)
    } catch (failure) {
      const { fields, general } = formErrors(failure, ["code"])
      setError(fields["code"] ?? general)
    }
    setBusy(false)
  }
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault()
    void attempt(() =>
      request("POST /account/contact-methods/:contactMethodId/confirm", { params, body: { code: code.trim() } })
    )
  }

  return (
    <Form
      onSubmit={confirm}
      validationBehavior="aria"
      className="flex w-full flex-wrap items-start gap-x-2 gap-y-3 pb-1"
    >
      <div className="min-w-0 basis-64 max-sm:basis-full">
        <TextField
          label={t("Code for {name}", { name: method.name })}
          help={
            isSent
              ? t("A new code is on its way.")
              : t("Six digits are on their way there. Until you enter them, nothing else is sent.")
          }
          isErrorInPlace
          error={error}
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
        />
      </div>
      <div className="flex flex-wrap gap-2 sm:mt-6">
        <Button kind="primary" type="submit" isDisabled={isBusy || code.trim().length !== 6}>
          {t("Confirm")}
        </Button>
        <Button
          isDisabled={isBusy}
          onPress={() =>
            void attempt(() => request("POST /account/contact-methods/:contactMethodId/confirmation", { params }), true)
          }
        >
          {t("Send a new code")}
        </Button>
      </div>
    </Form>
  )
}
