/** The actions on the selected monitors. Loaded with the first selection. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { formatLocale, t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { BulkDialog, type BulkField } from "./BulkDialog.tsx"
import { setPaused } from "./writes.ts"

const BulkBar = ({
  monitors,
  onClear,
  onDelete,
  onError,
  onSelectAll,
  shownCount
}: {
  /** At least one. */
  readonly monitors: ReadonlyArray<MonitorSummary>
  readonly shownCount: number
  readonly onSelectAll: () => void
  readonly onClear: () => void
  readonly onDelete: (ids: ReadonlyArray<string>) => void
  readonly onError: (error: unknown) => void
}) => {
  const { project, store } = useProjectData()
  const navigate = useNavigate()
  const [field, setField] = useState<BulkField | undefined>(undefined)
  const count = monitors.length
  const ids = monitors.map(({ id }) => id)
  const only = count === 1 ? ids[0] : undefined
  const number = (value: number) => value.toLocaleString(formatLocale())
  const pause = (isPaused: boolean) => void setPaused(project, store, ids, () => isPaused).catch(onError)
  return (
    <section
      aria-label={t("Selected monitors")}
      className="sticky bottom-3 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1.5 rounded-xl border border-line bg-surface p-2 shadow-[0_8px_30px_rgb(0_0_0/.22)] max-md:bottom-20"
    >
      <span aria-live="polite" className="px-2 text-sm font-medium">
        {t("{count, plural, one {# selected} other {# selected}}", { count })}
      </span>
      {count < shownCount && (
        <Button kind="quiet" onPress={onSelectAll}>
          {t("Select all {count}", { count: number(shownCount) })}
        </Button>
      )}
      {monitors.some(({ status }) => status !== "paused") && (
        <Button onPress={() => pause(true)}>
          <Icon name="pause" className="max-sm:hidden" />
          {t("Pause")}
        </Button>
      )}
      {monitors.some(({ status }) => status === "paused") && (
        <Button onPress={() => pause(false)}>
          <Icon name="play" className="max-sm:hidden" />
          {t("Resume")}
        </Button>
      )}
      <Menu
        label={t("Change")}
        button={
          <Button>
            <Icon name="edit" className="max-sm:hidden" />
            {t("Change")}
          </Button>
        }
        groups={[
          [
            { id: "addTags", label: t("Add tags"), onAction: () => setField("addTags") },
            {
              id: "removeTags",
              label: t("Remove tags"),
              disabled: monitors.every(({ tags }) => tags.length === 0),
              onAction: () => setField("removeTags")
            }
          ],
          [
            { id: "group", label: t("Set the group"), onAction: () => setField("group") },
            { id: "interval", label: t("Set the interval"), onAction: () => setField("interval") }
          ],
          ...(only === undefined
            ? []
            : [
                [
                  {
                    id: "edit",
                    label: t("Edit"),
                    onAction: () => void navigate({ to: "/monitors/$id/edit", params: { id: only } })
                  },
                  {
                    id: "clone",
                    label: t("Duplicate"),
                    onAction: () => void navigate({ to: "/monitors/new", search: { clone: only } })
                  }
                ]
              ])
        ]}
      />
      <Button kind="danger" onPress={() => onDelete(ids)}>
        <Icon name="trash" className="max-sm:hidden" />
        {t("Delete")}
      </Button>
      <IconButton aria-label={t("Clear the selection")} onPress={onClear}>
        <Icon name="close" />
      </IconButton>
      {field !== undefined && <BulkDialog field={field} monitors={monitors} onClose={() => setField(undefined)} />}
    </section>
  )
}

export default BulkBar
