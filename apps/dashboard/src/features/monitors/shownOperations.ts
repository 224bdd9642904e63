/** Which operations of the project the list shows. Pure. */
import type { Operation } from "@kanmon/domain/Operation"

export type OperationRecord = typeof Operation.Encoded

/** How long the end of an operation is shown to those who did not close it. */
const shownAfterEnd = 10 * 60_000

/** Those that run, and those that ended lately and were not closed; the oldest first. */
export const shownOperations = (
  all: ReadonlyArray<OperationRecord>,
  closed: ReadonlyArray<string>,
  now: number
): ReadonlyArray<OperationRecord> =>
  all
    .filter(
      ({ finishedAt, id }) =>
        finishedAt === null || (!closed.includes(id) && now - Date.parse(finishedAt) < shownAfterEnd)
    )
    .toReversed()

/** The reason that most of the refused ones have. */
export const mainReason = ({ failures }: OperationRecord): string => {
  const counted = [...Map.groupBy(failures, ({ message }) => message)]
  return counted.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? ""
}
