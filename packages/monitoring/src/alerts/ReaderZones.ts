/** The time zone of the reader of a notice: of a member who is written to, else of the project. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { recipientOf } from "@kanmon/core/Recipient"
import { Effect } from "effect"
import type { StoredChannel } from "../channels/index.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"

export const make = Effect.gen(function* () {
  const { channels: kinds } = yield* Catalogue
  const repository = yield* ReaderZoneRepository

  /** Read for each attempt, so that a change counts for what is sent next. */
  return Effect.fn("ReaderZones.of")(function* ({ config, projectId, type }: StoredChannel) {
    const kind = kinds.get(type)
    const recipient = kind === undefined ? undefined : recipientOf(kind, config)
    return yield* repository.zoneOf(projectId, recipient?.address)
  })
})
