/** The form of a dialog: fields, what was wrong with them as a whole, and the two ways out. */
import type { ReactNode, SyntheticEvent } from "react"
import { Form } from "react-aria-components"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { FormProblem } from "./FormProblem.tsx"

export const DialogForm = ({
  action,
  children,
  danger = false,
  errors,
  isBusy,
  isReady = true,
  onClose,
  onSend
}: {
  /** The label of the button that sends it. */
  readonly action: string
  readonly danger?: boolean
  readonly errors: { readonly general: string | undefined; readonly code?: string }
  readonly isBusy: boolean
  /** Whether everything is filled in that it cannot be sent without. */
  readonly isReady?: boolean
  /** Absent where the form is the page. */
  readonly onClose?: (() => void) | undefined
  readonly onSend: () => unknown
  readonly children?: ReactNode
}) => (
  <Form
    onSubmit={(event: SyntheticEvent) => {
      event.preventDefault()
      void onSend()
    }}
    validationBehavior="aria"
    className="flex flex-col gap-4"
  >
    {children}
    <FormProblem errors={errors} />
    <div className="flex flex-wrap justify-end gap-2">
      {onClose !== undefined && <Button onPress={onClose}>{t("Cancel")}</Button>}
      <Button kind={danger ? "danger" : "primary"} type="submit" isDisabled={isBusy || !isReady}>
        {action}
      </Button>
    </div>
  </Form>
)
