/** Asks before something that cannot be taken back. */
import type { ReactNode } from "react"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { FormProblem } from "./FormProblem.tsx"
import { Dialog } from "./Overlay.tsx"

export const Confirm = ({
  action,
  children,
  errors,
  isBusy = false,
  isOpen,
  onClose,
  onConfirm,
  title
}: {
  readonly title: string
  /** The label of the button that does it. */
  readonly action: string
  readonly isOpen: boolean
  readonly isBusy?: boolean
  readonly errors?: { readonly general: string | undefined; readonly code?: string }
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children?: ReactNode
}) => (
  <Dialog alert title={title} isOpen={isOpen} onOpenChange={onClose}>
    {children !== undefined && <div className="flex flex-col gap-2 text-soft">{children}</div>}
    {errors !== undefined && <FormProblem errors={errors} />}
    <div className="flex justify-end gap-2">
      <Button autoFocus onPress={onClose}>
        {t("Cancel")}
      </Button>
      <Button kind="danger" onPress={onConfirm} isDisabled={isBusy}>
        {action}
      </Button>
    </div>
  </Dialog>
)
