/** One field that is set on all monitors that are selected. */
import type { MonitorBulkChange } from "@kanmon/protocol/MonitorBulkBody"
import { useMemo, useState } from "react"
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { secondsOf } from "../../locales/durations.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { DurationField } from "../../ui/DurationField.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { PickList } from "../../ui/PickList.tsx"
import { changeMany, reasonsOf } from "./writes.ts"

export type BulkField = "addTags" | "removeTags" | "group" | "interval"

const titles = {
  addTags: "Add tags",
  removeTags: "Remove tags",
  group: "Set the group",
  interval: "Set the interval"
} as const

const maxReasons = 5

export const BulkDialog = ({
  field,
  monitors,
  onClose
}: {
  readonly field: BulkField
  readonly monitors: ReadonlyArray<MonitorSummary>
  readonly onClose: () => void
}) => {
  const { project, store } = useProjectData()
  const [text, setText] = useState("")
  const [removed, setRemoved] = useState<ReadonlyArray<string>>([])
  const [interval, setInterval] = useState("60")
  const [reasons, setReasons] = useState<ReadonlyArray<string>>([])
  const [isSaving, setSaving] = useState(false)
  const carried = useMemo(
    () => [...new Set(monitors.flatMap(({ tags }) => tags))].sort().map((tag) => ({ id: tag, label: tag })),
    [monitors]
  )

  const changeOf = (): [
    Omit<MonitorBulkChange, "ids" | "filter">,
    (monitor: MonitorSummary) => Partial<MonitorSummary>
  ] => {
    if (field === "addTags") {
      const added = text
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean)
      return [{ addTags: added }, ({ tags }) => ({ tags: [...new Set([...tags, ...added])] })]
    }
    if (field === "removeTags")
      return [{ removeTags: removed }, ({ tags }) => ({ tags: tags.filter((tag) => !removed.includes(tag)) })]
    if (field === "group") {
      const group = text.trim() === "" ? null : text.trim()
      return [{ set: { group } }, () => ({ group })]
    }
    return [{ set: { interval: secondsOf(interval) } }, () => ({})]
  }
  const isReady =
    field === "addTags"
      ? text.trim() !== ""
      : field === "removeTags"
        ? removed.length > 0
        : field !== "interval" || secondsOf(interval) > 0

  const save = async () => {
    setSaving(true)
    const [change, optimistic] = changeOf()
    try {
      await changeMany(
        project,
        store,
        monitors.map(({ id }) => id),
        change,
        optimistic
      )
      onClose()
    } catch (error) {
      setReasons(reasonsOf(error))
    }
    setSaving(false)
  }

  return (
    <Dialog title={t(titles[field])} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {field === "addTags" && (
          <TextField
            autoFocus
            label={t("Tags")}
            help={t("Such as prod, team:payments. Lists, rules and status pages select monitors by them.")}
            value={text}
            onChange={setText}
          />
        )}
        {field === "removeTags" && (
          <PickList label={t("Remove tags")} options={carried} value={removed} onChange={setRemoved} />
        )}
        {field === "group" && (
          <TextField
            autoFocus
            optional
            label={t("Group")}
            help={t("A folder, or a path such as Shop/Payments.")}
            value={text}
            onChange={setText}
          />
        )}
        {field === "interval" && (
          <DurationField
            autoFocus
            label={t("Interval")}
            help={t("Time between two checks.")}
            value={interval}
            onChange={setInterval}
          />
        )}
        {reasons.length > 0 && (
          <Notice>
            <p className="font-medium">{t("The change was refused:")}</p>
            <ul>
              {reasons.slice(0, maxReasons).map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button kind="primary" type="submit" isDisabled={!isReady || isSaving}>
            {t("{count, plural, one {Change # monitor} other {Change # monitors}}", { count: monitors.length })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
