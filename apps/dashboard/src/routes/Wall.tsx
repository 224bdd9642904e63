/** `/wall#key=…`: the state of all monitors for a screen on a wall. Reads with a key of its own, needs no session, changes nothing. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState, useSyncExternalStore } from "react"
import { ApiError } from "../api/problem.ts"
import { wallQuery } from "../features/wall/queries.ts"
import { Tiles } from "../features/wall/Tiles.tsx"
import { useScreen } from "../features/wall/useScreen.ts"
import { keyOf } from "../features/wall/wallKey.ts"
import { formatLocale, t } from "../locales/text.ts"
import { shortDuration } from "../locales/time.ts"
import { Button } from "../ui/Button.tsx"
import { classes } from "../ui/classes.ts"
import { Mark } from "../ui/Icon.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { Shape, toneOf, wordOf } from "../ui/Status.tsx"
import { order } from "../ui/statusOrder.ts"

/** Milliseconds after which what is shown counts as out of date: several requests were missed. */
const overdue = 45_000

const onHash = (listener: () => void) => {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}

const useSecond = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const Screen = ({ wallKey }: { readonly wallKey: string }) => {
  const client = useQueryClient()
  const { data, dataUpdatedAt, error } = useQuery(wallQuery(client, wallKey))
  useScreen(dataUpdatedAt)
  const now = useSecond()
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403)
  if (isRefused)
    return (
      <EmptyState whole title={t("The key of this screen is not valid")}>
        {t("It may have expired or been deleted. Make a new viewer key in the settings, and open its address here.")}
      </EmptyState>
    )
  if (data === undefined) return error === null ? null : <Notice>{error.message}</Notice>
  const { monitors, total } = data
  const isOld = now - dataUpdatedAt > overdue
  const counts = order
    .map((status) => ({ status, count: monitors.filter((monitor) => monitor.status === status).length }))
    .filter(({ count }) => count > 0)
  return (
    <>
      <div role="status">
        {isOld && (
          <Notice tone="degraded" className="mb-5 text-lg">
            {t("Kanmon does not answer. This was the state {duration} ago.", {
              duration: shortDuration((now - dataUpdatedAt) / 1000)
            })}
          </Notice>
        )}
      </div>
      <header className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-2">
        <Mark />
        <h1 className="sr-only">{t("All monitors")}</h1>
        <ul className="flex flex-wrap gap-x-6 gap-y-1 text-xl">
          {counts.map(({ count, status }) => (
            <li key={status} className="flex items-center gap-2 tabular-nums">
              <Shape tone={toneOf(status)} className="size-5" />
              {count} <span className="text-soft">{wordOf(status)}</span>
            </li>
          ))}
        </ul>
        {total > monitors.length && (
          <p className="text-soft">{t("{count, plural, one {# monitor} other {# monitors}}", { count: total })}</p>
        )}
        <p className="ms-auto text-3xl font-semibold tabular-nums">
          {new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit" }).format(now)}
        </p>
        {document.fullscreenEnabled && (
          <Button kind="quiet" onPress={() => void document.documentElement.requestFullscreen()}>
            {t("Full screen")}
          </Button>
        )}
      </header>
      <div className={classes("flex grow flex-col", isOld && "opacity-50 grayscale")}>
        <Tiles monitors={monitors} />
      </div>
    </>
  )
}

const Wall = () => {
  const key = useSyncExternalStore(onHash, () => keyOf(location.hash))
  return (
    <main className="flex min-h-dvh flex-col p-4 sm:p-6">
      <title>{`${t("All monitors")} · Kanmon`}</title>
      {/* The address has a secret: no other site may learn it. */}
      <meta name="referrer" content="no-referrer" />
      {key === undefined ? (
        <EmptyState whole title={t("This address has no key")}>
          {t("Make a key with the role Viewer in the settings: the address for a screen is shown beside it.")}
        </EmptyState>
      ) : (
        <Screen key={key} wallKey={key} />
      )}
    </main>
  )
}

export default Wall
