/** Names of monitors, for what refers to them by id. */
import { t } from "../locales/text.ts"
import { useSummary } from "./MonitorStore.ts"
import { type ProjectData, useProjectData } from "./ProjectData.tsx"

type Known = Pick<ProjectData, "state" | "store">

/** Whether every monitor of the project is known: any other id is that of a deleted one. */
export const knowsAll = ({ state, store }: Known): boolean => state === "ready" && store.monitors.size >= store.total

/** The name of the monitor; its id while more monitors exist than the list has. */
export const nameOfMonitor = (known: Known, id: string, deleted = t("A deleted monitor")): string =>
  known.store.monitors.get(id)?.name ?? (known.state === "loading" ? "…" : knowsAll(known) ? deleted : id)

/** The name of one monitor; renders again when it changes. */
export const useMonitorName = (id: string): string => {
  const data = useProjectData()
  useSummary(data.store, id)
  return nameOfMonitor(data, id)
}
