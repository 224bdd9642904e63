/** Looks up API keys by their hashes. Database failures are defects. */
import type { ProjectId } from "@kanmon/domain/Ids"
import type { AnyKey } from "@kanmon/domain/Principal"
import { Context, type Effect, type Option } from "effect"

export class ProjectKeys extends Context.Service<
  ProjectKeys,
  {
    /** The caller that holds this key; none when the key is unknown, deleted or expired. */
    readonly find: (apiKey: string) => Effect.Effect<Option.Option<AnyKey>>
    /** The project of a key, independent of its permissions; none for a key of an organization, which has several. */
    readonly projectOf: (apiKey: string) => Effect.Effect<Option.Option<ProjectId>>
  }
>()("@kanmon/core/ProjectKeys") {}
