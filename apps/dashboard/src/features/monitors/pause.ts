/** Pauses and resumes monitors. */
import { inOrder } from "../../api/inOrder.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { MonitorStore, MonitorSummary } from "../../live/MonitorStore.ts"
import { changeMany, type Outcome } from "./bulk.ts"

/** What a monitor shows while it is being paused or resumed. */
const pause =
  (isPaused: boolean) =>
  ({ status }: MonitorSummary): Partial<MonitorSummary> =>
    isPaused === (status === "paused") ? {} : { status: isPaused ? "paused" : "pending", failure: null }

/** `wanted` says whether they are to be paused, when all that was asked of them before has ended. */
export const setPaused = (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>,
  wanted: () => boolean
): Promise<Outcome> =>
  inOrder(ids, () => {
    const isPaused = wanted()
    return changeMany(project, store, ids, { set: { paused: isPaused } }, pause(isPaused))
  })
