/** The people who can be on call: the table of away periods, and the members of organizations. */
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Role } from "@kanmon/domain/Role"
import type { Span } from "@kanmon/domain/Spans"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Columns from "@kanmon/platform/database/Columns"
import * as Rows from "@kanmon/platform/database/Rows"

const MemberRow = Schema.Struct({ userId: UserId, role: Role })
const MembershipRow = Schema.Struct({ organizationId: OrganizationId, role: Role })
const AwayRow = Schema.Struct({ userId: UserId, from: Rows.Time, to: Rows.Time })

export class PeopleRepository extends Context.Service<PeopleRepository>()(
  "@kanmon/monitoring/on-call/PeopleRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return {
        /** The roles of those of the accounts that are members of the organization. */
        roles: Effect.fn("PeopleRepository.roles")((id: OrganizationId, userIds: ReadonlyArray<UserId>) =>
          Effect.map(
            members(sql`SELECT user_id AS "userId", role FROM organization_members
              WHERE organization_id = ${id} AND user_id = ANY(${userIds}::text[])`),
            (rows) => new Map(rows.map(({ role, userId }) => [userId, role]))
          )
        ),
        /** The organizations of an account, with its roles. */
        memberships: Effect.fn("PeopleRepository.memberships")((userId: UserId) =>
          Effect.map(
            memberships(sql`SELECT organization_id AS "organizationId", role FROM organization_members
              WHERE user_id = ${userId}`),
            (rows) => new Map(rows.map(({ organizationId, role }) => [organizationId, role]))
          )
        ),
        /** When accounts are away, as far as it is not over at an instant, in ascending order. */
        away: Effect.fn("PeopleRepository.away")((userIds: ReadonlyArray<UserId>, at: EpochMillis) =>
          Effect.map(
            away(sql`SELECT user_id AS "userId", starts_at AS "from", ends_at AS "to" FROM away_periods
              WHERE user_id = ANY(${userIds}::text[]) AND ends_at > ${new Date(at)} ORDER BY starts_at`),
            (rows) => Map.groupBy(rows, ({ userId }) => userId)
          )
        ),
        /** The names of accounts. */
        names: Effect.fn("PeopleRepository.names")((userIds: ReadonlyArray<UserId>) =>
          Effect.map(
            names(sql`SELECT id AS "userId", name FROM users WHERE id = ANY(${userIds}::text[])`),
            (rows) => new Map(rows.map(({ name, userId }) => [userId, name]))
          )
        ),
        replaceAway: Effect.fn("PeopleRepository.replaceAway")(function* (
          userId: UserId,
          periods: ReadonlyArray<Span>
        ) {
          yield* sql`DELETE FROM away_periods WHERE user_id = ${userId}`
          yield* sql`INSERT INTO away_periods (user_id, starts_at, ends_at)
            SELECT ${userId}, * FROM unnest(${Columns.times(periods.map(({ from }) => from))}::timestamptz[],
              ${Columns.times(periods.map(({ to }) => to))}::timestamptz[])`
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(PeopleRepository, PeopleRepository.make)
}

const names = Rows.all(Schema.Struct({ userId: UserId, name: Schema.String }))
const members = Rows.all(MemberRow)
const memberships = Rows.all(MembershipRow)
const away = Rows.all(AwayRow)
