/** The second step of a sign-in: a code from the app, or one of the backup codes. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choice.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { CodeField, plainCode } from "./CodeField.tsx"
import { useVerifyCode } from "./writes.ts"

export const SecondFactorForm = ({
  onBack,
  onSignedIn
}: {
  /** Back to the password: the time for the second step is over, or it is another account. */
  readonly onBack: () => void
  readonly onSignedIn: () => Promise<void> | void
}) => {
  const { mutateAsync: verify } = useVerifyCode()
  const [code, setCode] = useState("")
  const [isBackup, setBackup] = useState(false)
  const [trustDevice, setTrust] = useState(false)
  const { errors, isBusy, setErrors, submit } = useSubmit(["code"])

  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    await submit(async () => {
      await verify({ code: plainCode(code), trustDevice, isBackup })
      await onSignedIn()
    })
  }

  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <p className="text-sm text-soft">
        {isBackup
          ? t("Each backup code works once.")
          : t("Enter the code that your authenticator app shows for Kanmon.")}
      </p>
      <FormProblem errors={errors} />
      <CodeField isBackup={isBackup} value={code} onChange={setCode} error={errors.fields["code"]} />
      <Checkbox isSelected={trustDevice} onChange={setTrust}>
        {t("Do not ask again in this browser for 30 days")}
      </Checkbox>
      <Button kind="primary" type="submit" isDisabled={isBusy || plainCode(code) === ""} className="min-h-10">
        {t("Sign in")}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          kind="quiet"
          className="-ms-3.5"
          onPress={() => {
            setBackup(!isBackup)
            setCode("")
            setErrors({ fields: {}, general: undefined })
          }}
        >
          {isBackup ? t("Use your app") : t("Use a backup code")}
        </Button>
        <Button kind="quiet" className="-me-3.5" onPress={onBack}>
          {t("Back")}
        </Button>
      </div>
    </Form>
  )
}
