/** The status of one monitor in words, its figures, and what can be done with it. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { request } from "../../api/request.ts"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { duration, millis, percent } from "../../locales/time.ts"
import { t, type Text } from "../../locales/text.ts"
import { Button, IconButton, RouteLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog, Menu } from "../../ui/Overlay.tsx"
import { Shape, type Status, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { statsQuery } from "./queries.ts"

const sentences: Readonly<Record<Status, Text>> = {
  up: "This monitor is up.",
  degraded: "This monitor is degraded.",
  down: "This monitor is down.",
  maintenance: "In maintenance: alerts and uptime ignore this time.",
  paused: "This monitor is paused and not checked.",
  pending: "Waiting for the first result."
}

const sentenceOf = ({ heartbeatUrl, pausedReason, status }: MonitorRecord): string => {
  if (status === "paused" && pausedReason === "plan_limit") return t("Paused because the plan has no room for it.")
  if (status === "pending" && heartbeatUrl !== undefined) return t("Waiting for the first signal.")
  return t(sentences[status])
}

export const StatusLine = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { interval, lastCheckedAt, lastFailure, status } = monitor
  const failing = (status === "down" || status === "degraded") && lastFailure !== null
  return (
    <div
      className={`is-${toneOf(status)} flex items-start gap-3.5 rounded-2xl border border-[color-mix(in_srgb,var(--tone)_24%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] p-4 sm:p-5`}
    >
      <Shape tone={toneOf(status)} className="mt-0.5 size-7" />
      <div className="min-w-0 flex-1">
        <p className="text-lg leading-snug font-semibold">
          <span className="sr-only">{wordOf(status)}. </span>
          {failing ? lastFailure.message : sentenceOf(monitor)}
        </p>
        <p className="mt-0.5 text-sm text-soft">
          {failing && (
            <>
              {sentenceOf(monitor)} {lastFailure.region} · <Ago at={lastFailure.at} />.{" "}
            </>
          )}
          {t("Checked every {duration}", { duration: duration(interval) })}
          {lastCheckedAt !== null && (
            <>
              {" "}
              · {t("Last check")}: <Ago at={lastCheckedAt} />
            </>
          )}
        </p>
      </div>
    </div>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className="flex flex-col">
    <dt className="text-[0.8125rem] text-soft">{label}</dt>
    <dd className="text-lg font-semibold">{value}</dd>
  </div>
)

export const Figures = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data } = useQuery(statsQuery(project, id))
  const uptime = (value: number | null | undefined) => (value == null ? "–" : percent(value))
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
      <Figure label={`${t("Uptime")}, ${t("24 hours")}`} value={uptime(data?.uptime24h)} />
      <Figure label={`${t("Uptime")}, ${t("7 days")}`} value={uptime(data?.uptime7d)} />
      <Figure label={`${t("Uptime")}, ${t("30 days")}`} value={uptime(data?.uptime30d)} />
      <Figure
        label={`${t("Response time")}, ${t("24 hours")}`}
        value={data?.avgResponseTime == null ? "–" : millis(data.avgResponseTime)}
      />
    </dl>
  )
}

/** Check now, pause, delete. A pause shows at once and is taken back when it is refused. */
export const Actions = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { project, store } = useProjectData()
  const navigate = useNavigate()
  const [error, setError] = useState<string | undefined>(undefined)
  const [isChecking, setChecking] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { heartbeatUrl, id, name, paused } = monitor
  const options = { project: project.headers }

  const attempt = async (work: () => Promise<void>, undo?: () => void) => {
    setError(undefined)
    try {
      await work()
    } catch (cause) {
      undo?.()
      setError(cause instanceof Error ? cause.message : String(cause))
    }
  }
  const check = async () => {
    setChecking(true)
    await attempt(async () => {
      await request("POST", `/monitors/${id}/check`, { ...options, body: {} })
      store.put(await request<MonitorRecord>("GET", `/monitors/${id}`, options))
    })
    setChecking(false)
  }
  const pause = () => {
    const before = store.patch(id, { paused: !paused, status: paused ? "pending" : "paused" })
    return attempt(
      async () =>
        store.put(await request<MonitorRecord>("PATCH", `/monitors/${id}`, { ...options, body: { paused: !paused } })),
      () => before !== undefined && store.put(before)
    )
  }
  const remove = () =>
    attempt(async () => {
      await request("DELETE", `/monitors/${id}`, options)
      store.remove(id)
      await navigate({ to: "/monitors" })
    })

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
      {error !== undefined && <Notice className="mt-3 basis-full">{error}</Notice>}
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
