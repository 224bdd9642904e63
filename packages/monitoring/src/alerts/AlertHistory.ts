/** The alert history that users read, with every attempt to deliver. */
import type { AlertId, ProjectId } from "@kanmon/domain/Ids"
import { AlertNotFound } from "@kanmon/domain/NotFound"
import { Context, Effect, Layer } from "effect"
import { SentMessageRepository } from "../delivery/index.ts"
import { HistoryRepository } from "./HistoryRepository.ts"

export class AlertHistory extends Context.Service<AlertHistory>()("@kanmon/monitoring/alerts/AlertHistory", {
  make: Effect.gen(function* () {
    const repository = yield* HistoryRepository
    const messages = yield* SentMessageRepository

    /** The deliveries of an entry, oldest first. */
    const deliveries = Effect.fn("AlertHistory.deliveries")(function* (projectId: ProjectId, id: AlertId) {
      if (!(yield* repository.exists(projectId, id))) return yield* new AlertNotFound({ id })
      return yield* messages.ofEntry(id)
    })

    return {
      /** Entries that were triggered in `[from, to)`, newest first. */
      list: repository.list,
      deliveries
    }
  })
}) {
  static readonly layer = Layer.effect(AlertHistory, AlertHistory.make)
}
