/** Saves the filters and the order of the list under a name, and deletes views. */
import { useState } from "react"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import type { ListSearch } from "./listSearch.ts"
import type { View } from "./views.ts"

const ViewsDialog = ({
  onChange,
  onClose,
  search,
  views
}: {
  readonly views: ReadonlyArray<View>
  readonly search: ListSearch
  readonly onChange: (views: ReadonlyArray<View>) => void
  readonly onClose: () => void
}) => {
  const [name, setName] = useState("")
  const wanted = name.trim()
  const save = () => {
    onChange([...views.filter((view) => view.name !== wanted), { name: wanted, search }])
    onClose()
  }
  return (
    <Dialog title={t("Saved views")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          autoFocus
          label={t("Name of this view")}
          help={t(
            "Keeps the search, the filters and the order. Views are saved in this browser only; to share one, copy the address."
          )}
          value={name}
          onChange={setName}
          maxLength={60}
        />
        {views.length > 0 && (
          <ul className="divide-y divide-line rounded-lg border border-line">
            {views.map((view) => (
              <li key={view.name} className="flex items-center justify-between gap-2 py-1 ps-3 pe-1">
                <bdi className="min-w-0 truncate text-sm">{view.name}</bdi>
                <IconButton
                  aria-label={t("Delete the view {name}", { name: view.name })}
                  onPress={() => onChange(views.filter((each) => each !== view))}
                >
                  <Icon name="trash" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t("Close")}</Button>
          <Button kind="primary" type="submit" isDisabled={wanted === ""}>
            {views.some((view) => view.name === wanted) ? t("Replace the view") : t("Save this view")}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export default ViewsDialog
