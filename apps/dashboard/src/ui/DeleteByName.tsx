/** Asks for the name of something large before it is deleted. */
import { useState } from "react"
import { t } from "../locales/text.ts"
import { DialogForm } from "./DialogForm.tsx"
import { TextField } from "./Field.tsx"
import { Dialog } from "./Overlay.tsx"

export const DeleteByName = ({
  errors,
  isBusy,
  isOpen,
  label,
  name,
  onClose,
  onDelete
}: {
  readonly name: string
  /** The label of the field for the name. */
  readonly label: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly errors: { readonly general: string | undefined; readonly code?: string }
  readonly onClose: () => void
  readonly onDelete: () => unknown
}) => {
  const [typed, setTyped] = useState("")
  return (
    <Dialog alert title={t("Delete {name}?", { name })} isOpen={isOpen} onOpenChange={onClose}>
      <DialogForm
        danger
        action={t("Delete")}
        errors={errors}
        isBusy={isBusy}
        isReady={typed.trim() === name}
        onClose={onClose}
        onSend={onDelete}
      >
        <p className="text-soft">{t("This cannot be undone.")}</p>
        <TextField label={label} value={typed} onChange={setTyped} autoFocus autoComplete="off" />
      </DialogForm>
    </Dialog>
  )
}
