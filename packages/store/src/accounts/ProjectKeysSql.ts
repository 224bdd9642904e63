/** Finds projects by API key. Not cached: a key that was replaced stops at once, in every process. */
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { hashApiKey } from "../database/Secrets.ts"

export const layer = Layer.effect(
  ProjectKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return ProjectKeys.of({
      projectOf: Effect.fn("ProjectKeys.projectOf")((apiKey: string) =>
        sql<{ id: ProjectId }>`SELECT id FROM projects WHERE api_key_hash = ${hashApiKey(apiKey)}`.pipe(
          Effect.map(([row]) => Option.fromUndefinedOr(row?.id)),
          Effect.orDie
        )
      )
    })
  })
)
