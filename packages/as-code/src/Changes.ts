/**
 * The steps of a plan as changes that the server makes together. A plan that does not fit into one request becomes several,
 * each of which is made completely or not at all.
 */
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import type { Step } from "./ApplyPlan.ts"
import * as Body from "./RequestBody.ts"
import { nameOf } from "./Resource.ts"

type Change = ChangesBody.ChangesRequest["changes"][number]

/** Changes of one request, and the step of each. */
export interface Bundle {
  readonly steps: ReadonlyArray<Step>
  readonly changes: ReadonlyArray<Change>
  /** The step of each change. */
  readonly stepOf: ReadonlyArray<Step>
}

/** The state of the server on which the changes depend. */
export interface Known {
  /** IDs by name (`monitor shop`). */
  readonly ids: Body.Ids
  /** IDs of maintenance windows that are over: they stay as history. */
  readonly over: ReadonlySet<string>
  /** When records were changed last, by ID: the server refuses to overwrite later changes. */
  readonly updatedAt: ReadonlyMap<string, string>
}

const ofStep = (step: Step, ids: Body.Ids, { over, updatedAt }: Known): ReadonlyArray<Change> => {
  const { action, kind } = step
  const at = step.action === "create" ? undefined : updatedAt.get(step.id)
  const condition = at === undefined ? {} : { ifUpdatedAt: at }
  switch (action) {
    case "create":
      return [{ action, kind, body: Body.whole(step.wanted, ids) }]
    case "update":
      return over.has(step.id) && step.changes.some(({ field }) => Body.scheduling.has(field))
        ? [
            { action, kind, id: step.id, ...condition, body: Body.released },
            { action: "create", kind, body: Body.whole(step.wanted, ids) }
          ]
        : [{ action, kind, id: step.id, ...condition, body: Body.change(step.wanted, step.changes, ids) }]
    case "delete":
      return over.has(step.id)
        ? [{ action: "update", kind, id: step.id, ...condition, body: Body.released }]
        : [{ action, kind, id: step.id, ...condition }]
  }
}

/** Room for what surrounds the changes in a request. */
const reserve = 1024

/** The changes of as many steps from the first one on as fit into one request; at least one step. */
export const bundle = (steps: ReadonlyArray<Step>, given: Known): Bundle => {
  const known = new Map(given.ids)
  const taken: Array<Step> = []
  const changes: Array<Change> = []
  const stepOf: Array<Step> = []
  let [values, bytes] = [0, reserve]
  for (const step of steps) {
    const own = ofStep(step, known, given)
    values += ChangesBody.valuesIn(own, ChangesBody.maxValues)
    bytes += Buffer.byteLength(JSON.stringify(own))
    const isFull =
      changes.length + own.length > ChangesBody.maxChanges ||
      values > ChangesBody.maxValues ||
      bytes > ChangesBody.maxBytes
    if (isFull && taken.length > 0) break
    taken.push(step)
    changes.push(...own)
    for (const _ of own) stepOf.push(step)
    if (step.action === "create") known.set(nameOf(step), `${ChangesBody.newPrefix}${step.key}`)
  }
  return { steps: taken, changes, stepOf }
}
