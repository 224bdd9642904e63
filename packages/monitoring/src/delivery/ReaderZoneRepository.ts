/** Time zones that projects and accounts have chosen, and the languages of accounts. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { localeFor } from "@kanmon/domain/Locale"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class ReaderZoneRepository extends Context.Service<ReaderZoneRepository>()(
  "@kanmon/monitoring/delivery/ReaderZoneRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        /** The zone that a person has chosen, else that of the project, if there is one; and the person's language. */
        readerOf: (projectId: ProjectId | null, userId: UserId) =>
          Effect.map(
            reader(sql`SELECT coalesce(u.timezone, (SELECT timezone FROM projects WHERE id = ${projectId}), 'UTC') AS zone,
              u.locale FROM (SELECT ${userId}::text AS id) AS one LEFT JOIN users u ON u.id = one.id`),
            ({ locale, zone }) => ({ zone, language: localeFor(locale) })
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

const reader = Rows.one(Schema.Struct({ zone: Schema.String, locale: Schema.NullOr(Schema.String) }))
const ZoneRow = Schema.Struct({ timezone: Schema.String })
