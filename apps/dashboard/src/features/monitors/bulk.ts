/** Changes of many monitors at once, which show before they are confirmed and are taken back when they are refused. */
import type { MonitorBulkChange } from "@kanmon/protocol/MonitorBulkBody"
import { ApiError, reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { MonitorStore, MonitorSummary } from "../../live/MonitorStore.ts"

/** How many monitors the API changes in one request. */
const maxBulk = 1000

const chunksOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / maxBulk) }, (_, index) =>
    ids.slice(index * maxBulk, (index + 1) * maxBulk)
  )

/** What a refusal says. It names monitors by id and name; the name is enough. */
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

/** `optimistic` is what each of them shows meanwhile. */
export const changeMany = async (
  project: CurrentProject,
  store: MonitorStore,
  ids: ReadonlyArray<string>,
  change: Change,
  optimistic: (monitor: MonitorSummary) => Partial<MonitorSummary>
): Promise<Outcome> => {
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
