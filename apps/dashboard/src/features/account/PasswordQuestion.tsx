/** Asks for the password before something that a stranger at an open browser must not do. */
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { PasswordField } from "../../ui/Field.tsx"

export const PasswordQuestion = ({
  action,
  danger = false,
  explanation,
  onClose,
  onPassword
}: {
  readonly action: string
  readonly danger?: boolean
  readonly explanation?: string
  readonly onClose: () => void
  /** Fails when the password is refused. */
  readonly onPassword: (password: string) => Promise<void>
}) => {
  const [password, setPassword] = useState("")
  const { errors, isBusy, submit } = useSubmit(["password"])
  return (
    <DialogForm
      action={action}
      danger={danger}
      errors={errors}
      isBusy={isBusy}
      isReady={password !== ""}
      onClose={onClose}
      onSend={() => submit(() => onPassword(password))}
    >
      {explanation !== undefined && <p className="text-soft">{explanation}</p>}
      <PasswordField
        label={t("Your password")}
        autoComplete="current-password"
        isRequired
        autoFocus
        value={password}
        onChange={setPassword}
        error={errors.fields["password"]}
      />
    </DialogForm>
  )
}
