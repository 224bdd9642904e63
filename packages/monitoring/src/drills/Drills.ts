/**
 * Drills: an alert for practice runs through a policy, with the people, methods and answers of a real one. Due times are rows that any
 * engine claims. Locks are taken in one order: drill, alert, escalation, messages, pages.
 */
import type { AlertActor } from "@kanmon/domain/Alert"
import { actorInWords } from "@kanmon/domain/AlertHandling"
import { type Drill, drillEnd, type DrillReport, isTooLate, nextStart, reachedIn } from "@kanmon/domain/Drill"
import { drillEvent } from "@kanmon/domain/DrillEvents"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { type DrillId, nextDrillId, type ProjectId } from "@kanmon/domain/Ids"
import { zoneOf } from "@kanmon/domain/LocalTime"
import { DrillNotFound } from "@kanmon/domain/NotFound"
import { type EpochMillis, instant, toIso } from "@kanmon/domain/Timestamp"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import type { DrillDraft } from "@kanmon/protocol/DrillBody"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { DrillAlerts } from "../alerts/index.ts"
import { Timelines } from "../escalation/index.ts"
import { DrillRepository, type NewDrill, type StoredDrill } from "./DrillRepository.ts"

/** The largest number of drills of a project that have not ended. */
const most = 50

/** Ended drills of a project that are kept. */
const kept = 200

/** How far ahead a drill can be scheduled. */
const farthest = 2 * 366 * 86_400_000

/** The state of a drill does not allow it. */
export class DrillConflict extends Schema.TaggedError<DrillConflict>()("DrillConflict", { detail: Schema.String }) {}

export class Drills extends Context.Service<Drills>()("@kanmon/monitoring/drills/Drills", {
  make: Effect.gen(function* () {
    const repository = yield* DrillRepository
    const alerts = yield* DrillAlerts
    const timelines = yield* Timelines
    const audit = yield* AuditLog
    const outbox = yield* Outbox
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextDrillId, SecureRandom.SecureRandom, random)

    const get = Effect.fn("Drills.get")(function* (projectId: ProjectId, id: DrillId) {
      return (yield* repository.find(projectId, id)) ?? (yield* new DrillNotFound({ id }))
    })

    /** Stores the end of a locked drill, and tells subscribers of it. */
    const finish = Effect.fnUntraced(function* (
      drill: StoredDrill,
      status: "acknowledged" | "exhausted" | "stopped" | "skipped",
      at: EpochMillis,
      more: {
        readonly detail?: string
        readonly by?: { readonly actor: AlertActor | null; readonly at: EpochMillis | null }
      }
    ) {
      const detail = more.detail ?? null
      const by = more.by?.actor ?? null
      const ended = { status, detail, acknowledgedAt: more.by?.at ?? null, acknowledgedBy: by }
      yield* repository.ended(drill.id, ended, at)
      yield* outbox.append([drillEvent({ ...drill, detail }, status, by, at)])
      yield* alerts.forget(yield* repository.prune(drill.projectId, kept))
    })

    /** Schedules the repetition after this one. */
    const scheduleNext = Effect.fnUntraced(function* (drill: StoredDrill, at: EpochMillis) {
      const zone = zoneOf(drill.timezone) ?? zoneOf("UTC")!
      if (drill.every === null) return
      const startsAt = nextStart({ firstAt: drill.firstAt, every: drill.every, zone }, Math.max(at, drill.startsAt))
      yield* repository.insert({ ...drill, id: yield* nextId, startsAt })
    })

    /** Begins a locked drill, or notes why it does not begin. */
    const begin = Effect.fnUntraced(function* (drill: StoredDrill, baseUrl: string, at: EpochMillis) {
      yield* scheduleNext(drill, at)
      if (isTooLate(drill, at))
        return yield* finish(drill, "skipped", at, { detail: "Kanmon was not running when it was due" })
      if (yield* repository.isRunning(drill))
        return yield* finish(drill, "skipped", at, { detail: "The drill before it was still running" })
      const refused = yield* alerts.begin(drill, baseUrl, at)
      if (refused !== undefined) return yield* finish(drill, "skipped", at, { detail: refused.message })
      yield* repository.started(drill.id, at)
      yield* outbox.append([drillEvent(drill, "running", null, at)])
    })

    /** Ends a locked drill that is answered or exhausted. */
    const conclude = Effect.fnUntraced(function* (drill: StoredDrill, at: EpochMillis) {
      const escalated = (yield* alerts.lock(drill.id)).filter(({ isEscalated }) => isEscalated)
      const status = drillEnd(escalated)
      if (status === undefined) return
      const last = escalated
        .filter(({ acknowledgedAt }) => acknowledgedAt !== null)
        .toSorted((one, other) => other.acknowledgedAt! - one.acknowledgedAt!)[0]
      const by = { actor: last?.acknowledgedBy ?? null, at: last?.acknowledgedAt ?? null }
      const detail = status === "stopped" ? { detail: "Its rule was changed or deleted" } : {}
      yield* alerts.end(drill, endInWords(status, by.actor), at)
      yield* finish(drill, status, at, { by: status === "acknowledged" ? by : { actor: null, at: null }, ...detail })
    })

    const runNext = Effect.fnUntraced(function* (baseUrl: string) {
      const at = yield* Clock.currentTimeMillis
      const drill = yield* repository.claim(at)
      if (drill === undefined) return false
      yield* drill.status === "scheduled" ? begin(drill, baseUrl, at) : conclude(drill, at)
      return true
    }, transaction.run)

    /** Begins and ends the drills that are due; returns how many. */
    const runDue = Effect.fn("Drills.runDue")(function* (baseUrl: string) {
      let count = 0
      while (yield* runNext(baseUrl)) count++
      return count
    })

    /** The drill of a body, and why it is refused. */
    const drafted = Effect.fnUntraced(function* (
      projectId: ProjectId,
      draft: DrillDraft,
      by: AlertActor,
      at: EpochMillis
    ) {
      const { every, monitorId, policyId, ruleId } = draft
      const startsAt = draft.startsAt ?? at
      if (startsAt < at - 60_000) return yield* invalid("startsAt", "Expected a time that is not past")
      if (startsAt > at + farthest) return yield* invalid("startsAt", "Expected a time within two years")
      if ((yield* repository.countLocked(projectId)) >= most)
        return yield* invalid("", `Expected at most ${most} drills that run or are scheduled in a project`)
      const refused = yield* alerts.refusal(projectId, draft, at)
      if (refused !== undefined) return yield* new InvalidFields({ errors: [refused] })
      const name = (yield* repository.nameOf(draft)) ?? ""
      const timezone = draft.timezone ?? "UTC"
      const id = yield* nextId
      return {
        id,
        projectId,
        policyId,
        ruleId,
        monitorId,
        name,
        startsAt,
        firstAt: startsAt,
        every,
        timezone,
        createdBy: by
      } satisfies NewDrill
    })

    /** Schedules a drill; one for now begins at once. */
    const create = Effect.fn("Drills.create")(function* (
      projectId: ProjectId,
      draft: DrillDraft,
      by: AlertActor,
      baseUrl: string
    ) {
      const at = yield* Clock.currentTimeMillis
      const drill = yield* drafted(projectId, draft, by, at)
      if (drill.startsAt <= at && (yield* repository.isRunning(drill)))
        return yield* new DrillConflict({ detail: "A drill of the same target is running: end it first" })
      yield* repository.insert(drill)
      const made = yield* Effect.orDie(get(projectId, drill.id))
      if (drill.startsAt <= at) yield* begin(made, baseUrl, at)
      yield* audit.record([{ action: "drill.created", ...about(made), after: audited(made) }])
      return yield* Effect.orDie(get(projectId, drill.id))
    }, transaction.run)

    /** Ends a drill that runs, or deletes one that is scheduled; the repetition ends with a scheduled one. */
    const stop = Effect.fn("Drills.stop")(function* (projectId: ProjectId, id: DrillId, by: AlertActor) {
      const at = yield* Clock.currentTimeMillis
      const drill = (yield* repository.lock(projectId, id)) ?? (yield* new DrillNotFound({ id }))
      if (drill.endedAt !== null)
        return yield* new DrillConflict({ detail: `The drill ended at ${instant(drill.endedAt)}: its report is kept` })
      if (drill.status === "scheduled") yield* repository.remove(id)
      else {
        yield* alerts.end(drill, `it was stopped by ${actorInWords(by)}`, at)
        yield* finish(drill, "stopped", at, { detail: `Stopped by ${actorInWords(by)}` })
      }
      yield* audit.record([{ action: "drill.stopped", ...about(drill), before: audited(drill) }])
    }, transaction.run)

    const report = Effect.fn("Drills.report")(function* (projectId: ProjectId, id: DrillId) {
      const drill = yield* get(projectId, id)
      const alertIds = yield* repository.alertIds(id)
      const lines = yield* Effect.forEach(alertIds, (alertId) => Effect.orDie(timelines.of(projectId, alertId)))
      const timeline = lines.flat().toSorted((one, other) => one.at - other.at)
      const reached = reachedIn(drill.startedAt ?? drill.startsAt, timeline)
      return { ...shown(drill), alertIds, ...reached, timeline } satisfies DrillReport
    })

    return {
      list: (projectId: ProjectId, options: Parameters<typeof repository.list>[1]) =>
        repository.list(projectId, options),
      create,
      stop,
      report,
      runDue
    }
  })
}) {
  static readonly layer = Layer.effect(Drills, Drills.make).pipe(Layer.provide(DrillRepository.layer))
}

/** A drill as the API shows it. */
export const shown = ({ firstAt: _, ...drill }: StoredDrill): Drill => drill

const invalid = (path: string, message: string) => new InvalidFields({ errors: [{ path, message }] })

const endInWords = (status: "acknowledged" | "exhausted" | "stopped", by: AlertActor | null): string => {
  if (status === "acknowledged")
    return `it is over, because it was acknowledged${by === null ? "" : ` by ${actorInWords(by)}`}`
  return status === "exhausted"
    ? "it is over, because the policy came to its end and no one acknowledged it"
    : "it is over, because its rule was changed or deleted"
}

const about = ({ id, name, projectId }: StoredDrill): Pick<AuditedChange, "target" | "projectId"> => ({
  target: { id, name },
  projectId
})

const audited = ({ every, monitorId, policyId, ruleId, startsAt, timezone }: StoredDrill) => ({
  policyId,
  ruleId,
  monitorId,
  startsAt: toIso(startsAt),
  every,
  timezone
})
