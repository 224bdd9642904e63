/** The time lines of alerts, as people read them. */
import type { AlertReference, ProjectId } from "@kanmon/domain/Ids"
import { AlertNotFound } from "@kanmon/domain/NotFound"
import { Clock, Context, Effect, Layer } from "effect"
import { HandlingRepository } from "../alerts/index.ts"
import { SentMessageRepository } from "../delivery/index.ts"
import { timelineOf } from "./TimelineEntries.ts"
import { TimelineRepository } from "./TimelineRepository.ts"

export class Timelines extends Context.Service<Timelines>()("@kanmon/monitoring/escalation/Timelines", {
  make: Effect.gen(function* () {
    const alerts = yield* HandlingRepository
    const repository = yield* TimelineRepository
    const messages = yield* SentMessageRepository

    return {
      /** Everything that happened to an alert, newest last. */
      of: Effect.fn("Timelines.of")(function* (projectId: ProjectId, id: AlertReference) {
        const alert = yield* alerts.find(projectId, id, yield* Clock.currentTimeMillis)
        if (alert === undefined) return yield* new AlertNotFound({ id })
        const [entries, pages] = yield* Effect.all([repository.entries(alert.id), repository.pages(alert.id)])
        const sent = yield* messages.ofEntries(pages.map(({ carrier }) => carrier))
        return timelineOf(alert, entries, pages, sent)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Timelines, Timelines.make).pipe(
    Layer.provide([HandlingRepository.layer, TimelineRepository.layer, SentMessageRepository.layer])
  )
}
