/** The time lines of alerts as they grow, and the public events of escalations. Joins the transactions of its callers. */
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Context, Effect, Layer } from "effect"
import { changedEvent, pageEvent } from "./EscalationEvents.ts"
import type { EventPage, EventSubject, TimelineEntry } from "./EscalationRecords.ts"
import { EscalationRepository } from "./EscalationRepository.ts"

export class EscalationLog extends Context.Service<EscalationLog>()("@kanmon/monitoring/escalation/EscalationLog", {
  make: Effect.gen(function* () {
    const repository = yield* EscalationRepository
    const outbox = yield* Outbox

    const publish = Effect.fnUntraced(function* <About extends { readonly alertId: string }>(
      all: ReadonlyArray<About>,
      eventOf: (about: About, subject: EventSubject) => PublicEvent | undefined
    ) {
      if (all.length === 0) return
      const found = yield* repository.subjects([...new Set(all.map(({ alertId }) => alertId))])
      const subjects = new Map(found.map((subject) => [subject.alertId as string, subject]))
      yield* outbox.append(
        all.flatMap((about) => {
          const subject = subjects.get(about.alertId)
          return (subject && eventOf(about, subject)) ?? []
        })
      )
    })

    return {
      /** Adds entries to time lines, and tells subscribers of them. */
      append: Effect.fn("EscalationLog.append")(function* (entries: ReadonlyArray<TimelineEntry>) {
        yield* repository.append(entries)
        yield* publish(entries, changedEvent)
      }),
      /** Tells subscribers of new pages, or of their outcomes. */
      tell: (pages: ReadonlyArray<EventPage>, at: EpochMillis) =>
        publish(pages, (page, subject) => pageEvent(page, subject, at))
    }
  })
}) {
  static readonly layer = Layer.effect(EscalationLog, EscalationLog.make)
}
