/** Which of many sessions and API keys still stand, in one query. */
import type { ApiKeyId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** The admitted credentials by the ID of their row. */
interface Credentials {
  readonly sessions: ReadonlyArray<string>
  /** Keys that were added to a project or an organization. */
  readonly keys: ReadonlyArray<ApiKeyId>
  /** Projects with a use of their own key. */
  readonly projects: ReadonlyArray<ProjectId>
}

/** A session or a key that stands. The stamp of a project changes when its own key is replaced. */
const Row = Schema.Struct({
  kind: Schema.Literals(["session", "key", "project"]),
  id: Schema.String,
  stamp: Schema.String
})

export class CredentialRepository extends Context.Service<CredentialRepository>()(
  "@kanmon/monitoring/events/CredentialRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const among = (ids: ReadonlyArray<string>) => sql`(SELECT json_array_elements_text(${JSON.stringify(ids)}::json))`
      const ofProject = sql`JOIN organizations o ON o.id = p.organization_id AND o.disabled_at IS NULL`
      return {
        standing: Effect.fn("CredentialRepository.standing")(
          ({ keys, projects, sessions }: Credentials, now: EpochMillis) =>
            Rows.all(Row)(sql`SELECT 'session' AS kind, s.id, '' AS stamp FROM sessions s
              WHERE s.id IN ${among(sessions)} AND s.expires_at > ${new Date(now)}
            UNION ALL SELECT 'key', k.id, '' FROM api_keys k LEFT JOIN projects p ON p.id = k.project_id
              JOIN organizations o ON o.id = coalesce(k.organization_id, p.organization_id) AND o.disabled_at IS NULL
              WHERE k.id IN ${among(keys)} AND (k.expires_at IS NULL OR k.expires_at > ${new Date(now)})
            UNION ALL SELECT 'project', p.id, p.api_key_hash FROM projects p ${ofProject}
              WHERE p.id IN ${among(projects)}`)
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CredentialRepository, CredentialRepository.make)
}
