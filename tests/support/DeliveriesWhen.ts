/** Waits for the deliveries of a project, as its alert history has them. */
import { eventually } from "@kanmon/testkit/Eventually"
import type { ProjectId } from "@kanmon/domain/Ids"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import type { DeliveryRecord } from "@kanmon/monitoring/delivery"
import { Effect } from "effect"
import { history } from "./Stage.ts"

/** Everything that was or is to be sent for a project, oldest first, as soon as it is good. */
export const deliveriesWhen = Effect.fnUntraced(function* (
  projectId: ProjectId,
  good: (all: ReadonlyArray<DeliveryRecord>) => boolean
) {
  const context = yield* Effect.context<AlertHistory>()
  return yield* eventually(Effect.provideContext(deliveries(projectId), context), good)
})

const deliveries = Effect.fnUntraced(function* (projectId: ProjectId) {
  const alertHistory = yield* AlertHistory
  const entries = yield* history(projectId)
  const all = yield* Effect.forEach(entries, ({ id }) => Effect.orDie(alertHistory.deliveries(projectId, id)))
  return all.flat().sort((one, other) => (one.id < other.id ? -1 : 1))
})
