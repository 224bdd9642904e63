/** What keys of the list do with monitors. */
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { MonitorStore } from "../../live/MonitorStore.ts"
import { t } from "../../locales/text.ts"
import { setPaused } from "./pause.ts"

export { reasonsOf } from "./bulk.ts"

/** Checks a monitor in its regions; the answer says what they found. */
export const checkNow = async (project: CurrentProject, store: MonitorStore, id: string): Promise<string> => {
  const { regions } = await request("POST /monitors/:monitorId/check", {
    params: { monitorId: id },
    project: project.headers
  })
  return t("{name}: {passed, plural, one {# region} other {# regions}} of {count} up.", {
    name: store.monitors.get(id)?.name ?? "",
    passed: regions.filter(({ status }) => status === "up").length,
    count: regions.length
  })
}

/** Pauses monitors, or resumes them when all of them are paused. */
export const togglePause = async (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>
): Promise<void> => {
  const isAnyOn = () => ids.some((id) => store.monitors.get(id)?.status !== "paused")
  const { error } = await setPaused(project, store, ids, isAnyOn)
  if (error !== undefined) throw error
}
