/** Creates an account: on its own, or for an invited address. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { ApiError } from "../../api/problem.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { locale, t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { minLength, refusedPassword } from "./passwordRule.ts"
import { useKeepLanguage, useSignUp } from "./writes.ts"

export const SignUpForm = ({
  invitation,
  needsCode = false,
  onClosed,
  onSignedUp,
  onSignOnRequired
}: {
  /** The invited address, and the token that proves it. */
  readonly invitation?: { readonly email: string; readonly token: string }
  readonly onSignedUp: () => Promise<void> | void
  /** The first account becomes the administrator's with the setup code. */
  readonly needsCode?: boolean
  /** Sign-up is closed. */
  readonly onClosed?: () => void
  /** The organization of the address requires its own sign-in. */
  readonly onSignOnRequired: (email: string) => void
}) => {
  const { mutateAsync: signUp } = useSignUp()
  const { mutateAsync: keepLanguage } = useKeepLanguage()
  const [name, setName] = useState("")
  const [email, setEmail] = useState(invitation?.email ?? "")
  const [password, setPassword] = useState("")
  const [setupCode, setSetupCode] = useState("")
  const { errors, isBusy, setErrors, submit } = useSubmit(["name", "email", "password", "setupCode"])

  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    const refused = refusedPassword(password, "password")
    if (refused !== undefined) return setErrors(refused)
    const body = {
      name: name.trim(),
      email: email.trim(),
      password,
      ...(invitation === undefined ? {} : { invitation: invitation.token }),
      ...(setupCode.trim() === "" ? {} : { setupCode: setupCode.trim() })
    }
    await submit(async () => {
      try {
        await signUp(body)
      } catch (error) {
        if (error instanceof ApiError && error.code === "sso_required") return onSignOnRequired(body.email)
        if (error instanceof ApiError && error.status === 403) onClosed?.()
        if (error instanceof ApiError && error.status === 409)
          throw new ApiError({
            status: 409,
            detail: "",
            errors: [{ path: "email", message: t("There is an account with this address. Sign in instead.") }]
          })
        throw error
      }
      // Mails are in the language that was chosen here.
      await keepLanguage(locale())
      await onSignedUp()
    })
  }

  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <FormProblem errors={errors} />
      <TextField
        label={t("Your name")}
        name="name"
        autoComplete="name"
        isRequired
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        autoFocus
      />
      <TextField
        label={t("Email")}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        isRequired
        isReadOnly={invitation !== undefined}
        value={email}
        onChange={setEmail}
        error={errors.fields["email"]}
      />
      <PasswordField
        label={t("Password")}
        name="password"
        autoComplete="new-password"
        isRequired
        value={password}
        onChange={setPassword}
        help={t("At least {count} characters", { count: minLength })}
        error={errors.fields["password"]}
      />
      {needsCode && (
        <TextField
          code
          optional
          label={t("Setup code")}
          name="setup-code"
          autoComplete="off"
          value={setupCode}
          onChange={setSetupCode}
          help={t("Without it the account is an ordinary one.")}
          error={errors.fields["setupCode"]}
        />
      )}
      <Button
        kind="primary"
        type="submit"
        isDisabled={isBusy || name.trim() === "" || email === "" || password === ""}
        className="min-h-10"
      >
        {t("Create account")}
      </Button>
    </Form>
  )
}
