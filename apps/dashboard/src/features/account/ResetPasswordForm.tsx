/** Sets a new password with the link from the mail. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { PasswordField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { minLength, refusedPassword } from "./passwordRule.ts"
import { useResetPassword } from "./writes.ts"

export const ResetPasswordForm = ({ onDone, token }: { readonly token: string; readonly onDone: () => void }) => {
  const { mutateAsync: reset } = useResetPassword()
  const [newPassword, setPassword] = useState("")
  const { errors, isBusy, setErrors, submit } = useSubmit(["newPassword"])
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    const refused = refusedPassword(newPassword, "newPassword")
    if (refused !== undefined) return setErrors(refused)
    if (await submit(() => reset({ token, newPassword }))) onDone()
  }
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <p className="text-sm text-soft">{t("You are signed out everywhere else when it is changed.")}</p>
      <FormProblem errors={errors} />
      <PasswordField
        label={t("New password")}
        name="new-password"
        autoComplete="new-password"
        isRequired
        value={newPassword}
        onChange={setPassword}
        help={t("At least {count} characters", { count: minLength })}
        error={errors.fields["newPassword"]}
        autoFocus
      />
      <Button kind="primary" type="submit" isDisabled={isBusy || newPassword === ""} className="min-h-10">
        {t("Set the password")}
      </Button>
    </Form>
  )
}
