/** A list of alerts with their monitors, their handlers and the possible actions. */
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useSummary } from "../../live/MonitorStore.ts"
import { useMonitorName } from "../../live/names.ts"
import { actorWords } from "../../locales/actors.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { Beats } from "../../ui/Beats.tsx"
import { goneClass, type Held } from "../../ui/held.ts"
import { isPageKey, useListKeys } from "../../ui/listKeys.ts"
import { classes, listClass } from "../../ui/classes.ts"
import { Shape } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { AlertActions } from "./AlertActions.tsx"
import { useHandling } from "./writes.ts"
import type { AlertRecord } from "./queries.ts"
import { SeverityMark } from "./Severity.tsx"
import { filterWord, toneOfAlert, triggerOf } from "./words.ts"

/** The person who handles the alert, or its duration. */
export const Handled = ({ alert }: { readonly alert: AlertRecord }) => {
  const { acknowledgedBy, note, resolvedAt, snoozedBy, snoozedUntil, startedAt, state } = alert
  if (state === "resolved" && resolvedAt !== null)
    return (
      <>
        {t("Resolved after {duration}", {
          duration: duration((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000)
        })}
      </>
    )
  if (state === "acknowledged" && acknowledgedBy !== null)
    return (
      <bdi>
        {note === null
          ? t("Acknowledged by {name}", { name: actorWords(acknowledgedBy) })
          : t("Acknowledged by {name}: {note}", { name: actorWords(acknowledgedBy), note })}
      </bdi>
    )
  if (state === "snoozed" && snoozedUntil !== null)
    return (
      <>
        <bdi>{t("Snoozed by {name}", { name: actorWords(snoozedBy) })}</bdi> · {t("Until")} <Moment at={snoozedUntil} />
      </>
    )
  return <>{filterWord(state)}</>
}

/** The newest results of the monitor: whether it still fails. Its place is kept while they are not known. */
const Results = ({ monitorId }: { readonly monitorId: string }) => {
  const { store } = useProjectData()
  const results = useSummary(store, monitorId)?.results
  return (
    <div className="mt-1 h-6 w-40 max-2xl:hidden">
      {results !== undefined && <Beats results={results} className="h-6 w-full" />}
    </div>
  )
}

const Item = ({
  alert,
  isGone,
  withResults
}: {
  readonly alert: AlertRecord
  readonly isGone: boolean
  readonly withResults: boolean
}) => {
  const name = useMonitorName(alert.monitorId)
  const { dismiss, error, handle } = useHandling(alert)
  const item = useRef<HTMLLIElement>(null)
  const failed = alert.entries.filter(({ status }) => status === "failed").length

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "a" || alert.state !== "open" || !isPageKey(event)) return
      if (item.current?.contains(document.activeElement) === true) handle({ type: "acknowledge" })
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  })

  return (
    <li ref={item} data-item className={classes("px-2 py-3 focus-within:bg-ink/3", isGone && goneClass)}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Shape tone={toneOfAlert(alert)} className="mt-1" />
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">
            <Link
              to="/alerts/$id"
              params={{ id: alert.id }}
              className="inline-flex max-w-full no-underline hover:underline pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              <bdi className="line-clamp-2">{name}</bdi>
            </Link>
          </p>
          <p className="line-clamp-2 text-sm">
            <SeverityMark severity={alert.severity} /> · <span className="font-medium">{triggerOf(alert)}</span> ·{" "}
            <bdi>{alert.reason}</bdi>
          </p>
          {/* Keeps a fixed height: another line would move the rows below. */}
          <p className="line-clamp-2 min-h-10 text-sm text-soft @3xl:line-clamp-1 @3xl:min-h-5">
            {failed > 0 && (
              <span className="font-medium text-down">
                {t("{count, plural, one {# notification failed} other {# notifications failed}}", { count: failed })}
                {" · "}
              </span>
            )}
            <Ago at={alert.startedAt} /> · <Handled alert={alert} />
            {alert.silenced && <> · {t("Silenced")}</>}
          </p>
        </div>
        {withResults && <Results monitorId={alert.monitorId} />}
        <div className="max-sm:ps-7">
          <AlertActions alert={alert} onAct={handle} />
        </div>
      </div>
      {error !== undefined && <Refusal onClose={dismiss}>{error}</Refusal>}
    </li>
  )
}

export const AlertList = ({
  held,
  label,
  withResults = false
}: {
  readonly held: Held<AlertRecord>
  readonly label: string
  /** Shows the newest results of each alert's monitor. */
  readonly withResults?: boolean
}) => {
  const list = useRef<HTMLUListElement>(null)
  useListKeys(list)
  return (
    <>
      <Waiting held={held}>
        {(count) => t("{count, plural, one {# new alert} other {# new alerts}}", { count })}
      </Waiting>
      <ul ref={list} aria-label={label} className={classes("@container", listClass)}>
        {held.rows.map((alert) => (
          <Item key={alert.id} alert={alert} isGone={held.isGone(alert)} withResults={withResults} />
        ))}
      </ul>
    </>
  )
}
