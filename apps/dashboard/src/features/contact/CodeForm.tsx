/** Asks for the code that a contact method got. */
import { Form } from "react-aria-components"
import { useCode } from "../../api/useCode.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import type { Method } from "./queries.ts"
import { useConfirmMethod, useSendMethodCode } from "./writes.ts"

export const CodeForm = ({ method }: { readonly method: Method }) => {
  const { mutateAsync: enter } = useConfirmMethod(method.id)
  const { mutateAsync: send } = useSendMethodCode(method.id)
  const { code, error, isBusy, isSent, onSend, onSubmit, setCode } = useCode(enter, send)
  return (
    <Form
      onSubmit={onSubmit}
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
        <Button isDisabled={isBusy} onPress={onSend}>
          {t("Send a new code")}
        </Button>
      </div>
    </Form>
  )
}
