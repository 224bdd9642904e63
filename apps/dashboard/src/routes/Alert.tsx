/** `/alerts/$id` */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { type FormEvent, useEffect, useState } from "react"
import { useMay } from "../api/permissions.ts"
import { Parts } from "../api/Parts.tsx"
import { AlertActions } from "../features/alerts/AlertActions.tsx"
import { AskSomebody } from "../features/alerts/AskSomebody.tsx"
import { Handled } from "../features/alerts/Handled.tsx"
import { useHandling } from "../features/alerts/writes.ts"
import { type AlertRecord, alertQuery, useAlertEvents } from "../features/alerts/queries.ts"
import { Escalating, nextStepOf } from "../features/alerts/Escalating.tsx"
import { useAlertName } from "../features/alerts/names.ts"
import { Origin } from "../features/alerts/Origin.tsx"
import { Timeline } from "../features/alerts/Timeline.tsx"
import { givenReason, toneOfAlert, triggerOf } from "../features/alerts/words.ts"
import { useSummary } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { TextField } from "../ui/Field.tsx"
import { isPageKey } from "../ui/listKeys.ts"
import { Shape } from "../ui/Status.tsx"
import { Ago } from "../ui/Time.tsx"
import { Refusal } from "../ui/Toast.tsx"
import { PageError } from "./Failures.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { partClass, tonedClass } from "../ui/classes.ts"

const Page = ({ alert }: { readonly alert: AlertRecord }) => {
  const { store } = useProjectData()
  const monitor = useSummary(store, alert.monitorId ?? "")
  const { dismiss, error, handle } = useHandling(alert)
  const [note, setNote] = useState("")
  const name = useAlertName(alert)
  const tone = toneOfAlert(alert)
  const handled = <Handled alert={alert} />
  const why = givenReason(alert)
  const what = (
    <>
      {triggerOf(alert)}
      {why !== "" && (
        <>
          : <bdi>{why}</bdi>
        </>
      )}
    </>
  )

  const mayRespond = useMay("alerts.respond")
  const step = nextStepOf(alert)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (mayRespond && event.key === "a" && alert.state === "open" && isPageKey(event)) handle({ type: "acknowledge" })
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  })

  const acknowledge = (event: FormEvent) => {
    event.preventDefault()
    handle(note.trim() === "" ? { type: "acknowledge" } : { type: "acknowledge", note: note.trim() })
  }

  return (
    <PageFrame
      title={`${name}: ${triggerOf(alert)}`}
      width="text"
      back={<BackLink to="/alerts">{t("Alerts")}</BackLink>}
      heading={
        monitor === undefined ? (
          name
        ) : (
          <Link to="/monitors/$id" params={{ id: monitor.id }} className="no-underline hover:underline">
            {name}
          </Link>
        )
      }
      actions={
        <>
          <AlertActions
            alert={alert}
            onAct={(act) =>
              handle(act.type === "acknowledge" && note.trim() !== "" ? { ...act, note: note.trim() } : act)
            }
          />
          {alert.state !== "resolved" && mayRespond && (
            <>
              {step !== undefined && (
                // It stays while a silence holds the escalation, so that the button beside it does not move.
                <Button isDisabled={alert.escalation?.held === true} onPress={() => handle({ type: "escalate", step })}>
                  {t("Escalate now")}
                </Button>
              )}
              <AskSomebody alert={alert} />
              {alert.source !== null && <Button onPress={() => handle({ type: "resolve" })}>{t("Resolve")}</Button>}
            </>
          )}
        </>
      }
    >
      {error !== undefined && <Refusal onClose={dismiss}>{error}</Refusal>}
      <div className={`is-${tone} flex items-start gap-3.5 ${tonedClass}`}>
        <Shape tone={tone} className="mt-0.5 size-7" />
        <div className="min-w-0 flex-1">
          <p className="text-lg leading-snug font-semibold">{alert.state === "resolved" ? handled : what}</p>
          <p className="mt-0.5 text-sm text-soft">
            {alert.state === "resolved" && <>{what} · </>}
            <Ago at={alert.startedAt} />
            {alert.state !== "resolved" && <> · {handled}</>}
            {alert.silenced && <> · {t("Silenced")}</>}
          </p>
          <Escalating alert={alert} />
        </div>
      </div>
      {alert.state === "open" && mayRespond && (
        <form onSubmit={acknowledge} className={"flex flex-wrap items-end gap-3"}>
          <div className="min-w-0 flex-1 basis-56">
            <TextField
              label={t("Note for others")}
              value={note}
              onChange={setNote}
              optional
              maxLength={2000}
              placeholder={t("I am on it")}
            />
          </div>
          <Button type="submit">{t("Acknowledge with note")}</Button>
        </form>
      )}
      <Parts>
        {alert.source !== null && <Origin source={alert.source} />}
        <section className={partClass}>
          <h2>{t("Timeline")}</h2>
          <Timeline alert={alert} />
        </section>
        {alert.drillId !== null && (
          <Link
            to="/on-call/drills/$id"
            params={{ id: alert.drillId }}
            className="flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
          >
            {t("Report of the drill")}
          </Link>
        )}
        {alert.monitorId !== null && (
          <Link
            to="/alerts"
            search={{ monitor: alert.monitorId, state: "resolved" }}
            className="flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
          >
            {t("Earlier alerts of this monitor")}
          </Link>
        )}
      </Parts>
    </PageFrame>
  )
}

const Alert = () => {
  const { id } = useParams({ from: "/shell/alerts/$id" })
  const { project, state } = useProjectData()
  useAlertEvents()
  const { data, error, refetch } = useQuery(alertQuery(project, id))
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  // The page is shown with its alert and monitor, or not at all.
  return state === "loading" ? null : <Page key={id} alert={data} />
}

export default Alert
