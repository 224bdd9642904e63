/** Acts on one monitor: check now, edit, pause, clone, delete. */
import { useNavigate } from "@tanstack/react-router"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { inOrder } from "../../api/inOrder.ts"
import { useMay } from "../../api/permissions.ts"
import { request } from "../../api/request.ts"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button, IconButton, RouteLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog, Menu } from "../../ui/Overlay.tsx"
import { useShortcuts } from "../../ui/shortcuts.ts"
import { Refusal } from "../../ui/Toast.tsx"

/** Check now, pause, delete. A pause shows at once and is taken back when it is refused. */
export const Actions = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { project, store } = useProjectData()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [error, setError] = useState<string | undefined>(undefined)
  const [isChecking, setChecking] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { heartbeatUrl, id, name, paused } = monitor
  const options = { project: project.headers }
  const mayCheck = useMay("checks.run")
  const mayWrite = useMay("monitors.write")
  const attempt = async (work: () => Promise<void>, undo?: () => void) => {
    setError(undefined)
    try {
      await work()
    } catch (cause) {
      undo?.()
      setError(reasonOf(cause))
    }
  }
  const check = async () => {
    setChecking(true)
    await attempt(async () => {
      await request("POST /monitors/:monitorId/check", { params: { monitorId: id }, ...options })
      store.put(await request("GET /monitors/:monitorId", { params: { monitorId: id }, ...options }))
      await client.invalidateQueries({ queryKey: ["monitor", project.id, id] })
    })
    setChecking(false)
  }
  const pause = () =>
    inOrder([id], () => {
      const undo = store.patch(id, { status: paused ? "pending" : "paused" }, { paused: !paused })
      return attempt(
        async () =>
          store.put(
            await request("PATCH /monitors/:monitorId", {
              params: { monitorId: id },
              ...options,
              body: { paused: !paused }
            })
          ),
        undo
      )
    })
  const remove = () =>
    attempt(async () => {
      await request("DELETE /monitors/:monitorId", { params: { monitorId: id }, ...options })
      store.remove(id)
      await navigate({ to: "/monitors" })
    })

  useShortcuts([
    ...(mayCheck && heartbeatUrl === undefined && !paused
      ? [{ keys: "c", label: t("Check now"), run: () => void check() }]
      : []),
    ...(mayWrite
      ? [
          {
            keys: "e",
            label: t("Edit"),
            run: () => void navigate({ to: "/monitors/$id/edit", params: { id } })
          },
          { keys: "p", label: paused ? t("Resume") : t("Pause"), run: () => void pause() }
        ]
      : [])
  ])
  if (!mayCheck && !mayWrite) return null
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {heartbeatUrl === undefined && (
          <Button onPress={() => void check()} isDisabled={isChecking || paused}>
            <Icon name="refresh" />
            {isChecking ? t("Checking…") : t("Check now")}
          </Button>
        )}
        <RouteLink kind="plain" to="/monitors/$id/edit" params={{ id }}>
          <Icon name="edit" />
          {t("Edit")}
        </RouteLink>
        <Button onPress={() => void pause()}>
          <Icon name={paused ? "play" : "pause"} />
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
      {error !== undefined && <Refusal onClose={() => setError(undefined)}>{error}</Refusal>}
      <Dialog alert title={t("Delete this monitor?")} isOpen={isDeleting} onOpenChange={setDeleting}>
        <p>
          <bdi className="font-medium">{name}</bdi>
        </p>
        <p className="text-soft">{t("Its results and its history are deleted too. This cannot be undone.")}</p>
        <div className="flex justify-end gap-2">
          <Button onPress={() => setDeleting(false)} autoFocus>
            {t("Cancel")}
          </Button>
          <Button kind="danger" onPress={() => void remove()}>
            {t("Delete")}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
