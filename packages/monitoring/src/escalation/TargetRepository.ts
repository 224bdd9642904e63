/** Reads the records that policies name: teams and channels, and the monitors that alerts are about. */
import type { Target } from "@kanmon/domain/EscalationPolicy"
import { ChannelId, type MonitorId, type OrganizationId, TeamId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Coverage } from "../alerts/index.ts"

const ChannelRow = Schema.Struct({
  id: ChannelId,
  isOff: Schema.Boolean,
  confirmation: Schema.Literals(["not_needed", "pending", "confirmed"])
})

export class TargetRepository extends Context.Service<TargetRepository>()(
  "@kanmon/monitoring/escalation/TargetRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return {
        /** The names and members of those of the teams that exist in the organization. */
        members: Effect.fn("TargetRepository.members")((id: OrganizationId, teamIds: ReadonlyArray<TeamId>) =>
          Effect.map(
            teams(sql`SELECT t.id, t.name, ARRAY(SELECT m.user_id FROM team_members m WHERE m.team_id = t.id ORDER BY m.user_id)
                AS "memberIds" FROM teams t WHERE t.organization_id = ${id} AND t.id = ANY(${teamIds}::text[])`),
            (rows) => new Map(rows.map(({ id: teamId, ...team }) => [teamId, team]))
          )
        ),
        /** The channels that exist in projects of the organization, of these. */
        channels: Effect.fn("TargetRepository.channels")((id: OrganizationId, channelIds: ReadonlyArray<ChannelId>) =>
          Effect.map(
            channels(sql`SELECT c.id, c.disabled_reason IS NOT NULL AS "isOff", c.confirmation FROM channels c
              JOIN projects p ON p.id = c.project_id
              WHERE p.organization_id = ${id} AND c.id = ANY(${channelIds}::text[])`),
            (rows) => new Map(rows.map((row) => [row.id, row]))
          )
        ),
        /** The types of contact methods that exist. */
        methodTypes: Effect.fn("TargetRepository.methodTypes")((ids: ReadonlyArray<string>) =>
          Effect.map(
            methods(
              sql`SELECT id, coalesce(type, 'email') AS type FROM contact_methods WHERE id = ANY(${ids}::text[])`
            ),
            (rows) => new Map(rows.map(({ id, type }) => [id, type]))
          )
        ),
        /** The name of a person, a team or a schedule that exists. */
        nameOf: Effect.fn("TargetRepository.nameOf")((target: Target) =>
          Effect.map(
            named(sql`SELECT name FROM users WHERE id = ${target.userId ?? null} UNION ALL SELECT name FROM teams WHERE id = ${target.teamId ?? null}
              UNION ALL SELECT name FROM schedules WHERE id = ${target.scheduleId ?? null}`),
            ({ name }) => name
          )
        ),
        /** Until when maintenance or a silence holds alerts of a monitor; undefined when the organization has no such monitor. */
        heldUntil: Effect.fn("TargetRepository.heldUntil")(
          (id: OrganizationId, monitorId: MonitorId, at: EpochMillis) => {
            const now = new Date(at)
            return held(sql`SELECT greatest(${Coverage.maintenanceUntil(sql, now)}, ${Coverage.silencedUntil(sql, now)}) AS until
            FROM monitors m JOIN projects p ON p.id = m.project_id
            WHERE m.id = ${monitorId} AND p.organization_id = ${id}`)
          }
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(TargetRepository, TargetRepository.make)
}

const teams = Rows.all(Schema.Struct({ id: TeamId, name: Schema.String, memberIds: Schema.Array(UserId) }))
const channels = Rows.all(ChannelRow)
const methods = Rows.all(Schema.Struct({ id: Schema.String, type: Schema.String }))
const named = Rows.one(Schema.Struct({ name: Schema.String }))
const held = Rows.first(Schema.Struct({ until: Schema.NullOr(Rows.Time) }))
