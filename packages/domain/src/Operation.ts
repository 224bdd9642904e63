/** Long work on many monitors: it goes on by itself in batches, says how far it is, can be stopped, and ends in one sentence. */
import { Schema } from "effect"
import { AlertActor } from "./Alert.ts"
import { MonitorId, OperationId, ProjectId } from "./Ids.ts"
import { Timestamp } from "./Timestamp.ts"

export const OperationAction = Schema.Literals(["update", "delete"])
export type OperationAction = typeof OperationAction.Type

export const OperationStatus = Schema.Literals(["running", "completed", "stopped"])
export type OperationStatus = typeof OperationStatus.Type

/** A monitor that was left as it is, and why. */
export const OperationFailure = Schema.Struct({
  monitorId: MonitorId,
  name: Schema.String.annotate({ description: "Its name; empty if the monitor no longer existed" }),
  message: Schema.String
})
export type OperationFailure = typeof OperationFailure.Type

/** More failures are counted only. */
export const maxFailures = 100

const counts = {
  total: Schema.Int.annotate({ description: "Monitors that were selected when it began" }),
  done: Schema.Int.annotate({ description: "Monitors that are changed or deleted" }),
  failed: Schema.Int.annotate({ description: "Monitors that were refused" })
}

export const Operation = Schema.Struct({
  id: OperationId,
  projectId: ProjectId,
  action: OperationAction,
  status: OperationStatus.annotate({ description: "`completed` also when monitors were refused: see `failed`" }),
  ...counts,
  failures: Schema.Array(OperationFailure).annotate({ description: `The first ${maxFailures} that were refused` }),
  summary: Schema.String.annotate({ description: "How far it is, or how it ended, in one sentence" }),
  createdBy: AlertActor,
  createdAt: Timestamp,
  finishedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while it runs" })
}).annotate({ identifier: "Operation" })
export type Operation = typeof Operation.Type

/**
 * How many monitors the next batch has, after one of `size` that was accepted or refused. A refused batch is divided until the
 * monitor that is the cause is alone; after that, batches grow again.
 */
export const nextBatch = (size: number, isAccepted: boolean, largest: number): number =>
  isAccepted ? Math.min(size * 2, largest) : Math.max(1, Math.floor(size / 4))

/** Whether the last `count` monitors brought it a hundredth further: subscribers hear of no smaller steps. */
export const isNews = (
  { done, failed, total }: Pick<Operation, "done" | "failed" | "total">,
  count: number
): boolean => {
  const step = Math.max(1, Math.ceil(total / 100))
  return Math.floor((done + failed) / step) > Math.floor((done + failed - count) / step)
}

type Progress = Pick<Operation, "action" | "status" | "total" | "done" | "failed" | "failures">

const monitors = (count: number): string => `${count} ${count === 1 ? "monitor" : "monitors"}`
const verbs = { update: "changed", delete: "deleted" } as const

/** The most frequent of these, the first of equals. */
const mostFrequent = (messages: ReadonlyArray<string>): string | undefined => {
  const counted = Map.groupBy(messages, (message) => message)
  return [...counted].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0]
}

/** How far an operation is, or how it ended. */
export const summaryOf = ({ action, done, failed, failures, status, total }: Progress): string => {
  const verb = verbs[action]
  const reason = mostFrequent(failures.map(({ message }) => message))
  const refused = failed === 0 ? "" : `, ${failed} refused${reason === undefined ? "" : ` (${reason})`}`
  if (status === "running") return `${done + failed} of ${monitors(total)} so far: ${done} ${verb}${refused}`
  const left = total - done - failed
  const rest = left === 0 ? "" : `, ${left} left as they were`
  return `${status === "stopped" ? "Stopped: " : ""}${done} of ${monitors(total)} ${verb}${refused}${rest}`
}
