/** The alert history that users read, with every attempt to deliver. */
import type { AlertId, ProjectId } from "@kanmon/domain/Ids"
import { AlertNotFound } from "@kanmon/domain/NotFound"
import { Context, Effect, Layer } from "effect"
import { type DeliveryRecord, SentMessageRepository } from "../delivery/index.ts"
import { HistoryRepository } from "./HistoryRepository.ts"

export class AlertHistory extends Context.Service<
  AlertHistory,
  {
    /** Entries that were triggered in `[from, to)`, newest first. */
    readonly list: HistoryRepository["Service"]["list"]
    /** The deliveries of an entry, oldest first. */
    readonly deliveries: (
      projectId: ProjectId,
      id: AlertId
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, AlertNotFound>
  }
>()("@kanmon/monitoring/alerts/AlertHistory") {
  static readonly layer = Layer.effect(
    AlertHistory,
    Effect.gen(function* () {
      const repository = yield* HistoryRepository
      const messages = yield* SentMessageRepository

      const deliveries: AlertHistory["Service"]["deliveries"] = Effect.fn("AlertHistory.deliveries")(
        function* (projectId, id) {
          if (!(yield* repository.exists(projectId, id))) return yield* new AlertNotFound({ id })
          return yield* messages.ofEntry(id)
        }
      )

      return AlertHistory.of({ list: repository.list, deliveries })
    })
  )
}
