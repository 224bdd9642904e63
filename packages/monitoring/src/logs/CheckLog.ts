/** The check log: every stored result of a monitor, and why it is what it is. */
import { checkIdOf, dueTimes, parseCheckId } from "@kanmon/domain/CheckId"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { aheadMillis } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { staleIntervals } from "@kanmon/domain/StatusEvaluation"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import type { CheckDetail, CheckRecord } from "@kanmon/protocol/LogBody"
import { notFound } from "@kanmon/protocol/Problem"
import { Clock, Context, Effect, Layer } from "effect"
import { CheckLogRepository, type Place, type StoredCapture, type StoredCheck } from "./CheckLogRepository.ts"

/** Which checks to list. */
interface CheckQuery {
  /** Due in `[from, to)`. */
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly status?: RegionStatus | undefined
  readonly region?: string | undefined
  readonly after?: Place | undefined
  readonly limit: number
}

type Record = typeof CheckRecord.Type
type Detail = typeof CheckDetail.Type

/** No observation is kept for longer. */
const longestDays = 3660

export class CheckLog extends Context.Service<CheckLog>()("@kanmon/monitoring/logs/CheckLog", {
  make: Effect.gen(function* () {
    const repository = yield* CheckLogRepository

    const find = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
      const monitor = yield* repository.findMonitor(projectId, id)
      return monitor ?? (yield* new MonitorNotFound({ id }))
    })

    /** Checks, newest first, and the place at which the next page begins. */
    const list = Effect.fn("CheckLog.list")(function* (projectId: ProjectId, id: MonitorId, query: CheckQuery) {
      yield* find(projectId, id)
      const rows = yield* repository.list({ ...query, id, limit: query.limit + 1 })
      const items = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? items.at(-1) : undefined
      return { items: items.map((check) => recordOf(id, check)), next: undefined, last }
    })

    /** One check with the votes of the other regions, and what the target answered. */
    const get = Effect.fn("CheckLog.get")(function* (projectId: ProjectId, id: MonitorId, checkId: string) {
      const { voteSeconds } = yield* find(projectId, id)
      const parts = parseCheckId(checkId)
      if (parts === undefined || parts.monitorId !== id) return yield* notFound("check")
      const now = yield* Clock.currentTimeMillis
      const times = dueTimes(parts, now - longestDays * dayMillis, now + aheadMillis)
      const check = yield* repository.find(id, parts.region, parts.slot, times)
      if (check === undefined) return yield* notFound("check")
      const { region, scheduledAt, status } = check
      // A vote counts for two intervals.
      const votes = yield* repository.votes(id, region, scheduledAt - staleIntervals * voteSeconds * 1000, scheduledAt)
      const capture =
        status === "down" ? yield* repository.findCapture(id, region, scheduledAt - dayMillis, scheduledAt) : undefined
      return {
        ...recordOf(id, check),
        votes: votes.map((vote) => ({
          region: vote.region,
          checkId: checkIdOf({ ...vote, monitorId: id }),
          checkedAt: vote.checkedAt,
          status: vote.status,
          responseTime: vote.responseTime,
          failure: vote.failure
        })),
        capture: capture === undefined ? null : captureOf(id, region, capture)
      }
    })

    return { list, get }
  })
}) {
  static readonly layer = Layer.effect(CheckLog, CheckLog.make).pipe(Layer.provide(CheckLogRepository.layer))
}

const recordOf = (monitorId: MonitorId, { slot, ...check }: StoredCheck): Record => ({
  id: checkIdOf({ ...check, slot, monitorId }),
  ...check
})

const captureOf = (monitorId: MonitorId, region: string, stored: StoredCapture): NonNullable<Detail["capture"]> => ({
  id: stored.id,
  checkId: checkIdOf({ monitorId, region, slot: stored.slot, scheduledAt: stored.scheduledAt }),
  capturedAt: stored.capturedAt,
  ...stored.content,
  certificate: stored.certificate
})
