/** Asks for the password before something that a stranger at an open browser must not do. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { PasswordField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"

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
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(() => onPassword(password))
  }
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
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
      <FormProblem errors={errors} />
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button kind={danger ? "danger" : "primary"} type="submit" isDisabled={isBusy || password === ""}>
          {action}
        </Button>
      </div>
    </Form>
  )
}
