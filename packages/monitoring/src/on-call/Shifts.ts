/** The shifts of schedules: past ones are read, future ones are computed. Drafts work the same way. */
import type { OrganizationId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import { continued, movedPeople } from "@kanmon/domain/OnCallEdit"
import type { ScheduleDraft } from "@kanmon/domain/OnCallSchedule"
import * as OnCall from "@kanmon/domain/OnCallShifts"
import type { Span } from "@kanmon/domain/Spans"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Participants } from "./Participants.ts"
import { type Deciding, onCallAt, Reckonings, shiftsOf } from "./Reckonings.ts"
import type { StoredSchedule } from "./ScheduleRecords.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import { draftOf, type Revision, Schedules } from "./Schedules.ts"

/** Most shifts of an answer, those of layers included. */
const maxShifts = 30_000

/** The shifts of a window. */
export interface WindowShifts {
  readonly shifts: ReadonlyArray<OnCall.NamedShift>
  readonly gaps: ReadonlyArray<Span>
  readonly layers: ReadonlyArray<{ readonly name: string; readonly shifts: ReadonlyArray<OnCall.NamedShift> }>
}

export interface PreviewedShifts extends WindowShifts {
  readonly movedUserIds: ReadonlyArray<UserId>
}

/** The person on call in a schedule. */
interface ScheduleNow extends OnCall.OnCall {
  readonly scheduleId: ScheduleId
  readonly scheduleName: string
}

export class Shifts extends Context.Service<Shifts>()("@kanmon/monitoring/on-call/Shifts", {
  make: Effect.gen(function* () {
    const repository = yield* ScheduleRepository
    const schedules = yield* Schedules
    const participants = yield* Participants
    const reckonings = yield* Reckonings

    const none = ({ layers }: Deciding): OnCall.Shifts => ({ final: [], layers: layers.map(() => []), gaps: [] })

    /** The shifts of versions of one schedule, in their order. */
    const reckonedAll = Effect.fnUntraced(function* (versions: ReadonlyArray<Deciding>, window: Span) {
      if (window.from >= window.to) return versions.map(none)
      return yield* Effect.forEach(yield* reckonings.of(versions, window.from), (reckoning) =>
        shiftsOf(reckoning, window, maxShifts)
      )
    })
    const reckoned = (schedule: Deciding, window: Span) =>
      Effect.map(reckonedAll([schedule], window), ([shifts]) => shifts!)

    /** The shifts of a window that are recorded. */
    const recorded = Effect.fnUntraced(function* ({ id, recordedUntil }: StoredSchedule, { from, to }: Span) {
      const past = { from, to: Math.min(to, recordedUntil) }
      if (past.from >= past.to) return []
      return OnCall.recordedShifts(yield* repository.handoffs(id, past), past)
    })

    /** The shifts of a schedule in a window. */
    const of = Effect.fn("Shifts.of")(function* (schedule: StoredSchedule, window: Span) {
      const now = yield* Clock.currentTimeMillis
      const coming = yield* reckoned(schedule, { ...window, from: Math.max(window.from, schedule.recordedUntil) })
      return answer(schedule.layers, yield* recorded(schedule, window), coming, now)
    })

    /** The shifts that a new schedule would have. */
    const preview = Effect.fn("Shifts.preview")(function* (id: OrganizationId, draft: ScheduleDraft, window: Span) {
      yield* participants.admit(id, draft.layers)
      const now = yield* Clock.currentTimeMillis
      const coming = yield* reckoned({ ...draft, id: unsaved, organizationId: id }, window)
      const shown = answer(draft.layers, [], coming, now)
      return { ...shown, movedUserIds: movedPeople([], after(coming.final, now)) }
    })

    /** The shifts that a schedule would have after a change. */
    const previewChange = Effect.fn("Shifts.previewChange")(function* (
      id: OrganizationId,
      scheduleId: ScheduleId,
      revise: Revision,
      window: Span
    ) {
      const before = yield* schedules.get(id, scheduleId)
      const draft = yield* Effect.fromResult(revise(draftOf(before)))
      yield* participants.admit(id, draft.layers, before.layers)
      const now = yield* Clock.currentTimeMillis
      const layers = continued(before, draft, now)
      const future = { ...window, from: Math.max(window.from, now) }
      const [coming, former] = yield* reckonedAll([{ ...before, ...draft, layers }, before], future)
      const past = window.from < now ? (yield* of(before, { ...window, to: Math.min(window.to, now) })).shifts : []
      return { ...answer(layers, past, coming!, now), movedUserIds: movedPeople(former!.final, coming!.final) }
    })

    /** The person on call in each schedule of an organization. */
    const nowIn: (id: OrganizationId) => Effect.Effect<ReadonlyArray<ScheduleNow>> = Effect.fn("Shifts.now")(
      function* (id) {
        const now = yield* Clock.currentTimeMillis
        const all = yield* repository.list(id)
        const found = yield* reckonings.of(all, now)
        return yield* Effect.forEach(all, (schedule, index) =>
          Effect.map(onCallAt(found[index]!, now), (onCall) => ({
            scheduleId: schedule.id,
            scheduleName: schedule.name,
            ...onCall
          }))
        )
      }
    )

    return { of, preview, previewChange, now: nowIn }
  })
}) {
  static readonly layer = Layer.effect(Shifts, Shifts.make).pipe(
    Layer.provide([ScheduleRepository.layer, Schedules.layer, Participants.layer, Reckonings.layer])
  )
}

/** An unsaved schedule has no overrides. */
const unsaved = "sch_0" as ScheduleId

/** The parts of spans that are not over. */
const after = <S extends Span>(spans: ReadonlyArray<S>, now: EpochMillis): ReadonlyArray<S> =>
  spans.flatMap((span) => (span.to > now ? [{ ...span, from: Math.max(span.from, now) }] : []))

const answer = (
  layers: StoredSchedule["layers"],
  past: ReadonlyArray<OnCall.NamedShift>,
  coming: OnCall.Shifts,
  now: EpochMillis
): WindowShifts => ({
  shifts: OnCall.adjoined([...past, ...OnCall.named(coming.final, layers)]),
  gaps: after(coming.gaps, now),
  layers: layers.map(({ name }, index) => ({
    name,
    shifts: after(OnCall.named(coming.layers[index]!, layers), now)
  }))
})
