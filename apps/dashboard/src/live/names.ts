/** Names of monitors, for what refers to them by id. */
import { useMemo } from "react"
import { t } from "../locales/text.ts"
import { byName } from "../ui/collation.ts"
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

/** The monitors in the order of their names, as choices of a field. */
export const useMonitorChoices = (): ReadonlyArray<{ readonly id: string; readonly label: string }> => {
  const { store } = useProjectData()
  return useMemo(
    () =>
      [...store.monitors.values()]
        .map(({ id, name }) => ({ id, label: name }))
        .toSorted((one, other) => byName(one.label, other.label)),
    [store.monitors]
  )
}
