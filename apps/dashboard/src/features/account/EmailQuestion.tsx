/** Asks for the address that something is sent to, or that tells where to sign in. */
import { type ReactNode, type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"

export const EmailQuestion = ({
  action,
  children,
  email: known,
  more,
  onEmail
}: {
  readonly action: string
  /** The initial value of the field. */
  readonly email: string
  /** Fails when the address is refused. */
  readonly onEmail: (email: string) => Promise<void>
  /** The text above the field. */
  readonly children: ReactNode
  /** Other ways, below the button. */
  readonly more?: (form: {
    readonly isBusy: boolean
    readonly submit: (work: () => Promise<unknown>) => void
  }) => ReactNode
}) => {
  const [email, setEmail] = useState(known)
  const { errors, isBusy, submit } = useSubmit(["email"])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(() => onEmail(email.trim()))
  }
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      {children}
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
      <Button kind="primary" type="submit" isDisabled={isBusy || !email.includes("@")} className="min-h-10">
        {action}
      </Button>
      {more?.({ isBusy, submit: (work) => void submit(work) })}
    </Form>
  )
}
