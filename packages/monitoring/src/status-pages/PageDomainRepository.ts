/** The states of custom domains, on the pages that have them. */
import { ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PageDomains } from "../custom-domains/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

export const layer = Layer.effect(
  PageDomains,
  Effect.map(SqlClient.SqlClient, (sql) =>
    PageDomains.of({
      setState: Effect.fn("PageDomains.setState")(function* ({ name, pageId }, { error, proven, status }) {
        const page = sql`id = ${pageId} AND custom_domain = ${name}`
        yield* Effect.orDie(sql`UPDATE status_pages SET custom_domain_proven = ${proven} WHERE ${page}`)
        return yield* pageOf(sql`UPDATE status_pages SET custom_domain_status = ${status}, custom_domain_error = ${error}
          WHERE ${page} AND (custom_domain_status <> ${status} OR custom_domain_error IS DISTINCT FROM ${error})
          RETURNING id, project_id AS "projectId", slug`)
      })
    })
  )
)

const pageOf = Rows.first(Schema.Struct({ id: StatusPageId, projectId: ProjectId, slug: Schema.String }))
