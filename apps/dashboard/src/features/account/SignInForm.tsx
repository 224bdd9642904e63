/** Signs in: on its own page, and in a dialog over a page whose session has ended. */
import type { SyntheticEvent } from "react"
import { useState } from "react"
import { Form } from "react-aria-components"
import { type FormErrors, formErrors, noErrors } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"

export const SignInForm = ({
  email: known,
  onSignedIn
}: {
  /** The address of the account whose session has ended. */
  readonly email?: string
  readonly onSignedIn: () => Promise<void> | void
}) => {
  const [email, setEmail] = useState(known ?? "")
  const [password, setPassword] = useState("")
  const [errors, setErrors] = useState<FormErrors>(noErrors)
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setErrors(noErrors)
    try {
      await request("POST", "/auth/sign-in/email", { body: { email: email.trim(), password } })
      await onSignedIn()
    } catch (error) {
      setErrors(formErrors(error, ["email", "password"]))
    }
    setBusy(false)
  }

  return (
    <Form onSubmit={(event) => void submit(event)} validationBehavior="aria" className="flex flex-col gap-4">
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
        isReadOnly={known !== undefined}
        autoFocus={known === undefined}
      />
      <PasswordField
        label={t("Password")}
        name="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
        error={errors.fields["password"]}
        autoFocus={known !== undefined}
      />
      <Button kind="primary" type="submit" isDisabled={isBusy || email === "" || password === ""} className="min-h-10">
        {t("Sign in")}
      </Button>
    </Form>
  )
}
