/** Asks for the mail with a link that sets a new password. The answer is the same whether or not there is an account. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { useMethods } from "../../api/methods.ts"
import { Notice } from "../../ui/Notice.tsx"

export const ForgotPasswordForm = ({ email: known = "" }: { readonly email?: string | undefined }) => {
  const methods = useMethods()
  const [email, setEmail] = useState(known)
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit(["email"])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      await request("POST", "/auth/request-password-reset", { body: { email: email.trim() } })
      setSentTo(email.trim())
    })
  }
  if (sentTo !== undefined)
    return (
      <Notice tone="up">
        {methods?.mail === false
          ? t(
              "This installation sends no mail. If there is an account with the address {email}, the person who runs it finds the link on the console of the server.",
              { email: sentTo }
            )
          : t(
              "If there is an account with the address {email}, a mail with a link is on its way to it. Look in the folder for spam, too.",
              { email: sentTo }
            )}
      </Notice>
    )
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <p className="text-sm text-soft">{t("We send you a link to choose a new password.")}</p>
      <FormProblem errors={errors} />
      <TextField
        label={t("Email")}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        isRequired
        value={email}
        onChange={setEmail}
        error={errors.fields["email"]}
        autoFocus
      />
      <Button kind="primary" type="submit" isDisabled={isBusy || email.trim() === ""} className="min-h-10">
        {t("Send the link")}
      </Button>
    </Form>
  )
}
