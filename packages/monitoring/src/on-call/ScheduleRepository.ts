/** The tables of on-call schedules and of their handoffs. */
import type { OrganizationId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import { peopleIn } from "@kanmon/domain/OnCallEdit"
import type { Handoff } from "@kanmon/domain/OnCallShifts"
import { byName } from "@kanmon/domain/SearchText"
import type { Span } from "@kanmon/domain/Spans"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Columns from "@kanmon/platform/database/Columns"
import { databaseDies } from "@kanmon/platform/database/Database"
import { type KeyTaken, keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as Rows from "@kanmon/platform/database/Rows"
import * as Turns from "@kanmon/platform/Turns"
import type { Question } from "@kanmon/platform/DueWork"
import { HandoffRow, ScheduleRow, storedCoverage, storedLayers, storedSchedule } from "./ScheduleRecords.ts"
import type { StoredSchedule } from "./ScheduleRecords.ts"

/** How long handoffs are kept, at least. */
const keptMillis = 400 * dayMillis

/** Whether a handoff is due. */
export const isHandoffDue: Question = (sql, now) => sql`EXISTS (SELECT FROM schedules WHERE next_handoff_at <= ${now})`

export class ScheduleRepository extends Context.Service<ScheduleRepository>()(
  "@kanmon/monitoring/on-call/ScheduleRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      const schedules = sql`SELECT id, organization_id AS "organizationId", key, name, timezone, coverage, layers,
          recorded_until AS "recordedUntil", created_at AS "createdAt", updated_at AS "updatedAt" FROM schedules`
      const naming = (userId: UserId, since: EpochMillis) => sql`${schedules} WHERE people @> ARRAY[${userId}]::text[]
          OR id IN (SELECT schedule_id FROM schedule_overrides WHERE user_id = ${userId} AND ends_at > ${new Date(since)})`
      const one = (statement: Statement.Statement<unknown>) =>
        Effect.map(scheduleRow(statement), (row) => row && storedSchedule(row))
      // Others get a turn between schedules: a hundred large ones take long to decode.
      const all = Effect.fnUntraced(function* (statement: Statement.Statement<unknown>) {
        return yield* Turns.map(yield* scheduleRows(statement), 1, storedSchedule)
      })
      const columns = ({ coverage, layers }: Pick<StoredSchedule, "coverage" | "layers">) => ({
        coverage: coverage === null ? null : JSON.stringify(storedCoverage.encode({ hours: coverage })),
        layers: JSON.stringify(storedLayers.encode({ layers })),
        people: [...peopleIn(layers)]
      })

      return {
        /** By name. */
        list: Effect.fn("ScheduleRepository.list")((id: OrganizationId, key?: string) =>
          Effect.map(
            all(sql`${schedules} WHERE organization_id = ${id} ${key === undefined ? sql`` : sql`AND key = ${key}`}`),
            byName
          )
        ),
        find: Effect.fn("ScheduleRepository.find")((id: OrganizationId, scheduleId: ScheduleId) =>
          one(sql`${schedules} WHERE id = ${scheduleId} AND organization_id = ${id}`)
        ),
        /** The schedules that exist in the organization, in the order of their ids. */
        findAll: Effect.fn("ScheduleRepository.findAll")((id: OrganizationId, scheduleIds: ReadonlyArray<ScheduleId>) =>
          all(sql`${schedules} WHERE id = ANY(${scheduleIds}::text[]) AND organization_id = ${id} ORDER BY id`)
        ),
        /** A schedule, locked until the transaction ends. */
        lock: Effect.fn("ScheduleRepository.lock")((id: OrganizationId, scheduleId: ScheduleId) =>
          one(sql`${schedules} WHERE id = ${scheduleId} AND organization_id = ${id} FOR UPDATE`)
        ),
        /** Locks a schedule with a due handoff, unless another process has it. */
        lockDue: Effect.fn("ScheduleRepository.lockDue")((now: EpochMillis) =>
          one(sql`${schedules} WHERE next_handoff_at <= ${new Date(now)}
            ORDER BY next_handoff_at LIMIT 1 FOR UPDATE SKIP LOCKED`)
        ),
        /** Locks the schedules that name a person, in an order that is the same for everybody. */
        lockOf: Effect.fn("ScheduleRepository.lockOf")((userId: UserId, now: EpochMillis) =>
          all(sql`${naming(userId, now)} ORDER BY id FOR UPDATE`)
        ),
        byId: (scheduleId: ScheduleId) => one(sql`${schedules} WHERE id = ${scheduleId}`),
        /** The schedules in which a person has shifts, or had some since an instant. */
        naming: Effect.fn("ScheduleRepository.naming")((userId: UserId, since: EpochMillis) =>
          Effect.map(all(naming(userId, since)), byName)
        ),
        count: (id: OrganizationId) =>
          Effect.map(
            total(sql`SELECT count(*) AS count FROM schedules WHERE organization_id = ${id}`),
            (row) => row.count
          ),
        insert: Effect.fn("ScheduleRepository.insert")((schedule: StoredSchedule) => {
          const { coverage, layers, people } = columns(schedule)
          return written(sql`INSERT INTO schedules (id, organization_id, key, name, timezone, coverage, layers, people,
              recorded_until, next_handoff_at, created_at, updated_at)
            VALUES (${schedule.id}, ${schedule.organizationId}, ${schedule.key}, ${schedule.name}, ${schedule.timezone},
              ${coverage}::jsonb, ${layers}::jsonb, ${people}::text[], ${new Date(schedule.recordedUntil)},
              ${new Date(schedule.recordedUntil)}, ${new Date(schedule.createdAt)}, ${new Date(schedule.updatedAt)})`)
        }),
        update: Effect.fn("ScheduleRepository.update")((schedule: StoredSchedule) => {
          const { coverage, layers, people } = columns(schedule)
          return written(sql`UPDATE schedules SET key = ${schedule.key}, name = ${schedule.name},
              timezone = ${schedule.timezone}, coverage = ${coverage}::jsonb, layers = ${layers}::jsonb,
              people = ${people}::text[], updated_at = ${new Date(schedule.updatedAt)} WHERE id = ${schedule.id}`)
        }),
        remove: (scheduleId: ScheduleId) => run(sql`DELETE FROM schedules WHERE id = ${scheduleId}`),
        /** Appends handoffs, and says until when they are recorded and when to look again. Deletes what is past retention. */
        record: Effect.fn("ScheduleRepository.record")(function* (
          scheduleId: ScheduleId,
          handoffs: ReadonlyArray<Handoff>,
          recordedUntil: EpochMillis,
          nextAt: EpochMillis
        ) {
          if (handoffs.length > 0)
            yield* sql`INSERT INTO schedule_handoffs (schedule_id, at, user_id, layer, override_id)
              SELECT ${scheduleId}, * FROM unnest(${Columns.times(handoffs.map(({ at }) => at))}::timestamptz[],
                ${Columns.texts(handoffs.map(({ userId }) => userId))}::text[],
                ${Columns.texts(handoffs.map(({ layer }) => layer))}::text[],
                ${Columns.texts(handoffs.map(({ overrideId }) => overrideId))}::text[])
              ON CONFLICT (schedule_id, at) DO UPDATE SET user_id = EXCLUDED.user_id, layer = EXCLUDED.layer,
                override_id = EXCLUDED.override_id`
          yield* sql`UPDATE schedules SET recorded_until = ${new Date(recordedUntil)},
              next_handoff_at = ${new Date(nextAt)} WHERE id = ${scheduleId}`
          const before = new Date(recordedUntil - keptMillis)
          yield* sql`DELETE FROM schedule_handoffs WHERE schedule_id = ${scheduleId} AND at <
              (SELECT max(at) FROM schedule_handoffs WHERE schedule_id = ${scheduleId} AND at <= ${before})`
          yield* sql`DELETE FROM schedule_overrides WHERE schedule_id = ${scheduleId} AND ends_at < ${before}`
        }, Effect.orDie),
        /** The last handoff that is recorded. */
        last: (scheduleId: ScheduleId) =>
          handoffRow(sql`${handoffColumns(sql)} WHERE schedule_id = ${scheduleId} ORDER BY at DESC LIMIT 1`),
        /** The handoffs in a window and the last one before it, in their order. */
        handoffs: Effect.fn("ScheduleRepository.handoffs")((scheduleId: ScheduleId, { from, to }: Span) =>
          handoffRows(sql`${handoffColumns(sql)} WHERE schedule_id = ${scheduleId} AND at < ${new Date(to)} AND at >=
              coalesce((SELECT max(at) FROM schedule_handoffs WHERE schedule_id = ${scheduleId}
                AND at <= ${new Date(from)}), '-infinity') ORDER BY at`)
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ScheduleRepository, ScheduleRepository.make)
}

const handoffColumns = (sql: SqlClient.SqlClient) =>
  sql`SELECT at, user_id AS "userId", layer, override_id AS "overrideId" FROM schedule_handoffs`

const written = (statement: Effect.Effect<unknown, unknown>): Effect.Effect<void, KeyTaken> =>
  Effect.asVoid(databaseDies(keyTakenAsAnswer(statement as Statement.Statement<unknown>)))

const scheduleRow = Rows.first(ScheduleRow)
const scheduleRows = Rows.all(ScheduleRow)
const handoffRow = Rows.first(HandoffRow)
const handoffRows = Rows.all(HandoffRow)
const total = Rows.one(Schema.Struct({ count: Rows.Count }))
