/** A list of alerts with their monitors, their handlers and the possible actions. */
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { useSummary } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Beats } from "../../ui/Beats.tsx"
import { goneClass, type Held } from "../../ui/held.ts"
import { isPageKey, useListKeys } from "../../ui/listKeys.ts"
import { classes, listClass, nameLinkClass } from "../../ui/classes.ts"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { AlertActions } from "./AlertActions.tsx"
import { AlertCard } from "./AlertCard.tsx"
import { Failed, Handled } from "./Handled.tsx"
import type { Act } from "./handling.ts"
import { useHandling } from "./writes.ts"
import { useAlertName } from "./names.ts"
import type { AlertRecord } from "./queries.ts"
import { SeverityMark } from "./Severity.tsx"
import { givenReason, toneOfAlert, triggerOf } from "./words.ts"

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

const rowClass = "px-2 py-3 focus-within:bg-ink/3"

/** One line or two, beside many others. */
const Row = ({
  alert,
  onAct,
  withResults
}: {
  readonly alert: AlertRecord
  readonly onAct: (act: Act) => void
  readonly withResults: boolean
}) => {
  const name = useAlertName(alert)
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <Shape tone={toneOfAlert(alert)} className="mt-1" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">
          <Link to="/alerts/$id" params={{ id: alert.id }} className={nameLinkClass}>
            <bdi className="line-clamp-2">{name}</bdi>
          </Link>
        </p>
        <p className="line-clamp-2 text-sm">
          <SeverityMark severity={alert.severity} /> · <span className="font-medium">{triggerOf(alert)}</span> ·{" "}
          <bdi>{givenReason(alert)}</bdi>
        </p>
        {/* Keeps a fixed height: another line would move the rows below. */}
        <p className="line-clamp-2 min-h-10 text-sm text-soft @3xl:line-clamp-1 @3xl:min-h-5">
          <Failed alert={alert} />
          <Ago at={alert.startedAt} /> · <Handled alert={alert} />
          {alert.silenced && <> · {t("Silenced")}</>}
        </p>
      </div>
      {withResults && alert.monitorId !== null && <Results monitorId={alert.monitorId} />}
      <div className="max-sm:ps-7">
        <AlertActions alert={alert} onAct={onAct} />
      </div>
    </div>
  )
}

const Item = ({
  alert,
  isCard,
  isGone,
  withResults
}: {
  readonly alert: AlertRecord
  readonly isCard: boolean
  readonly isGone: boolean
  readonly withResults: boolean
}) => {
  const { dismiss, error, handle } = useHandling(alert)
  const item = useRef<HTMLLIElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "a" || alert.state !== "open" || !isPageKey(event)) return
      if (item.current?.contains(document.activeElement) === true) handle({ type: "acknowledge" })
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  })

  return (
    <li ref={item} data-item className={classes(isCard ? "py-1.5" : rowClass, isGone && goneClass)}>
      {isCard ? (
        <AlertCard alert={alert} onAct={handle} />
      ) : (
        <Row alert={alert} onAct={handle} withResults={withResults} />
      )}
      {error !== undefined && <Refusal onClose={dismiss}>{error}</Refusal>}
    </li>
  )
}

export const AlertList = ({
  cards = 0,
  held,
  label,
  withResults = false
}: {
  readonly held: Held<AlertRecord>
  readonly label: string
  /** How many of the first are cards, each with the last hour of its monitor. */
  readonly cards?: number
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
      <ul ref={list} aria-label={label} className={classes("@container", cards === 0 && listClass)}>
        {held.rows.map((alert, index) => (
          <Item
            key={alert.id}
            alert={alert}
            isCard={index < cards}
            isGone={held.isGone(alert)}
            withResults={withResults}
          />
        ))}
      </ul>
    </>
  )
}
