/** Which project an API key belongs to. Looked up by hash; the database's failures are defects. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Context, type Effect, type Option } from "effect"

export class ProjectKeys extends Context.Service<
  ProjectKeys,
  { readonly projectOf: (apiKey: string) => Effect.Effect<Option.Option<ProjectId>> }
>()("@kanmon/core/ProjectKeys") {}
