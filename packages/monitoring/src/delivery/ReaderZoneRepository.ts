/** Time zones that projects and accounts have chosen, and the languages of accounts. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { isLocale, localeFor } from "@kanmon/domain/Locale"
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
         * The zone that the member with the recipient's verified address has chosen, else that of the project; and the member's
         * language, undefined where there is none. Accounts outside the organization do not count: their settings are not its business.
         */
        recipientOf: (projectId: ProjectId | null, recipient: string | undefined = "") =>
          Effect.map(
            Rows.first(ReaderRow)(sql`SELECT u.locale, coalesce(u.timezone, p.timezone) AS zone FROM projects p
              LEFT JOIN (users u JOIN organization_members m ON m.user_id = u.id AND u.email_verified)
                ON m.organization_id = p.organization_id AND 'email:' || lower(u.email) = ${recipient}
              WHERE p.id = ${projectId}`),
            (row) => ({ zone: row?.zone ?? "UTC", language: isLocale(row?.locale) ? row.locale : undefined })
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ReaderZoneRepository, ReaderZoneRepository.make)
}

const ReaderRow = Schema.Struct({ zone: Schema.String, locale: Schema.NullOr(Schema.String) })
const reader = Rows.one(ReaderRow)
