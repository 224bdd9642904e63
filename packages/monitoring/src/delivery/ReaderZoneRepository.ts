/** Time zones that projects and accounts have chosen. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class ReaderZoneRepository extends Context.Service<ReaderZoneRepository>()(
  "@kanmon/monitoring/delivery/ReaderZoneRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        /** The zone that a person has chosen, else that of the project, if there is one. */
        zoneOfPerson: (projectId: ProjectId | null, userId: UserId) =>
          Effect.map(
            Rows.first(ZoneRow)(sql`SELECT coalesce((SELECT timezone FROM users WHERE id = ${userId}),
              (SELECT timezone FROM projects WHERE id = ${projectId}), 'UTC') AS timezone`),
            (row) => row?.timezone ?? "UTC"
          ),
        /**
         * The zone that the member with the recipient's verified address has chosen, else that of the project. Accounts outside the
         * organization do not count: their settings are not its business.
         */
        zoneOf: (projectId: ProjectId | null, recipient: string | undefined = "") =>
          Effect.map(
            Rows.first(ZoneRow)(sql`SELECT coalesce((SELECT u.timezone FROM users u
                JOIN organization_members m ON m.user_id = u.id AND m.organization_id = p.organization_id
                WHERE u.email_verified AND 'email:' || lower(u.email) = ${recipient}), p.timezone) AS timezone
              FROM projects p WHERE p.id = ${projectId}`),
            (row) => row?.timezone ?? "UTC"
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ReaderZoneRepository, ReaderZoneRepository.make)
}

const ZoneRow = Schema.Struct({ timezone: Schema.String })
