/** An alert with the weight of something that is wrong: the reason, since when, who has it, the last hour, and the acts. */
import { Link } from "@tanstack/react-router"
import { useNow } from "../../browser/now.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { Band } from "../../ui/Band.tsx"
import { nameLinkClass } from "../../ui/classes.ts"
import { Shape } from "../../ui/Status.tsx"
import { AlertActions } from "./AlertActions.tsx"
import type { Act } from "./handling.ts"
import { Failed, Handled } from "./Handled.tsx"
import { LastHour } from "./LastHour.tsx"
import { useAlertName } from "./names.ts"
import type { AlertRecord } from "./queries.ts"
import { SeverityMark } from "./Severity.tsx"
import { reasonOf, toneOfAlert, triggerOf } from "./words.ts"

/** How long it lasts, as it runs. */
const Lasting = ({ startedAt }: AlertRecord) => {
  const now = useNow()
  return <>{t("for {duration}", { duration: duration(Math.max(0, now - Date.parse(startedAt)) / 1000) })}</>
}

export const AlertCard = ({ alert, onAct }: { readonly alert: AlertRecord; readonly onAct: (act: Act) => void }) => {
  const name = useAlertName(alert)
  const tone = toneOfAlert(alert)
  return (
    <Band tone={tone}>
      <div className="grid gap-x-8 gap-y-3 @xl:grid-cols-[minmax(0,1fr)_12rem] @3xl:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="flex min-w-0 flex-col gap-1">
          <p className="flex min-w-0 items-start gap-2 font-medium pointer-coarse:items-center">
            <Shape tone={tone} className="mt-0.5 pointer-coarse:mt-0" />
            <Link to="/alerts/$id" params={{ id: alert.id }} className={nameLinkClass}>
              <bdi className="line-clamp-2">{name}</bdi>
            </Link>
          </p>
          <p className="line-clamp-3 text-xl leading-tight font-semibold tracking-tight">
            <bdi>{reasonOf(alert)}</bdi>
          </p>
          <p className="text-sm">
            <SeverityMark severity={alert.severity} /> · <span className="font-medium">{triggerOf(alert)}</span>{" "}
            <Lasting {...alert} />
          </p>
        </div>
        {alert.monitorId !== null && <LastHour alert={alert} monitorId={alert.monitorId} />}
      </div>
      {/* Its usual height is kept: another line would move the cards below. */}
      <p className="mt-2 min-h-10 text-sm text-soft @2xl:min-h-5">
        <Failed alert={alert} />
        {alert.state === "open" ? t("Not acknowledged yet") : <Handled alert={alert} />}
        {alert.silenced && <> · {t("Silenced")}</>}
      </p>
      <div className="mt-3">
        <AlertActions alert={alert} onAct={onAct} />
      </div>
    </Band>
  )
}
