/** Acts on one monitor: check now, edit, pause, clone, delete. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMay } from "../../api/permissions.ts"
import { refusalOf } from "../../api/write.ts"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useCheckMonitor, useDeleteMonitor, usePauseMonitor } from "../../live/writes.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton, RouteLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog, Menu } from "../../ui/Overlay.tsx"
import { useShortcuts } from "../../ui/shortcuts.ts"
import { Refusal } from "../../ui/Toast.tsx"

/** Check now, pause, delete. A pause shows at once and is taken back when it is refused. */
export const Actions = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const { heartbeatUrl, id, name, paused } = monitor
  const checking = useCheckMonitor(id)
  const pausing = usePauseMonitor(id)
  const deletion = useDeleteMonitor(id, () => navigate({ to: "/monitors" }))
  const { dismiss, refusal } = refusalOf([checking, pausing, deletion])
  const mayCheck = useMay("checks.run")
  const mayWrite = useMay("monitors.write")
  const check = () => {
    dismiss()
    checking.mutate()
  }
  const pause = () => {
    dismiss()
    pausing.mutate(!paused)
  }
  const remove = () => {
    dismiss()
    deletion.mutate()
  }

  useShortcuts([
    ...(mayCheck && heartbeatUrl === undefined && !paused ? [{ keys: "c", label: t("Check now"), run: check }] : []),
    ...(mayWrite
      ? [
          {
            keys: "e",
            label: t("Edit"),
            run: () => void navigate({ to: "/monitors/$id/edit", params: { id } })
          },
          { keys: "p", label: paused ? t("Resume") : t("Pause"), run: pause }
        ]
      : [])
  ])
  if (!mayCheck && !mayWrite) return null
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {heartbeatUrl === undefined && (
          <Button onPress={check} isDisabled={checking.isPending || paused}>
            <Icon name="refresh" className="max-sm:hidden" />
            {checking.isPending ? t("Checking…") : t("Check now")}
          </Button>
        )}
        <RouteLink kind="plain" to="/monitors/$id/edit" params={{ id }}>
          <Icon name="edit" className="max-sm:hidden" />
          {t("Edit")}
        </RouteLink>
        <Button onPress={pause}>
          <Icon name={paused ? "play" : "pause"} className="max-sm:hidden" />
          {paused ? t("Resume") : t("Pause")}
        </Button>
        <Menu
          label={t("More")}
          button={
            <IconButton kind="plain" aria-label={t("More")}>
              <Icon name="more" />
            </IconButton>
          }
          groups={[
            [
              {
                id: "clone",
                label: t("Clone"),
                icon: <Icon name="copy" />,
                onAction: () => void navigate({ to: "/monitors/new", search: { clone: id } })
              }
            ],
            [
              {
                id: "delete",
                label: t("Delete"),
                danger: true,
                icon: <Icon name="trash" />,
                onAction: () => setDeleting(true)
              }
            ]
          ]}
        />
      </div>
      {refusal !== undefined && <Refusal onClose={dismiss}>{refusal}</Refusal>}
      <Dialog alert title={t("Delete this monitor?")} isOpen={isDeleting} onOpenChange={setDeleting}>
        <p>
          <bdi className="font-medium">{name}</bdi>
        </p>
        <p className="text-soft">{t("Its results and its history are deleted too. This cannot be undone.")}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={() => setDeleting(false)} autoFocus>
            {t("Cancel")}
          </Button>
          <Button kind="danger" onPress={remove}>
            {t("Delete")}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
