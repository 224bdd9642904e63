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

/** How many monitors the API changes in one request. */
const maxBulk = 1000
/** More than these are an operation: it says how far it is, can be stopped, and does not need this tab. */
const maxAtOnce = 200

const chunksOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / maxBulk) }, (_, index) =>
    ids.slice(index * maxBulk, (index + 1) * maxBulk)
  )

/** The reasons of a refusal, without the ids that it adds to the names of monitors. */
export const reasonsOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof ApiError && error.fields.length > 0
    ? error.fields.map(({ message }) => message.replace(/^mon_\w+ \((.*?)\): /, "$1: "))
    : [reasonOf(error)]

export interface Outcome {
  readonly done: number
  /** Why the rest was refused. */
  readonly error?: unknown
}

type Change = Omit<MonitorBulkChange, "ids" | "filter">

/** Leaves the work to the server. Its progress is shown by the list. */
const startOperation = async (
  project: CurrentProject,
  ids: ReadonlyArray<string>,
  asked: { readonly action: "update" | "delete" } & Change
): Promise<Outcome> => {
  try {
    await request("POST /operations", { project: project.headers, body: { ...asked, ids } })
    return { done: ids.length }
  } catch (error) {
    return { done: 0, error }
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
): Promise<Outcome> => {
  if (ids.length > maxAtOnce) return startOperation(project, ids, { action: "update", ...change })
  let done = 0
  for (const chunk of chunksOf(ids)) {
    const undo = chunk.map((id) => {
      const known = store.monitors.get(id)
      return known === undefined ? undefined : store.patch(id, optimistic(known))
    })
    try {
      const changed = await request("PATCH /monitors", { project: project.headers, body: { ids: chunk, ...change } })
      for (const record of changed) store.learn(record)
      done += chunk.length
    } catch (error) {
      for (const each of undo) each?.()
      return { done, error }
    }
  }
  return { done }
}

export const deleteMany = async (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>
): Promise<Outcome> => {
  if (ids.length > maxAtOnce) return startOperation(project, ids, { action: "delete" })
  let done = 0
  for (const chunk of chunksOf(ids)) {
    try {
      await request("DELETE /monitors", { project: project.headers, body: { ids: chunk } })
      for (const id of chunk) store.remove(id)
      done += chunk.length
    } catch (error) {
      return { done, error }
    }
  }
  return { done }
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
): Promise<Outcome> =>
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
): Promise<void> => {
  const isAnyOn = () => ids.some((id) => store.monitors.get(id)?.status !== "paused")
  const { error } = await setPaused(project, store, ids, isAnyOn)
  if (error !== undefined) throw error
}
