/** Incidents that schedule maintenance, as its windows begin and end: they are announced, resolved, and continued. */
import type { IncidentStatus } from "@kanmon/domain/Incident"
import { Clock, Effect, Layer } from "effect"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type EndedSeries, MaintenanceSchedule } from "../maintenance/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { IncidentRepository } from "./IncidentRepository.ts"
import type { IncidentRecord } from "./IncidentRow.ts"
import { IncidentWriter } from "./IncidentWriter.ts"
import { isSeriesDue, isWindowDue, MaintenanceIncidentRepository } from "./MaintenanceIncidentRepository.ts"

export const layer = Layer.effect(
  MaintenanceSchedule,
  Effect.gen(function* () {
    const repository = yield* MaintenanceIncidentRepository
    const incidents = yield* IncidentRepository
    const writer = yield* IncidentWriter
    const transaction = yield* Transaction

    const advance = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const begun = yield* repository.begin(at)
      for (const incident of begun) {
        // Catches up with a tag that a monitor gained while the window was being written.
        if (incident.tags.length > 0) yield* writer.coverMonitors(incident, "none", at)
        yield* writer.announce(incident, "updated", "", at)
      }
      const ended = yield* repository.end(at)
      for (const incident of ended) {
        yield* writer.addUpdate(incident, endMessage, at)
        yield* writer.announce(incident, "resolved", endMessage, at)
      }
      return begun.length + ended.length
    }).pipe(transaction.run, Effect.withSpan("MaintenanceSchedule.advance"))

    const follow: MaintenanceSchedule["Service"]["follow"] = Effect.fn("MaintenanceSchedule.follow")(
      function* (projectId, tags, at) {
        for (const incident of yield* incidents.lockFollowers(projectId, tags))
          yield* writer.coverMonitors(incident, "none", at)
      }
    )

    /** Does what follows the end of a window, once over all processes. */
    const once = (
      { incidentId }: EndedSeries,
      follow: (incident: IncidentRecord, at: EpochMillis) => Effect.Effect<unknown>
    ) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const incident = yield* repository.claim(incidentId)
        if (incident !== undefined) yield* follow(incident, at)
      }).pipe(transaction.run)

    const proceed: MaintenanceSchedule["Service"]["proceed"] = Effect.fn("MaintenanceSchedule.proceed")(
      (series, start) =>
        once(
          series,
          Effect.fnUntraced(function* (incident, at) {
            if (start === undefined) return
            const first = (yield* incidents.updates([incident.id])).at(-1)
            const draft = {
              ...incident,
              status: openStatus(first?.status),
              scheduledStart: start,
              scheduledEnd: start + series.millis
            }
            if (incident.key !== null) yield* incidents.releaseKey(incident.id)
            yield* Effect.orDie(writer.open(incident.projectId, draft, first?.message ?? "", at, series))
          })
        )
    )

    const abandon: MaintenanceSchedule["Service"]["abandon"] = Effect.fn("MaintenanceSchedule.abandon")((series) =>
      once(
        series,
        Effect.fnUntraced(function* (incident, at) {
          yield* writer.addUpdate(incident, abandonedMessage, at)
          yield* writer.announce(incident, "updated", abandonedMessage, at)
        })
      )
    )

    const { endedSeries } = repository
    return MaintenanceSchedule.of({ isWindowDue, isSeriesDue, advance, follow, endedSeries, proceed, abandon })
  })
)

const endMessage = "The maintenance window has ended."
const abandonedMessage =
  "No further window is scheduled: the recurrence cannot be evaluated. Schedule the next window with a simpler one."

/** A window that was created as already resolved is followed by one that is not. */
const openStatus = (status: IncidentStatus | undefined): IncidentStatus =>
  status === undefined || status === "resolved" ? "investigating" : status
