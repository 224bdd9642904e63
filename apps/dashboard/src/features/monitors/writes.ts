/**
 * Operations on monitors of the list, many at once. It shows before it is confirmed and is taken back when it is refused. The
 * list loads this with the first act, so these are functions and no hooks; the store has everything that they change.
 */
import type { MonitorBulkChange } from "@kanmon/protocol/MonitorBulkBody"
import { inOrder } from "../../api/inOrder.ts"
import { ApiError, reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { MonitorStore, MonitorSummary } from "../../live/MonitorStore.ts"
import { t } from "../../locales/text.ts"

/** How many are changed in one request. More than these are an operation: it says how far it is, can be stopped, and does not need this tab. */
const maxAtOnce = 200

/** The reasons of a refusal, without the ids that it adds to the names of monitors. */
export const reasonsOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof ApiError && error.fields.length > 0
    ? error.fields.map(({ message }) => message.replace(/^mon_\w+ \((.*?)\): /, "$1: "))
    : [reasonOf(error)]

type Change = Omit<MonitorBulkChange, "ids" | "filter">

/** Leaves the work to the server. Its progress is shown by the list. */
const startOperation = async (
  project: CurrentProject,
  ids: ReadonlyArray<string>,
  asked: { readonly action: "update" | "delete" } & Change
): Promise<string> => (await request("POST /operations", { project: project.headers, body: { ...asked, ids } })).id

/** Milliseconds between looks at an operation. */
const lookEvery = 2000

/** Resolves when an operation is over, or is no longer known. */
const ended = async (project: CurrentProject, operationId: string): Promise<void> => {
  for (;;) {
    await new Promise((resume) => setTimeout(resume, lookEvery))
    try {
      const { status } = await request("GET /operations/:operationId", {
        params: { operationId },
        project: project.headers
      })
      if (status !== "running") return
    } catch (error) {
      // Without a connection it goes on all the same.
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return
    }
  }
}

/** Ends an operation after the batch that is under way. */
export const stopOperation = (project: CurrentProject, id: string) =>
  request("POST /operations/:operationId/stop", { params: { operationId: id }, project: project.headers })

/** `optimistic` is what each of them shows meanwhile. */
export const changeMany = async (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>,
  change: Change,
  optimistic: (monitor: MonitorSummary) => Partial<MonitorSummary>
): Promise<void> => {
  if (ids.length > maxAtOnce) {
    await startOperation(project, ids, { action: "update", ...change })
    return
  }
  const undo = ids.map((id) => {
    const known = store.monitors.get(id)
    return known === undefined ? undefined : store.patch(id, optimistic(known))
  })
  try {
    const changed = await request("PATCH /monitors", { project: project.headers, body: { ids, ...change } })
    for (const record of changed) store.learn(record)
  } catch (error) {
    for (const each of undo) each?.()
    throw error
  }
}

/** Deletes them. Those of an operation are shown no more from its beginning on; `reload` brings back what it kept. */
export const deleteMany = async (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>,
  reload: () => void
): Promise<void> => {
  if (ids.length > maxAtOnce) {
    const id = await startOperation(project, ids, { action: "delete" })
    const stay = store.leave(ids)
    void ended(project, id).then(() => {
      stay()
      reload()
    })
    return
  }
  await request("DELETE /monitors", { project: project.headers, body: { ids } })
  for (const id of ids) store.remove(id)
}

/** The expected state of a monitor while it is being paused or resumed. */
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
): Promise<void> =>
  inOrder(ids, () => {
    const isPaused = wanted()
    return changeMany(project, store, ids, { set: { paused: isPaused } }, pause(isPaused))
  })

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
): Promise<void> => setPaused(project, store, ids, () => ids.some((id) => store.monitors.get(id)?.status !== "paused"))
