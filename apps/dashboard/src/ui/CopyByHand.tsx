/** A text that the browser does not let the page copy: selected, so that the reader's own keys copy it. */
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { inputClass, classes } from "./classes.ts"
import { Dialog } from "./Overlay.tsx"

const CopyByHand = ({ onClose, text }: { readonly text: string; readonly onClose: () => void }) => (
  <Dialog title={t("Copy this text")} isOpen onOpenChange={onClose}>
    <p className="text-soft">
      {t("The browser does not let this page copy. The text is selected: copy it as you copy any other.")}
    </p>
    <textarea
      ref={(area) => area?.select()}
      aria-label={t("Copy this text")}
      readOnly
      autoFocus
      rows={Math.min(12, text.split("\n").length + 1)}
      value={text}
      onFocus={(event) => event.target.select()}
      className={classes(inputClass, "h-auto py-2 font-mono text-small break-all")}
    />
    <div className="flex justify-end">
      <Button onPress={onClose}>{t("Close")}</Button>
    </div>
  </Dialog>
)

export default CopyByHand
