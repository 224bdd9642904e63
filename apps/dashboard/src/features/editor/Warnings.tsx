/** Warnings of the API after it saved a monitor, such as missing alerts. */
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Overlay.tsx"

export interface Warning {
  readonly code: string
  readonly message: string
}

export const Warnings = ({
  onContinue,
  onEdit,
  warnings
}: {
  readonly warnings: ReadonlyArray<Warning>
  readonly onContinue: () => void
  readonly onEdit: () => void
}) => (
  <Dialog title={t("Saved, with a warning")} isOpen={warnings.length > 0} dismissable={false}>
    <ul className="flex flex-col gap-2">
      {warnings.map(({ code, message }) => (
        <li key={code + message}>{message}</li>
      ))}
    </ul>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onPress={onEdit}>{t("Edit")}</Button>
      <Button kind="primary" autoFocus onPress={onContinue}>
        {t("Continue")}
      </Button>
    </div>
  </Dialog>
)
