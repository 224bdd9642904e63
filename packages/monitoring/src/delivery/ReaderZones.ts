/** The time zone of a notice's reader: a paged person or a notified member, otherwise the project. A paged person has a language, too. */
import type { Recipient } from "@kanmon/core/Recipient"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Locale } from "@kanmon/domain/Locale"
import { Effect } from "effect"
import type { LeasedTarget } from "./TargetLeases.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"

export interface Reader {
  readonly zone: string
  readonly language?: Locale
}

export const make = Effect.map(ReaderZoneRepository, (repository) =>
  /** Read for each attempt, so that a change counts for what is sent next. */
  Effect.fn("ReaderZones.of")((target: LeasedTarget, projectId: ProjectId | null, recipient: Recipient | undefined) =>
    target.kind === "contactMethod"
      ? repository.readerOf(projectId, target.userId)
      : Effect.map(repository.zoneOf(projectId, recipient?.address), (zone): Reader => ({ zone }))
  )
)
