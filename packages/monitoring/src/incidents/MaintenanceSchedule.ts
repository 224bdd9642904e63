/**
 * Moves maintenance windows on in time: they begin, they end, and the next window of a series is scheduled. Safe to run in
 * several processes.
 */
import type { IncidentStatus } from "@kanmon/domain/Incident"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { IncidentRepository } from "./IncidentRepository.ts"
import type { IncidentRecord } from "./IncidentRow.ts"
import { IncidentWriter } from "./IncidentWriter.ts"
import { type EndedSeries, MaintenanceRepository } from "./MaintenanceRepository.ts"

export class MaintenanceSchedule extends Context.Service<
  MaintenanceSchedule,
  {
    /** Announces the windows that have begun and resolves those that are over; returns how many. */
    readonly advance: Effect.Effect<number>
    /** Lets monitors whose tags have changed, by these tags, join or leave the windows that follow them. In a transaction. */
    readonly follow: (projectId: ProjectId, tags: ReadonlyArray<string>, at: EpochMillis) => Effect.Effect<void>
    /** The series whose window is over, and whose next window is not scheduled yet. */
    readonly endedSeries: Effect.Effect<ReadonlyArray<EndedSeries>>
    /** Schedules the next window of a series; without a start, the series has ended. Does nothing if it was done before. */
    readonly proceed: (series: EndedSeries, start: EpochMillis | undefined) => Effect.Effect<void>
    /** Ends a series whose rule cannot be evaluated, and says so on the timeline of its last window. */
    readonly abandon: (series: EndedSeries) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/incidents/MaintenanceSchedule") {
  static readonly layer = Layer.effect(
    MaintenanceSchedule,
    Effect.gen(function* () {
      const repository = yield* MaintenanceRepository
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

      return MaintenanceSchedule.of({ advance, follow, endedSeries: repository.endedSeries, proceed, abandon })
    })
  )
}

const endMessage = "The maintenance window has ended."
const abandonedMessage =
  "No further window is scheduled: the recurrence cannot be evaluated. Schedule the next window with a simpler one."

/** A window that was created as already resolved is followed by one that is not. */
const openStatus = (status: IncidentStatus | undefined): IncidentStatus =>
  status === undefined || status === "resolved" ? "investigating" : status
