/** The time zone of the reader of a notice: of a member who is written to, else of the project. */
import type { Recipient } from "@kanmon/core/Recipient"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"

export const make = Effect.map(ReaderZoneRepository, (repository) =>
  /** Read for each attempt, so that a change counts for what is sent next. */
  Effect.fn("ReaderZones.of")((projectId: ProjectId, recipient: Recipient | undefined) =>
    repository.zoneOf(projectId, recipient?.address)
  )
)
