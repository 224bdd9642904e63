/** The last step: the active monitors, the line for a job, and usual next steps. */
import type { ReactNode } from "react"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { StatusDot } from "../../ui/Status.tsx"

export const Done = ({
  monitor,
  signal
}: {
  readonly monitor: MonitorRecord
  /** How a job reports to this address. */
  readonly signal: (url: string) => ReactNode
}) => (
  <div className="flex flex-col gap-5">
    <Section title={t("{name} is being watched", { name: monitor.name })}>
      <div role="status" aria-live="polite">
        {monitor.status === "pending" ? (
          <p className="text-soft">
            {monitor.heartbeatUrl === undefined
              ? t("The first result is on its way.")
              : t("It waits for the first signal.")}
          </p>
        ) : (
          <StatusDot status={monitor.status} />
        )}
      </div>
      {(monitor.warnings ?? []).map(({ code, message }) => (
        <Notice key={code + message} tone="degraded">
          {message}
        </Notice>
      ))}
      <div className="flex flex-wrap gap-2">
        <RouteLink kind="primary" to="/monitors/$id" params={{ id: monitor.id }}>
          {t("Open the monitor")}
        </RouteLink>
        <RouteLink kind="plain" to="/welcome" search={{}}>
          {t("Watch something else")}
        </RouteLink>
      </div>
    </Section>
    {monitor.heartbeatUrl !== undefined && signal(monitor.heartbeatUrl)}
    <Section title={t("Show it to your visitors?")}>
      <p className="text-soft">
        {t("A status page shows your visitors what is up, what is not, and what you do about it.")}
      </p>
      <div>
        <RouteLink kind="plain" to="/status-pages/new">
          {t("Create a status page")}
        </RouteLink>
      </div>
    </Section>
  </div>
)
