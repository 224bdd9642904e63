/** Besides present problems: the latest changes, imperfect uptime, and slow monitors. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { type MonitorSummary, useVersion } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { idOf, useHeldBy } from "../../ui/held.ts"
import { Quantity } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { ShortAgo } from "../../ui/Time.tsx"
import { changedLast, leastUp, slowest } from "./glance.ts"

const maxShown = 5

const Line = ({
  children,
  isShape = false,
  monitor,
  share
}: {
  readonly monitor: MonitorSummary
  readonly children: ReactNode
  readonly isShape?: boolean
  /** The share of the greatest figure in the list, 0 to 1: a bar under the line. */
  readonly share?: number
}) => (
  <li>
    <Link
      to="/monitors/$id"
      params={{ id: monitor.id }}
      className="-mx-2 flex min-h-9 items-center gap-2 rounded-lg px-2 text-sm no-underline hover:bg-ink/5 pointer-coarse:min-h-11"
    >
      {isShape && <Shape tone={toneOf(monitor.status)} />}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">{monitor.name}</bdi>
        {share !== undefined && (
          <span className="mt-0.5 block h-1 rounded-full bg-ink/5" aria-hidden="true">
            <span className="block h-1 rounded-full bg-accent/60" style={{ width: `${Math.max(2, share * 100)}%` }} />
          </span>
        )}
      </span>
      <span className="shrink-0 text-soft tabular-nums">{children}</span>
    </Link>
  </li>
)

const Part = ({
  children,
  monitors,
  title
}: {
  readonly title: string
  readonly monitors: ReadonlyArray<MonitorSummary>
  readonly children: (monitor: MonitorSummary) => ReactNode
}) => {
  const { rows } = useHeldBy(monitors, idOf)
  return rows.length === 0 ? null : (
    <Section title={title}>
      <ul className="-my-1">{rows.map(children)}</ul>
    </Section>
  )
}

export const Glance = () => {
  const { store } = useProjectData()
  useVersion(store)
  const monitors = [...store.monitors.values()]
  const slow = slowest(monitors, maxShown)
  const most = slow[0]?.responseTime ?? 1
  return (
    <>
      <Part title={t("Changed last")} monitors={changedLast(monitors, maxShown)}>
        {(monitor) => (
          <Line key={monitor.id} monitor={monitor} isShape>
            {wordOf(monitor.status)} · <ShortAgo at={monitor.since * 1000} />
          </Line>
        )}
      </Part>
      <Part title={t("Lowest uptime, 24 h")} monitors={leastUp(monitors, maxShown)}>
        {(monitor) => (
          <Line key={monitor.id} monitor={monitor}>
            <Quantity as="percent" value={monitor.uptime} />
          </Line>
        )}
      </Part>
      <Part title={t("Slowest, 24 h")} monitors={slow}>
        {(monitor) => (
          <Line key={monitor.id} monitor={monitor} share={(monitor.responseTime ?? 0) / most}>
            <Quantity as="millis" value={monitor.responseTime} />
          </Line>
        )}
      </Part>
    </>
  )
}
