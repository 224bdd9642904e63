/** Teams in the database. */
import { type OrganizationId, TeamId, UserId } from "@kanmon/domain/Ids"
import type { Team } from "@kanmon/domain/Organization"
import { byName } from "@kanmon/domain/SearchText"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const TeamRow = Schema.Struct({
  id: TeamId,
  name: Schema.String,
  members: Schema.Array(Schema.Struct({ id: UserId, name: Schema.String })),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

/** A team with the ids of its members, by their names. */
const teamOf = ({ members, ...team }: typeof TeamRow.Type) => ({
  ...team,
  memberIds: byName(members).map(({ id }) => id)
})

export class TeamRepository extends Context.Service<TeamRepository>()("@kanmon/identity/organizations/TeamRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
    const teams = (
      id: OrganizationId
    ) => sql`SELECT t.id, t.name, t.created_at AS "createdAt", t.updated_at AS "updatedAt",
          COALESCE((SELECT json_agg(json_build_object('id', u.id, 'name', u.name))
            FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = t.id), '[]') AS members
        FROM teams t WHERE t.organization_id = ${id}`

    return {
      /** By name. */
      list: Effect.fn("TeamRepository.list")((id: OrganizationId) =>
        Effect.map(Rows.all(TeamRow)(teams(id)), (rows) => byName(rows.map(teamOf)))
      ),
      find: Effect.fn("TeamRepository.find")((id: OrganizationId, teamId: TeamId) =>
        Effect.map(Rows.first(TeamRow)(sql`${teams(id)} AND t.id = ${teamId}`), (row) => row && teamOf(row))
      ),
      /** Reports whether another team of the organization has the name, ignoring case. */
      hasName: (id: OrganizationId, name: string, except: TeamId | undefined) =>
        Rows.any(sql`SELECT 1 FROM teams WHERE organization_id = ${id} AND lower(name) = lower(${name})
            ${except === undefined ? sql`` : sql`AND id <> ${except}`}`),
      insert: (id: OrganizationId, { createdAt, id: teamId, name }: Pick<Team, "id" | "name" | "createdAt">) =>
        run(sql`INSERT INTO teams (id, organization_id, name, created_at, updated_at)
            VALUES (${teamId}, ${id}, ${name}, ${new Date(createdAt)}, ${new Date(createdAt)})`),
      rename: (teamId: TeamId, name: string, at: EpochMillis) =>
        run(sql`UPDATE teams SET name = ${name}, updated_at = ${new Date(at)} WHERE id = ${teamId}`),
      remove: (teamId: TeamId) => run(sql`DELETE FROM teams WHERE id = ${teamId}`),
      addMember: (teamId: TeamId, userId: UserId, at: EpochMillis) =>
        Rows.any(sql`INSERT INTO team_members (team_id, user_id, created_at)
            VALUES (${teamId}, ${userId}, ${new Date(at)}) ON CONFLICT DO NOTHING RETURNING user_id`),
      removeMember: (teamId: TeamId, userId: UserId) =>
        Rows.any(sql`DELETE FROM team_members WHERE team_id = ${teamId} AND user_id = ${userId} RETURNING user_id`)
    }
  })
}) {
  static readonly layer = Layer.effect(TeamRepository, TeamRepository.make)
}
