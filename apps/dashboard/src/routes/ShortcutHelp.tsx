/** The keys of the page, as `?` shows them. */
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Overlay.tsx"
import { useKnownShortcuts } from "../ui/shortcuts.ts"

const ShortcutHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={t("Keyboard")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 text-sm">
      {useKnownShortcuts().map(({ keys, label }) => (
        <div key={keys} className="col-span-2 grid grid-cols-subgrid">
          <dt className="flex gap-1">
            {keys.split(" ").map((key) => (
              <kbd
                key={key}
                className="grid h-6 min-w-6 place-items-center rounded-sm border border-line px-1.5 font-sans text-xs"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
    <div className="flex justify-end">
      <Button onPress={onClose} autoFocus>
        {t("Close")}
      </Button>
    </div>
  </Dialog>
)

export default ShortcutHelp
